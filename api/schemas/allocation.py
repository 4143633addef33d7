"""Bodies of the allocations' routes."""

from typing import Any

from graphplace.api.features import Feature
from graphplace.api.schemas import NAME, UUID_KEY, Body, PatternDict, Uuid
from marshmallow import Schema, fields, post_load, validate

from graphplace.fields import EVERY_KEY, identifier, type_name


def _resources() -> fields.Field[Any]:
    return PatternDict(NAME, fields.Integer(validate=validate.Range(1)), minimum=1, required=True)


class Provider(Body):
    """A provider by its uuid."""

    uuid = Uuid(required=True)


class ListedResources(Body):
    """What is claimed of the provider that is named beside it."""

    resource_provider = fields.Nested(Provider, required=True)
    resources = _resources()


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


class ProviderResources(Body):
    """What is claimed of one provider. Clients send back what they read, the generation included."""

    generation = fields.Integer()
    resources = _resources()


def _allocations(*, minimum: int = 0) -> fields.Field[Any]:
    return PatternDict(UUID_KEY, fields.Nested(ProviderResources), minimum=minimum, required=True)


class OwnedClaim(Body):
    """Each consumer of POST /allocations."""

    allocations = _allocations()
    project_id = identifier(required=True)
    user_id = identifier(required=True)


class NonemptyClaim(OwnedClaim):
    """PUT /allocations/{consumer}, which has to claim something."""

    allocations = _allocations(minimum=1)


class ClaimWithGeneration(OwnedClaim):
    """PUT /allocations/{consumer}, and each consumer of POST /allocations and of a reshape."""

    consumer_generation = fields.Integer(required=True, allow_none=True)


class ClaimWithMappings(ClaimWithGeneration):
    """The same with what a search said of its groups. Only clients have a use for it."""

    mappings: fields.Field[Any] = PatternDict(EVERY_KEY, fields.List(Uuid(), validate=validate.Length(1)), minimum=1)


class Claim(ClaimWithMappings):
    """The same with the type of the consumer."""

    consumer_type = type_name(required=True)


def by_consumer(claim: type[Schema], **kwargs: Any) -> PatternDict:
    """Return the field of an object that has a *claim* for each consumer."""
    return PatternDict(UUID_KEY, fields.Nested(claim), **kwargs)


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
