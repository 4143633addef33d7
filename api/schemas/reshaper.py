"""The body of POST /reshaper."""

from typing import Any

from graphplace.api.features import Feature
from graphplace.api.schemas import UUID_KEY, Body, PatternDict
from graphplace.api.schemas.allocation import Claim, ClaimWithGeneration, ClaimWithMappings, by_consumer
from graphplace.api.schemas.inventory import Replace
from marshmallow import fields


class _Inventories(Body):
    """All inventories of some providers."""

    inventories: fields.Field[Any] = PatternDict(UUID_KEY, fields.Nested(Replace), minimum=1, required=True)


class ReshapeWithGeneration(_Inventories):
    """All inventories of some providers, and all allocations of some consumers."""

    allocations = by_consumer(ClaimWithGeneration, required=True)


class ReshapeWithMappings(_Inventories):
    """The same with mappings."""

    allocations = by_consumer(ClaimWithMappings, required=True)


class Reshape(_Inventories):
    """The same with the types of consumers."""

    allocations = by_consumer(Claim, required=True)


RESHAPE = {
    Feature.RESHAPER: ReshapeWithGeneration,
    Feature.MAPPINGS: ReshapeWithMappings,
    Feature.CONSUMER_TYPES: Reshape,
}
