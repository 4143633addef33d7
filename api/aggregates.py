"""The aggregates of a resource provider over HTTP."""

from typing import Any

from flask import Response
from graphplace.api.context import database
from graphplace.api.responses import json_response, now

from graphplace import aggregates
from graphplace.aggregates import Memberships


def show(uuid: str) -> Response:
    """Answer with the aggregates that the provider is a member of."""
    return _answer(aggregates.get(database(), uuid))


def replace(uuid: str, body: dict[str, Any]) -> Response:
    """Make the provider a member of the body's aggregates and of no others, and answer with them as sent."""
    generation = body["resource_provider_generation"]
    return _answer(aggregates.replace(database(), uuid, body["aggregates"], generation))


def _answer(found: Memberships) -> Response:
    document = {"aggregates": found.aggregates, "resource_provider_generation": found.generation}
    return json_response(document, last_modified=now())
