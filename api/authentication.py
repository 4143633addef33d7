"""Who asks: the strategies ``noauth2``, for development, and ``keystone``.

Both leave what they know of the user in the request's headers, where keystonemiddleware puts it: ``X-User-Id``,
``X-Project-Id``, ``X-Roles``, ``OpenStack-System-Scope`` and so on.
"""

from flask import Flask, request
from graphplace.api.extra import openstack
from graphplace.api.outside import ALIVE, METRICS, READY
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Unauthorized

from graphplace.settings import API, KEYSTONE, Settings

ADMIN = "admin"
# The version document is read before a client has a token, and so is the page without its data.
OPEN_PATH = "/"
_OPEN_PATHS = frozenset({OPEN_PATH, ALIVE, READY})
OPEN_BLUEPRINT = "page"


def register(app: Flask, settings: Settings) -> None:
    """Let *app* find out who asks, or answer 401, by the strategy that *settings* name. Raises SettingsError."""
    by_keystone = settings.auth_strategy == KEYSTONE
    identify = openstack("the strategy keystone").token_check(settings) if by_keystone else _believe_token
    open_paths = _OPEN_PATHS if settings.metrics_auth == API else _OPEN_PATHS | {METRICS}

    def authenticate() -> None:
        if request.path not in open_paths and request.blueprint != OPEN_BLUEPRINT:
            identify()

    app.before_request(authenticate)


def _believe_token() -> None:
    """Take who asks from ``X-Auth-Token: user[:project]``.

    The project defaults to the user. The other headers are the client's to set; without ``X-Roles`` the user
    ``admin`` has the role ``admin`` and nobody else has one. Raises Unauthorized (401) without a token.
    """
    token = request.headers.get("X-Auth-Token")
    if not token:
        raise Unauthorized(
            "Give a token in X-Auth-Token: the user, or user:project.",
            www_authenticate=WWWAuthenticate("noauth2", {"realm": "graphplace"}),
        )
    user_id, _, project_id = token.partition(":")
    environ = request.environ
    environ["HTTP_X_USER_ID"] = user_id
    environ.setdefault("HTTP_X_ROLES", ADMIN if user_id == ADMIN else "")
    if not environ.get("HTTP_OPENSTACK_SYSTEM_SCOPE"):
        environ.setdefault("HTTP_X_PROJECT_ID", project_id or user_id)
