"""The traits of a resource provider over HTTP."""

from typing import Any

from flask import Response
from graphplace.api.context import database
from graphplace.api.responses import empty_response, json_response, now

from graphplace import provider_traits
from graphplace.provider_traits import ProviderTraits


def show(uuid: str) -> Response:
    """Answer with the provider's traits."""
    return _answer(provider_traits.get(database(), uuid))


def replace(uuid: str, body: dict[str, Any]) -> Response:
    """Give the provider the body's traits and no others, and answer with them."""
    generation = body["resource_provider_generation"]
    return _answer(provider_traits.replace(database(), uuid, body["traits"], generation))


def clear(uuid: str) -> Response:
    """Take all traits from the provider."""
    provider_traits.clear(database(), uuid)
    return empty_response()


def _answer(found: ProviderTraits) -> Response:
    document = {"traits": found.names, "resource_provider_generation": found.generation}
    return json_response(document, last_modified=found.updated_at or now())
