"""The forms of inventories, claims and reshapes that more than the API reads, as marshmallow schemas."""

from typing import Any

from marshmallow import fields, validate

from graphplace.fields import (
    EVERY_KEY,
    NAME,
    UUID_KEY,
    Body,
    InventoryFields,
    PatternDict,
    Uuid,
    identifier,
    type_name,
)


class Record(InventoryFields):
    """One inventory, without its class. Clients send back what they read, the generation included."""

    resource_provider_generation = fields.Integer()


class AllInventories(Body):
    """All inventories of a provider.

    What can be no name of a class is no class that there is, as in Placement.
    """

    resource_provider_generation = fields.Integer(required=True)
    inventories: fields.Field[Any] = PatternDict(EVERY_KEY, fields.Nested(Record), required=True)


def resources() -> fields.Field[Any]:
    """Return the field of an object that has an amount for each class."""
    return PatternDict(NAME, fields.Integer(validate=validate.Range(1)), minimum=1, required=True)


class ProviderResources(Body):
    """What is claimed of one provider. Clients send back what they read, the generation included."""

    generation = fields.Integer()
    resources = resources()


def allocations(*, minimum: int = 0) -> fields.Field[Any]:
    """Return the field of an object that has what is claimed for each provider."""
    return PatternDict(UUID_KEY, fields.Nested(ProviderResources), minimum=minimum, required=True)


class OwnedClaim(Body):
    """What one consumer claims, and whose it is."""

    allocations = allocations()
    project_id = identifier(required=True)
    user_id = identifier(required=True)


class ClaimWithGeneration(OwnedClaim):
    """The same with the generation of the consumer."""

    consumer_generation = fields.Integer(required=True, allow_none=True)


class ClaimWithMappings(ClaimWithGeneration):
    """The same with what a search said of its groups. Only clients have a use for it."""

    mappings: fields.Field[Any] = PatternDict(EVERY_KEY, fields.List(Uuid(), validate=validate.Length(1)), minimum=1)


class Claim(ClaimWithMappings):
    """The same with the type of the consumer."""

    consumer_type = type_name(required=True)


def by_consumer(claim: type[Body], **kwargs: Any) -> PatternDict:
    """Return the field of an object that has a *claim* for each consumer."""
    return PatternDict(UUID_KEY, fields.Nested(claim), **kwargs)


class ReshapedInventories(Body):
    """All inventories of some providers."""

    inventories: fields.Field[Any] = PatternDict(UUID_KEY, fields.Nested(AllInventories), minimum=1, required=True)


class Reshape(ReshapedInventories):
    """All inventories of some providers, and all allocations of some consumers."""

    allocations = by_consumer(Claim, required=True)
