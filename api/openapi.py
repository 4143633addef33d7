"""The OpenAPI 3.1 document of the newest version, made of the table of routes, at a path outside Placement's API."""

import inspect
from collections.abc import Iterator, Mapping
from functools import cache
from http import HTTPStatus
from typing import Any

from apispec import APISpec
from flask import Flask, Response
from graphplace.api.authentication import OPEN_PATH
from graphplace.api.outside import DESCRIPTION
from graphplace.api.responses import JSON, json_response
from graphplace.api.route import Route, Shapes
from graphplace.api.routes import ROUTES
from graphplace.api.schemas.answers import Errors
from graphplace.api.version import EXTENSION, MAX_EXTENSION, MAX_VERSION, SERVICE
from microversion_parse import STANDARD_HEADER

from graphplace.request.syntax import EXTENSION_PARAMETERS
from graphplace.validation import Shape, json_schema

SCHEME = "X-Auth-Token"
ERROR = "error"
# What any request may be refused with, and any that has to have a token or a body. 503: Neo4j cannot be reached.
ALWAYS = (400, 406, 503)
WITH_TOKEN = (401, 403)
WITH_BODY = (413, 415)
# Beyond Placement goes who names a version of graphplace, too.
VERSIONS = [f"{SERVICE} {MAX_VERSION}", f"{SERVICE} {MAX_VERSION}, {EXTENSION} {MAX_EXTENSION}"]
PATH_PARAMETERS = {"uuid": {"type": "string", "format": "uuid"}, "name": {"type": "string"}}


def register(app: Flask) -> None:
    """Let *app* serve the document."""

    def show() -> Response:
        return json_response(document())

    app.add_url_rule(DESCRIPTION, "openapi", show, methods=["GET"], provide_automatic_options=False)


@cache
def document() -> dict[str, Any]:
    """Return the document as JSON."""
    spec = APISpec(
        title="graphplace",
        version=str(MAX_VERSION),
        openapi_version="3.1.0",
        info={
            "description": f"The Placement API at version {MAX_VERSION}, which each request has to name, and beyond."
        },
    )
    spec.components.security_scheme(SCHEME, {"type": "apiKey", "in": "header", "name": SCHEME})
    spec.components.response(ERROR, {"description": "What is wrong.", "content": _json(Errors)})
    for routes in ROUTES.values():
        for route in routes:
            if route.until is None:
                spec.path(
                    path=route.path.replace("<", "{").replace(">", "}"),
                    operations={route.method.lower(): _operation(route)},
                )
    made: dict[str, Any] = spec.to_dict()
    return made


def _operation(route: Route) -> dict[str, Any]:
    is_open = route.path == OPEN_PATH
    made: dict[str, Any] = {
        "summary": (inspect.getdoc(route.view) or "").partition("\n")[0],
        "operationId": f"{route.method} {route.path}",
        "parameters": list(_parameters(route)),
        "responses": {str(status): answer for status, answer in _responses(route, is_open=is_open)},
        "security": [] if is_open else [{SCHEME: []}],
    }
    if route.body is not None:
        made["requestBody"] = {"required": True, "content": _json(_newest(route.body))}
    return made


def _parameters(route: Route) -> Iterator[dict[str, Any]]:
    yield {
        "name": STANDARD_HEADER,
        "in": "header",
        "required": True,
        "schema": {"type": "string", "enum": VERSIONS},
    }
    for name, schema in PATH_PARAMETERS.items():
        if f"<{name}>" in route.path:
            yield {"name": name, "in": "path", "required": True, "schema": schema}
    query = route.query_form if route.query is None else json_schema(_newest(route.query))
    for name, schema in query.get("properties", {}).items():
        parameter: dict[str, Any] = {
            "name": name,
            "in": "query",
            "required": name in query.get("required", ()),
            "schema": schema,
        }
        if name in EXTENSION_PARAMETERS:
            parameter["description"] = f"Only with {EXTENSION} {MAX_EXTENSION} in {STANDARD_HEADER}."
        yield parameter
    if patterns := query.get("patternProperties"):
        groups = {"type": "object", "patternProperties": patterns, "additionalProperties": False}
        yield {"name": "groups", "in": "query", "style": "form", "explode": True, "schema": groups}


def _responses(route: Route, *, is_open: bool) -> Iterator[tuple[int, dict[str, Any] | str]]:
    for status, shape in route.answers.items():
        content = {} if shape is None else {"content": _json(shape)}
        yield status, {"description": HTTPStatus(status).phrase, **content}
    refusals = (*ALWAYS, *(() if is_open else WITH_TOKEN), *route.refusals, *(WITH_BODY if route.body else ()))
    for status in sorted(refusals):
        yield status, ERROR


def _newest(shapes: Shapes) -> Shape:
    if not isinstance(shapes, Mapping):
        return shapes
    return shapes[max(shapes, key=lambda feature: feature.since)]


def _json(shape: Shape) -> dict[str, Any]:
    return {JSON: {"schema": json_schema(shape)}}
