"""A route as data, and the view that Flask calls for it: check, validate, then do."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flask import Response, request
from graphplace.api import authorization
from graphplace.api.authentication import OPEN_PATH
from graphplace.api.features import Extension, Feature
from graphplace.api.responses import JSON
from graphplace.api.validation import load_query
from graphplace.api.version import EXTENSION, SERVICE, newest, serves
from werkzeug.exceptions import BadRequest, MethodNotAllowed, NotAcceptable, NotFound, UnsupportedMediaType

from graphplace.errors import BadRequestError
from graphplace.validation import Shape, load_json

Shapes = Shape | Mapping[Feature, Shape]
"""One schema for all versions, or one for each feature that brought a new one."""

# One media range of an Accept header, as RFC 9110 has it.
_WORD = r"[\w!#$%&'*+.^`|~-]+"
_QUALITY = r"[qQ]=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)"
_PARAMETER = rf"(?![qQ]=){_WORD}(?:=(?:{_WORD}|\"[^\"]*\"))?"
_MEDIA_RANGE = re.compile(rf"{_WORD}/{_WORD}(?:[ \t]*;[ \t]*(?:{_QUALITY}|{_PARAMETER}))*", re.ASCII)


@dataclass(frozen=True)
class Route:
    """One method of one path, and what it takes.

    ``view`` is called with the path's parameters, with ``body=`` when the route has a ``body`` schema (the loaded
    JSON), and with ``query=`` when it has a ``query`` schema (the decoded pairs, in order). The route came with
    the feature ``since`` and went with ``until``. ``subject`` raises NotFoundError when what the path names does not
    exist; it is asked when the body is wrong, because an unknown thing is a 404 whatever is sent to it.

    ``answers`` are the statuses of success with the form of the JSON, if there is any, and ``refusals`` those of
    failures beside the ones that every route has; ``query_form`` is the JSON Schema of a query string that the view
    reads by itself. They describe the newest version.
    """

    method: str
    path: str
    view: Callable[..., Response]
    since: Feature | Extension = Feature.PROVIDERS
    until: Feature | None = None
    body: Shapes | None = None
    query: Shapes | None = None
    subject: Callable[..., object] | None = None
    answers: Mapping[int, Shape | None] = field(default_factory=dict)
    refusals: tuple[int, ...] = ()
    query_form: Mapping[str, Any] = field(default_factory=dict)

    def exists(self) -> bool:
        """Tell whether the version of the current request has this route."""
        return serves(self.since) and not (self.until and serves(self.until))

    def serve(self, **path: str) -> Response:
        """Answer the current request. Raises HTTP exceptions and BadRequestError for what is wrong with it."""
        self._check()
        inputs: dict[str, object] = {}
        if self.query is not None:
            inputs["query"] = load_query(request.query_string, _of_version(self.query))
        if self.body is not None:
            inputs["body"] = self._load_body(_of_version(self.body), path)
        return self.view(**path, **inputs)

    def _load_body(self, shape: Shape, path: dict[str, str]) -> object:
        try:
            return load_json(request.get_data(), shape)
        except BadRequestError:
            if self.subject is not None:
                self.subject(**path)
            raise

    def _check(self) -> None:
        if self.path != OPEN_PATH:
            authorization.require(f"{self.method} {self.path}")
        # There is nothing to accept where the answer has no body, and the root is for everybody.
        if self.method == "GET" and self.path != OPEN_PATH and any(self.answers.values()) and not _accepts_json():
            raise NotAcceptable(f"Only {JSON} is provided")
        length = request.headers.get("Content-Length") or "0"
        if not length.isdecimal():
            raise BadRequest(f"content-length header must be an integer, not {length!r}")
        if int(length) and not request.mimetype:
            raise BadRequest("content-type header required when content-length > 0")
        if self.body is not None and request.mimetype != JSON:
            given = request.headers.get("Content-Type")
            raise UnsupportedMediaType(f"The media type {given} is not supported, use {JSON}")


def _of_version(shapes: Shapes) -> Shape:
    return newest(shapes) if isinstance(shapes, Mapping) else shapes


def _accepts_json() -> bool:
    """Tell whether the client reads JSON. One whose ``Accept`` is not as HTTP has it said nothing, as for Placement.

    Java's own client is one: ``text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2``.
    """
    parts = [part.strip() for part in request.headers.get("Accept", "").split(",")]
    if not all(_MEDIA_RANGE.fullmatch(part) for part in parts if part):
        return True
    accepted = request.accept_mimetypes
    return not accepted or accepted.best_match([JSON]) is not None


def dispatch(routes: Sequence[Route], **path: str) -> Response:
    """Answer the current request by the one of *routes*, all of one path, that its method and version name.

    Raises NotFound when the version does not have the path at all, MethodNotAllowed when it has it for other methods.
    """
    there = [route for route in routes if route.exists()]
    if not there:
        first = min((route.since for route in routes), key=lambda since: since.since)
        of = EXTENSION if isinstance(first, Extension) else SERVICE
        raise NotFound(f"{routes[0].path} exists from version 1.{first.since} of {of} on.")
    for route in there:
        if route.method == request.method:
            return route.serve(**path)
    raise MethodNotAllowed(valid_methods=[route.method for route in there])
