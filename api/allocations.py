"""Allocations over HTTP: of a consumer, of a resource provider, and of many consumers at once."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from flask import Response
from graphplace.api import metrics
from graphplace.api.context import database, settings
from graphplace.api.features import Feature
from graphplace.api.responses import empty_response, json_response, now
from graphplace.api.schemas import is_uuid
from graphplace.api.version import only_served

from graphplace import allocations
from graphplace.allocations import Claim, ConsumerAllocations, Generation
from graphplace.errors import BadRequestError

# What a consumer reads as that was written before consumers had types.
UNKNOWN_TYPE = "unknown"

_SINCE = {
    "project_id": Feature.OWNERS_SHOWN,
    "user_id": Feature.OWNERS_SHOWN,
    "consumer_generation": Feature.CONSUMER_GENERATIONS,
    "consumer_type": Feature.CONSUMER_TYPES,
}


def show(uuid: str) -> Response:
    """Answer with what the consumer holds; nothing is an answer too, as any uuid may become a consumer."""
    found = allocations.of_consumer(database(), uuid)
    if found is None:
        return json_response({"allocations": {}}, last_modified=now())
    return json_response(document_of(found), last_modified=found.updated_at)


def replace(uuid: str, body: dict[str, Any]) -> Response:
    """Let the consumer hold what the body says, in place of what it holds."""
    if not is_uuid(uuid):
        raise BadRequestError(f"Malformed consumer_uuid: {uuid}")
    _replace([read_claim(str(UUID(uuid)), body)])
    return empty_response()


def replace_many(body: dict[str, Any]) -> Response:
    """Let each consumer of the body hold what it says, all or none."""
    _replace([read_claim(uuid, claim) for uuid, claim in body.items()])
    return empty_response()


def delete(uuid: str) -> Response:
    """Release all that the consumer holds."""
    allocations.delete(database(), uuid)
    metrics.CLAIMS.labels(metrics.RELEASED).inc()
    return empty_response()


def index_of_provider(uuid: str) -> Response:
    """Answer with what consumers hold of the resource provider."""
    found = allocations.of_provider(database(), uuid)
    document = {
        "allocations": {
            consumer: only_served({"resources": one.resources, "consumer_generation": one.generation}, _SINCE)
            for consumer, one in found.allocations.items()
        },
        "resource_provider_generation": found.generation,
    }
    return json_response(document, last_modified=found.updated_at or now())


def read_claim(consumer_uuid: str, body: dict[str, Any]) -> Claim:
    """Return the claim that a body describes for one consumer; what its version does not know yet is left open."""
    return Claim(
        consumer_uuid=consumer_uuid,
        consumer_generation=body.get("consumer_generation", Generation.ANY),
        project_id=body.get("project_id", settings().incomplete_consumer_project_id),
        user_id=body.get("user_id", settings().incomplete_consumer_user_id),
        consumer_type=body.get("consumer_type"),
        allocations={uuid: one["resources"] for uuid, one in body["allocations"].items()},
    )


def _replace(claims: Sequence[Claim]) -> None:
    allocations.replace(database(), claims)
    for claim in claims:
        metrics.CLAIMS.labels(metrics.GRANTED if claim.allocations else metrics.RELEASED).inc()


def document_of(found: ConsumerAllocations) -> dict[str, Any]:
    """Return what a consumer holds as the version of the request has it."""
    document = {
        "allocations": {
            provider: {"generation": one.generation, "resources": one.resources}
            for provider, one in found.allocations.items()
        },
        "project_id": found.project_id,
        "user_id": found.user_id,
        "consumer_generation": found.generation,
        "consumer_type": found.consumer_type or UNKNOWN_TYPE,
    }
    return only_served(document, _SINCE)
