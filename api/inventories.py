"""Inventories of a resource provider over HTTP."""

from dataclasses import asdict
from typing import Any

from flask import Response
from graphplace.api.context import database
from graphplace.api.features import Feature
from graphplace.api.location import url_of
from graphplace.api.responses import empty_response, json_response, now
from graphplace.api.version import newest

from graphplace import inventories
from graphplace.inventories import Inventories
from graphplace.inventory import Inventory

_GENERATION = "resource_provider_generation"
_LEAST_CAPACITY = {Feature.PROVIDERS: 1, Feature.ALL_RESERVED: 0}


def index(uuid: str) -> Response:
    """Answer with all inventories of the provider."""
    found = inventories.index(database(), uuid)
    return json_response(_document(found.inventories, found.generation), last_modified=found.updated_at or now())


def create(uuid: str, body: dict[str, Any]) -> Response:
    """Give the provider an inventory of a class that it has none of."""
    name, inventory = body["resource_class"], read_inventory(body)
    generation = inventories.create(database(), uuid, name, inventory, least_capacity=newest(_LEAST_CAPACITY))
    response = json_response(_document_of_one(inventory, generation), 201, last_modified=now())
    response.location = url_of("resource_providers", uuid, "inventories", name)
    return response


def replace(uuid: str, body: dict[str, Any]) -> Response:
    """Make the inventories of the body all that the provider has."""
    given = {name: read_inventory(record) for name, record in body["inventories"].items()}
    generation = inventories.replace(
        database(), uuid, given, generation=body[_GENERATION], least_capacity=newest(_LEAST_CAPACITY)
    )
    return json_response(_document(given, generation), last_modified=now())


def delete_all(uuid: str) -> Response:
    """Delete all inventories of the provider."""
    inventories.delete_all(database(), uuid)
    return empty_response()


def show(uuid: str, name: str) -> Response:
    """Answer with the provider's inventory of one class."""
    found = inventories.get(database(), uuid, name)
    document = _document_of_one(found.inventories[name], found.generation)
    return json_response(document, last_modified=found.updated_at)


def update(uuid: str, name: str, body: dict[str, Any]) -> Response:
    """Change the provider's inventory of one class."""
    inventory = read_inventory(body)
    generation = inventories.update(
        database(), uuid, name, inventory, generation=body[_GENERATION], least_capacity=newest(_LEAST_CAPACITY)
    )
    return json_response(_document_of_one(inventory, generation), last_modified=now())


def delete(uuid: str, name: str) -> Response:
    """Delete the provider's inventory of one class."""
    inventories.delete(database(), uuid, name)
    return empty_response()


def read_inventory(record: dict[str, Any]) -> Inventory:
    """Return the inventory that a body describes, defaults filled in."""
    named = {name: value for name, value in record.items() if name not in {"resource_class", _GENERATION}}
    return Inventory(**named)


def _document(found: Inventories, generation: int) -> dict[str, Any]:
    return {"inventories": {name: asdict(one) for name, one in found.items()}, _GENERATION: generation}


def _document_of_one(inventory: Inventory, generation: int) -> dict[str, Any]:
    return asdict(inventory) | {_GENERATION: generation}
