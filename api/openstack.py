"""OpenStack's libraries at work: tokens checked with Keystone, rules of oslo.policy, and CORS as its services have it.

All of them read the options they know from the ini file of the settings, in the sections that operators know.
"""

from collections.abc import Callable, Iterable
from http import HTTPStatus
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import webob
from flask import request
from graphplace.api.failures import RETRY_AFTER_SECONDS
from graphplace.api.policy import LEGACY_CHECK, LEGACY_NAME, RULES, Rule
from keystonemiddleware.auth_token import AuthProtocol
from oslo_config import cfg
from oslo_context.context import RequestContext
from oslo_middleware.cors import CORS, OPTS
from oslo_policy.policy import DeprecatedRule, Enforcer, RuleDefault
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import ServiceUnavailable, Unauthorized

from graphplace.errors import SettingsError
from graphplace.settings import CONFIG_VARIABLE, Settings

_PROJECT = "placement"
_LEGACY = DeprecatedRule(
    LEGACY_NAME,
    LEGACY_CHECK,
    deprecated_reason="Roles have scopes now.",
    deprecated_since="Wallaby",
)


def options(settings: Settings) -> cfg.ConfigOpts:
    """Return the options of the ini file of *settings*, and of the variables ``OS_SECTION__OPTION``."""
    files = [] if settings.config is None else [str(settings.config)]
    found = cfg.ConfigOpts()
    found([], project=_PROJECT, default_config_files=files, default_config_dirs=[])
    return found


def token_check(settings: Settings) -> Callable[[], None]:
    """Return what asks Keystone about the current request's token and leaves in the headers whose it is.

    It raises Unauthorized (401) for a token that is missing or invalid, and ServiceUnavailable (503) while Keystone
    does not answer. Raises SettingsError when nothing says how to reach Keystone.
    """
    found = options(settings)
    # Nobody decides later, whatever the file says.
    middleware = AuthProtocol(_passed, {"oslo_config_config": found, "delay_auth_decision": False})
    if found.keystone_authtoken.auth_type is None:
        raise SettingsError(
            "The strategy keystone needs the section [keystone_authtoken], with auth_type and what belongs to it, in "
            f"the file that {CONFIG_VARIABLE} names; that is {settings.config}."
        )

    def check() -> None:
        # It changes the environment that it is given, so that must not be a copy.
        answer = webob.Request(request.environ).get_response(middleware)
        if answer.status_int == HTTPStatus.UNAUTHORIZED:
            challenge = WWWAuthenticate.from_header(answer.headers.get("WWW-Authenticate"))
            raise Unauthorized("Give a valid token of Keystone in X-Auth-Token.", www_authenticate=challenge)
        if answer.status_int != HTTPStatus.NO_CONTENT:
            reason = f"Keystone could not be asked about the token: {answer.status}."
            raise ServiceUnavailable(reason, retry_after=RETRY_AFTER_SECONDS)
        # What the token does not say, a domain for instance, it sets to None, which is no value of a header.
        headers = [name for name in request.environ if name.startswith("HTTP_")]
        for name in (name for name in headers if request.environ[name] is None):
            del request.environ[name]

    return check


def rules(settings: Settings) -> Callable[[str], bool]:
    """Return what tells whether the current request passes the rule of a name.

    What a rule asks for is read from the policy file that ``[oslo_policy]`` names, again whenever the file changes.
    """
    enforcer = Enforcer(options(settings))
    # The defaults are Placement's. There is nothing that an operator of graphplace could do about how they change.
    enforcer.suppress_default_change_warnings = True
    enforcer.suppress_deprecation_warnings = True
    enforcer.register_defaults([_default(rule) for rule in RULES])
    enforcer.load_rules()

    def passes(rule: str) -> bool:
        user = RequestContext.from_environ(request.environ, overwrite=False)
        # What is asked about is the project of the query; without one, the user's own.
        project_id = request.args.get("project_id", user.project_id)
        return bool(enforcer.authorize(rule, {"project_id": project_id, "user_id": user.user_id}, user))

    return passes


def cross_origin(application: WSGIApplication, settings: Settings) -> WSGIApplication:
    """Return *application* with the headers that let pages of the allowed origins use it, as ``[cors]`` says."""
    found = options(settings)
    found.register_opts(OPTS, "cors")
    found.set_override("allowed_origin", list(settings.cors_allowed_origin), "cors")
    made: WSGIApplication = CORS(application, found)
    return made


def _default(rule: Rule) -> RuleDefault:
    return RuleDefault(
        rule.name,
        rule.check,
        deprecated_rule=_LEGACY if rule.legacy else None,
        scope_types=["project"] if rule.scoped else None,
    )


def _passed(_environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Stand behind the middleware, for what it lets pass."""
    start_response("204 No Content", [])
    return []
