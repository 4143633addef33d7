"""Errors as Placement words them: one JSON form for whatever goes wrong, with status, code and request id."""

import logging
from http import HTTPStatus
from typing import Any

from flask import Flask, Response, request
from graphplace.api import metrics, version
from graphplace.api.context import request_id
from graphplace.api.features import Feature
from graphplace.api.responses import json_response
from markupsafe import escape
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound, default_exceptions

from graphplace.errors import Code, GraphplaceError

LOG = logging.getLogger(__name__)
RETRY_AFTER_SECONDS = 5
NO_SUCH_PATH = "The resource could not be found."


def register(app: Flask) -> None:
    """Let *app* answer every failure in Placement's error format."""
    app.register_error_handler(GraphplaceError, _of_engine)
    app.register_error_handler(HTTPException, _of_http)
    app.register_error_handler(Exception, _unexpected)


def add_request_id(response: Response) -> Response:
    """Name the request in the response, as clients log it."""
    response.headers["x-openstack-request-id"] = request_id()
    return response


def _of_engine(error: GraphplaceError) -> Response:
    if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        LOG.warning("%s %s: %s", request_id(), type(error).__name__, error)
    if error.status == HTTPStatus.CONFLICT:
        metrics.CONFLICTS.labels(metrics.route(), error.code).inc()
    response = _answer(error.status, str(error), error.code)
    if error.status == HTTPStatus.SERVICE_UNAVAILABLE:
        response.headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return response


def _of_http(error: HTTPException) -> Response:
    response = _answer(error.code or 500, _reason(error), Code.UNDEFINED, _range_of(error))
    # What the exception says beside its body: Allow for 405, for instance.
    for name, value in error.get_headers():
        if name.lower() != "content-type":
            response.headers[name] = value
    return response


def _unexpected(error: Exception) -> Response:
    LOG.error("%s failed", request_id(), exc_info=error)
    return _answer(500, f"The server failed; its log tells why under {request_id()}.", Code.UNDEFINED)


def _reason(error: HTTPException) -> str:
    """Return what is wrong; of routing, in the words that clients know from Placement."""
    if error.description != type(error).description:
        return error.description or ""
    if isinstance(error, MethodNotAllowed):
        return f"The method {request.method} is not allowed for this resource."
    return NO_SUCH_PATH if isinstance(error, NotFound) else error.description or ""


def _range_of(error: HTTPException) -> dict[str, str]:
    if not isinstance(error, version.UnacceptableVersion):
        return {}
    return {"max_version": str(error.highest), "min_version": str(error.lowest)}


def _answer(status: int, reason: str, code: Code, extra: dict[str, str] | None = None) -> Response:
    title = HTTPStatus(status).phrase
    # Clients show the last line of the detail: the reason is one line, and nothing but spaces may follow it.
    detail = f"{default_exceptions[status].description}\n\n {' '.join(reason.splitlines())}  "
    if _wants_html():
        page = f"<!doctype html><title>{status} {title}</title><h1>{title}</h1><p>{escape(detail)}</p>"
        return Response(page, status, mimetype="text/html")
    error: dict[str, Any] = {"status": status, "title": title, "detail": detail, "request_id": request_id()}
    if version.serves(Feature.ERROR_CODES):
        error["code"] = code
    return json_response({"errors": [error | (extra or {})]}, status)


def _wants_html() -> bool:
    return request.accept_mimetypes.best_match(["application/json", "text/html"]) == "text/html"
