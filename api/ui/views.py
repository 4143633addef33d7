"""The views of the page, as one table: where each is, what it shows, and what gives its data.

The data of a view is at its own address with ``.json`` behind the path. It is always that of the newest version.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import Blueprint, Flask, Response, request
from graphplace.api import authorization
from graphplace.api.responses import json_response, now
from graphplace.api.ui import audits, data
from werkzeug.exceptions import UnsupportedMediaType

DATA = "page_data"
POST = "POST"
_PROVIDER = "/resource_providers/<uuid>"
_TREE = f"GET {_PROVIDER}/tree"
_PROVIDERS = ("GET /resource_providers", "GET /traits", f"GET {_PROVIDER}/traits", f"GET {_PROVIDER}/aggregates")

# Questions may be about whatever the graph holds.
_EVERYTHING = (*_PROVIDERS, _TREE, "GET /allocations/<uuid>", f"GET {_PROVIDER}/allocations", "GET /usages")


@dataclass(frozen=True)
class View:
    """One view: the path with data behind it, and ``form``, a path where there is none yet, if it has one.

    It ``shows`` what these routes of the API show, so whoever may not use one of them may not see it. ``data`` is
    called with the path's parameters and returns what is answered as JSON.
    """

    name: str
    path: str
    shows: tuple[str, ...]
    data: Callable[..., Any]
    method: str = "GET"
    form: str | None = None

    @property
    def paths(self) -> tuple[str, ...]:
        """Where people find it."""
        return (self.path,) if self.form is None else (self.path, self.form)


VIEWS = (
    View("start", "/ui/", _PROVIDERS, data.start),
    View("search", "/ui/search", _PROVIDERS, data.search),
    # A name may have any character.
    View("tree", "/ui/tree/<path:uuid>", (_TREE,), data.tree),
    View(
        "candidates",
        "/ui/candidates",
        ("GET /allocation_candidates", "GET /allocation_candidates/explain", "POST /allocation_candidates/what-if"),
        data.candidates,
    ),
    View("claims", "/ui/claims/<uuid>", ("GET /allocations/<uuid>", _TREE), data.claims, form="/ui/claims"),
    View("reshape", "/ui/reshape", ("POST /reshaper/preview", _TREE), data.reshape, method=POST),
    View("questions", "/ui/ask", _EVERYTHING, data.questions),
    View("question", "/ui/ask/<name>", _EVERYTHING, data.answer),
    View("audit", "/ui/audit", _EVERYTHING, audits.audit),
    View("orphans", "/ui/orphans", _EVERYTHING, audits.orphans, method=POST),
)


def register(app: Flask) -> None:
    """Let *app* serve the data of every view."""
    blueprint = Blueprint(DATA, __name__)
    for view in VIEWS:
        blueprint.add_url_rule(f"{view.path}.json", view.name, partial(_serve, view), methods=[view.method])
    app.register_blueprint(blueprint)


def _serve(view: View, **path: str) -> Response:
    for route in view.shows:
        authorization.require(route)
    if view.method == POST and not request.is_json:
        raise UnsupportedMediaType("Send the body as application/json.")
    return json_response(view.data(**path), last_modified=now())
