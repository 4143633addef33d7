"""The reshaper over HTTP."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from flask import Response
from graphplace.api.allocations import read_claim
from graphplace.api.context import database
from graphplace.api.inventories import read_inventory
from graphplace.api.responses import empty_response, json_response, now

from graphplace import previews, reshaper
from graphplace.allocations import Claim
from graphplace.reshaper import Shape


def reshape(body: dict[str, Any]) -> Response:
    """Move inventories and allocations between providers as the body says."""
    reshaper.reshape(database(), *read_reshape(body))
    return empty_response()


def preview(body: dict[str, Any]) -> Response:
    """Answer with what the same body would do to inventories and allocations, and with what is in the way of it."""
    return json_response(asdict(previews.preview(database(), *read_reshape(body))), last_modified=now())


def read_reshape(body: dict[str, Any]) -> tuple[dict[str, Shape], Sequence[Claim]]:
    """Return the inventories and the claims of a loaded body."""
    shapes = {uuid: _read_shape(shape) for uuid, shape in body["inventories"].items()}
    return shapes, [read_claim(uuid, claim) for uuid, claim in body["allocations"].items()]


def _read_shape(body: dict[str, Any]) -> Shape:
    found = {name: read_inventory(record) for name, record in body["inventories"].items()}
    return Shape(body["resource_provider_generation"], found)
