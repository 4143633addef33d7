"""The reshaper over HTTP."""

from typing import Any

from flask import Response
from graphplace.api.allocations import read_claim
from graphplace.api.context import database
from graphplace.api.inventories import read_inventory
from graphplace.api.responses import empty_response

from graphplace import reshaper
from graphplace.reshaper import Shape


def reshape(body: dict[str, Any]) -> Response:
    """Move inventories and allocations between providers as the body says."""
    shapes = {uuid: _read_shape(shape) for uuid, shape in body["inventories"].items()}
    claims = [read_claim(uuid, claim) for uuid, claim in body["allocations"].items()]
    reshaper.reshape(database(), shapes, claims)
    return empty_response()


def _read_shape(body: dict[str, Any]) -> Shape:
    found = {name: read_inventory(record) for name, record in body["inventories"].items()}
    return Shape(body["resource_provider_generation"], found)
