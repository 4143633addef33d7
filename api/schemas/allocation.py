"""Bodies of the allocations' routes."""

from typing import Any

from graphplace.api.features import Feature
from graphplace.api.schemas import Body, Uuid
from marshmallow import fields, post_load, validate

from graphplace.fields import identifier
from graphplace.forms import (
    Claim,
    ClaimWithGeneration,
    ClaimWithMappings,
    OwnedClaim,
    allocations,
    by_consumer,
    resources,
)


class Provider(Body):
    """A provider by its uuid."""

    uuid = Uuid(required=True)


class ListedResources(Body):
    """What is claimed of the provider that is named beside it."""

    resource_provider = fields.Nested(Provider, required=True)
    resources = resources()


class ListedClaim(Body):
    """PUT /allocations/{consumer} with a list, which is loaded as the object of later versions."""

    allocations: fields.Field[Any] = fields.List(
        fields.Nested(ListedResources), validate=validate.Length(1), required=True
    )

    @post_load
    def by_provider(self, body: dict[str, Any], **_kwargs: object) -> dict[str, Any]:
        """Return *body* with its allocations by provider; of several for one the last counts."""
        listed = body["allocations"]
        return body | {
            "allocations": {one["resource_provider"]["uuid"]: {"resources": one["resources"]} for one in listed}
        }


class OwnedListedClaim(ListedClaim):
    """The same with the consumer's project and user."""

    project_id = identifier(required=True)
    user_id = identifier(required=True)


class NonemptyClaim(OwnedClaim):
    """PUT /allocations/{consumer}, which has to claim something."""

    allocations = allocations(minimum=1)


CLAIM = {
    Feature.PROVIDERS: ListedClaim,
    Feature.OWNERS: OwnedListedClaim,
    Feature.ALLOCATIONS_BY_PROVIDER: NonemptyClaim,
    Feature.CONSUMER_GENERATIONS: ClaimWithGeneration,
    Feature.MAPPINGS: ClaimWithMappings,
    Feature.CONSUMER_TYPES: Claim,
}
CLAIMS = {
    Feature.CLAIMS_TOGETHER: by_consumer(OwnedClaim, minimum=1),
    Feature.CONSUMER_GENERATIONS: by_consumer(ClaimWithGeneration, minimum=1),
    Feature.MAPPINGS: by_consumer(ClaimWithMappings, minimum=1),
    Feature.CONSUMER_TYPES: by_consumer(Claim, minimum=1),
}
