"""Whole trees over HTTP."""

from flask import Response, request
from graphplace.api.context import database
from graphplace.api.responses import empty_response, json_response

from graphplace.views import trees


def show(uuid: str) -> Response:
    """Answer with the whole tree that the resource provider is in, unless the client has it as it is now."""
    known = request.if_none_match
    if known and known.contains_weak(tag := trees.tag(database(), uuid)):
        return _tagged(empty_response(304), tag)
    view = trees.tree(database(), uuid)
    return _tagged(json_response(trees.document(view)), view.tag)


def _tagged(response: Response, tag: str) -> Response:
    """Let caches keep the answer, and ask each time whether it still holds."""
    response.set_etag(tag)
    response.headers["cache-control"] = "no-cache"
    return response
