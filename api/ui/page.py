"""The shell of the page and its static files. They hold no data, so no token is asked for."""

from functools import cache
from hashlib import blake2b
from pathlib import Path

from flask import Blueprint, Flask, Response, current_app, redirect, render_template, request, send_from_directory
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
FILES = Path(__file__).parent / "static"
EDITION_BYTES = 8
YEAR_SECONDS = 365 * 24 * 60 * 60


def register(app: Flask) -> None:
    """Let *app* serve the shell at the path of every view, and the static files."""
    blueprint = Blueprint(OPEN_BLUEPRINT, __name__, template_folder=".")
    blueprint.add_url_rule("/ui", "entry", _enter, methods=["GET"])
    blueprint.add_url_rule("/ui/static/<edition_asked>/<path:name>", "static", _send, methods=["GET"])
    for view in VIEWS:
        for path in view.paths:
            blueprint.add_url_rule(path, view.name, _show, methods=["GET"])
    blueprint.after_request(_add_headers)
    app.register_blueprint(blueprint)


@cache
def edition() -> str:
    """Return what stands in the addresses of the static files and is another one when one of them is."""
    found = blake2b(digest_size=EDITION_BYTES)
    for file in sorted(FILES.rglob("*")):
        if file.is_file():
            found.update(f"{file.relative_to(FILES)}\n".encode() + file.read_bytes())
    return found.hexdigest()


def _enter() -> Response:
    return current_app.make_response(redirect(f"{request.script_root}/ui/"))


def _show(**_path: str) -> str:
    strategy = KEYSTONE if settings().auth_strategy == KEYSTONE else NOAUTH2
    root = request.script_root
    return render_template("shell.html", root=root, static=f"{root}/ui/static/{edition()}", strategy=strategy)


def _send(edition_asked: str, name: str) -> Response:
    response = send_from_directory(FILES, name)
    if edition_asked == edition():
        # Browsers keep it, and what they have compiled of it.
        response.cache_control.no_cache = None
        response.cache_control.public = response.cache_control.immutable = True
        response.cache_control.max_age = YEAR_SECONDS
    return response


def _add_headers(response: Response) -> Response:
    response.headers.update(HEADERS)
    return response
