"""Resource classes over HTTP."""

from typing import Any

from flask import Response
from graphplace.api.context import database
from graphplace.api.location import path_of, url_of
from graphplace.api.responses import empty_response, json_response, now
from graphplace.api.schemas.resource_class import Named

from graphplace import resource_classes, validation


def index() -> Response:
    """Answer with all resource classes."""
    found = resource_classes.index(database())
    body = {"resource_classes": [_document(name) for name in found.names]}
    return json_response(body, last_modified=found.updated_at or now())


def create(body: dict[str, Any]) -> Response:
    """Create the resource class that the body names."""
    resource_classes.create(database(), body["name"])
    return empty_response(201, location=url_of("resource_classes", body["name"]))


def show(name: str) -> Response:
    """Answer with one resource class."""
    found = resource_classes.get(database(), name)
    return json_response(_document(found.name), last_modified=found.updated_at)


def ensure(name: str) -> Response:
    """Create the resource class (201) unless it exists (204)."""
    validation.check({"name": name}, Named, "JSON does not validate")
    created = resource_classes.ensure(database(), name)
    return empty_response(201 if created else 204, location=url_of("resource_classes", name))


def rename(name: str, body: dict[str, Any]) -> Response:
    """Give the resource class the name in the body, and answer with it."""
    resource_classes.rename(database(), name, body["name"])
    return json_response(_document(body["name"]))


def delete(name: str) -> Response:
    """Delete the resource class."""
    resource_classes.delete(database(), name)
    return empty_response()


def _document(name: str) -> dict[str, Any]:
    return {"name": name, "links": [{"rel": "self", "href": path_of("resource_classes", name)}]}
