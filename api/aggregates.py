"""The aggregates of a resource provider over HTTP."""

from typing import Any

from flask import Response
from graphplace.api.context import database
from graphplace.api.features import Feature
from graphplace.api.responses import json_response, now
from graphplace.api.version import only_served

from graphplace import aggregates
from graphplace.aggregates import Memberships

_GENERATION = "resource_provider_generation"


def show(uuid: str) -> Response:
    """Answer with the aggregates that the provider is a member of."""
    return _answer(aggregates.get(database(), uuid))


def replace(uuid: str, body: dict[str, Any] | list[str]) -> Response:
    """Make the provider a member of the body's aggregates and of no others, and answer with them as sent.

    A body that is a list, as it was before version 1.19, knows nothing of generations.
    """
    wanted, generation = (body, None) if isinstance(body, list) else (body["aggregates"], body[_GENERATION])
    return _answer(aggregates.replace(database(), uuid, wanted, generation))


def _answer(found: Memberships) -> Response:
    document = {"aggregates": found.aggregates, _GENERATION: found.generation}
    return json_response(only_served(document, {_GENERATION: Feature.AGGREGATES_WITH_GENERATION}), last_modified=now())
