"""Who asks: the ``noauth2`` strategy, where the token itself names the user and the project."""

from flask import g, request
from graphplace.api.context import Identity
from werkzeug.exceptions import Unauthorized

ADMIN = "admin"
# The version document is read before a client has a token.
OPEN_PATH = "/"


def authenticate() -> None:
    """Take the current request's identity from ``X-Auth-Token: user[:project]`` and ``X-Roles``.

    The project defaults to the user. Without ``X-Roles`` the user ``admin`` has the role ``admin`` and nobody else
    has one. Raises Unauthorized (401) without a token, except for the version document.
    """
    token = request.headers.get("X-Auth-Token")
    if not token:
        if request.path == OPEN_PATH:
            return
        raise Unauthorized("Give a token in X-Auth-Token: the user, or user:project.")
    user_id, _, project_id = token.partition(":")
    roles = request.headers.get("X-Roles", ADMIN if user_id == ADMIN else "")
    g.identity = Identity(
        user_id=user_id,
        project_id=project_id or user_id,
        roles=frozenset(role.strip().lower() for role in roles.split(",") if role.strip()),
    )
