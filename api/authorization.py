"""What the one who asks may do: by Placement's rules as the deployment sets them, or, without them, as ``admin``."""

from collections.abc import Callable

from flask import Flask, current_app, request
from graphplace.api.authentication import ADMIN
from graphplace.api.extra import openstack
from graphplace.api.policy import RULES_OF
from werkzeug.exceptions import Forbidden

from graphplace.settings import KEYSTONE, OSLO, Settings

# Takes the name of a rule and tells whether the current request passes it.
Policy = Callable[[str], bool]

_EXTENSION = "graphplace.policy"


def register(app: Flask, settings: Settings) -> None:
    """Give *app* the policy that *settings* name. Raises SettingsError."""
    with_rules = (settings.policy or (OSLO if settings.auth_strategy == KEYSTONE else ADMIN)) == OSLO
    app.extensions[_EXTENSION] = openstack("oslo.policy").rules(settings) if with_rules else _is_admin


def require(route: str) -> None:
    """Raise Forbidden (403) unless the current request passes every rule of *route*."""
    policy: Policy = current_app.extensions[_EXTENSION]
    for rule in RULES_OF[route]:
        if not policy(rule):
            raise Forbidden(f"The policy refuses {rule} to your roles.")


def _is_admin(_rule: str) -> bool:
    roles = request.headers.get("X-Roles", "").split(",")
    return ADMIN in {role.strip().lower() for role in roles}
