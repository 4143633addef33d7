"""The shell of the page and its static files. They hold no data, so no token is asked for."""

from flask import Blueprint, Flask, Response, current_app, redirect, render_template, request
from graphplace.api.authentication import OPEN_BLUEPRINT
from graphplace.api.context import settings
from graphplace.api.ui.views import VIEWS

from graphplace.settings import KEYSTONE, NOAUTH2

# Nothing but files of this server: no inline script or style, no other host.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}


def register(app: Flask) -> None:
    """Let *app* serve the shell at the path of every view, and the static files."""
    blueprint = Blueprint(
        OPEN_BLUEPRINT, __name__, static_folder="static", static_url_path="/ui/static", template_folder="."
    )
    blueprint.add_url_rule("/ui", "entry", _enter, methods=["GET"])
    for view in VIEWS:
        for path in view.paths:
            blueprint.add_url_rule(path, view.name, _show, defaults={"view": view.name}, methods=["GET"])
    blueprint.after_request(_add_headers)
    app.register_blueprint(blueprint)


def _enter() -> Response:
    return current_app.make_response(redirect(f"{request.script_root}/ui/"))


def _show(view: str, **_path: str) -> str:
    strategy = KEYSTONE if settings().auth_strategy == KEYSTONE else NOAUTH2
    return render_template("shell.html", view=view, strategy=strategy, root=request.script_root)


def _add_headers(response: Response) -> Response:
    response.headers.update(HEADERS)
    return response
