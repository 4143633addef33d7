"""The few kinds of response that Placement has."""

from datetime import UTC, datetime
from typing import Any

import orjson
from flask import Response
from graphplace.api.features import Feature
from graphplace.api.version import serves
from werkzeug.http import http_date

JSON = "application/json"


def json_response(body: Any, status: int = 200, *, last_modified: datetime | None = None) -> Response:
    """Return *body* as JSON; with *last_modified*, also the headers that tell caches to ask again."""
    return _dated(Response(orjson.dumps(body), status, mimetype=JSON), last_modified)


def empty_response(
    status: int = 204, *, last_modified: datetime | None = None, location: str | None = None
) -> Response:
    """Return a response without a body, nor a content type; *location* is where a created thing is found."""
    response = _dated(Response(status=status), last_modified)
    del response.headers["content-type"]
    if location is not None:
        response.location = location
    return response


def now() -> datetime:
    """Return the time to give as ``last_modified`` of an answer that is computed and has no age of its own."""
    return datetime.now(UTC)


def _dated(response: Response, last_modified: datetime | None) -> Response:
    if last_modified is not None and serves(Feature.CACHE_HEADERS):
        response.headers["last-modified"] = http_date(last_modified)
        response.headers["cache-control"] = "no-cache"
    return response
