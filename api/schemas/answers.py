"""What routes answer with at the newest version: for the description of the API, and for whoever reads it."""

from typing import Any

from graphplace.api.schemas import UUID_KEY, Body, PatternDict, Uuid
from marshmallow import Schema, fields, validate

from graphplace.fields import NAME

ANY_KEY = ".*"


def _generation() -> fields.Integer:
    return fields.Integer(required=True, validate=validate.Range(0))


def _amounts() -> PatternDict:
    """Return the field of an object that has an amount for each resource class."""
    return PatternDict(NAME, fields.Integer(), required=True)


def many(schema: type[Schema]) -> fields.Field[Any]:
    """Return the field of a list of *schema*, which answers always have."""
    return fields.List(fields.Nested(schema), required=True)


def _by_uuid(schema: type[Schema]) -> PatternDict:
    return PatternDict(UUID_KEY, fields.Nested(schema), required=True)


class Link(Body):
    """Where something related is."""

    rel = fields.String(required=True)
    href = fields.String(required=True)


class ApiVersion(Body):
    """The versions that are served."""

    id = fields.String(required=True)
    min_version = fields.String(required=True)
    max_version = fields.String(required=True)
    status = fields.String(required=True)
    links = many(Link)


class ApiExtension(Body):
    """The versions of what goes beyond Placement."""

    name = fields.String(required=True)
    min_version = fields.String(required=True)
    max_version = fields.String(required=True)


class Root(Body):
    """GET /."""

    versions = many(ApiVersion)
    extensions = many(ApiExtension)


class Provider(Body):
    """One resource provider."""

    uuid = Uuid(required=True)
    name = fields.String(required=True)
    generation = _generation()
    parent_provider_uuid = Uuid(required=True, allow_none=True)
    root_provider_uuid = Uuid(required=True)
    links = many(Link)


class Providers(Body):
    """Some resource providers."""

    resource_providers = many(Provider)


class Aggregates(Body):
    """The aggregates of a provider, spelt as they were sent."""

    aggregates = fields.List(fields.String(), required=True)
    resource_provider_generation = _generation()


class Traits(Body):
    """Some traits."""

    traits = fields.List(fields.String(), required=True)


class ProviderTraits(Traits):
    """The traits of a provider."""

    resource_provider_generation = _generation()


class ResourceClass(Body):
    """One resource class."""

    name = fields.String(required=True)
    links = many(Link)


class ResourceClasses(Body):
    """All resource classes."""

    resource_classes = many(ResourceClass)


class Inventory(Body):
    """One inventory of a provider."""

    total = fields.Integer(required=True)
    reserved = fields.Integer(required=True)
    min_unit = fields.Integer(required=True)
    max_unit = fields.Integer(required=True)
    step_size = fields.Integer(required=True)
    allocation_ratio = fields.Float(required=True)


class InventoryWithGeneration(Inventory):
    """The same with the generation of the provider."""

    resource_provider_generation = _generation()


class Inventories(Body):
    """All inventories of a provider, by resource class."""

    inventories: fields.Field[Any] = PatternDict(NAME, fields.Nested(Inventory), required=True)
    resource_provider_generation = _generation()


class ProviderUsages(Body):
    """What is used of each resource class that a provider has."""

    usages = _amounts()
    resource_provider_generation = _generation()


class Usages(Body):
    """What the consumers of a project use, by their type. ``consumer_count`` is how many they are."""

    usages: fields.Field[Any] = PatternDict(ANY_KEY, fields.Dict(values=fields.Integer()), required=True)


class Gift(Body):
    """What one provider gives."""

    resources = _amounts()


class HeldGift(Gift):
    """The same with the generation of the provider."""

    generation = _generation()


class ConsumerGift(Gift):
    """What one consumer holds of a provider."""

    consumer_generation = _generation()


class ProviderAllocations(Body):
    """Who holds what of a provider."""

    allocations = _by_uuid(ConsumerGift)
    resource_provider_generation = _generation()


class Allocations(Body):
    """What a consumer holds; of one that holds nothing, nothing else is told."""

    allocations = _by_uuid(HeldGift)
    consumer_generation = fields.Integer()
    consumer_type = fields.String()
    project_id = fields.String()
    user_id = fields.String()


class AllocationRequest(Body):
    """One candidate: what to claim, and which providers are of which group."""

    allocations = _by_uuid(Gift)
    mappings: fields.Field[Any] = PatternDict(ANY_KEY, fields.List(Uuid()), required=True)


class Capacity(Body):
    """How much there is of a resource class, and how much of it is used."""

    capacity = fields.Integer(required=True)
    used = fields.Integer(required=True)


class Summary(Body):
    """A provider of a tree that candidates use."""

    resources: fields.Field[Any] = PatternDict(NAME, fields.Nested(Capacity), required=True)
    traits = fields.List(fields.String(), required=True)
    parent_provider_uuid = Uuid(required=True, allow_none=True)
    root_provider_uuid = Uuid(required=True)


class Candidates(Body):
    """GET /allocation_candidates."""

    allocation_requests = many(AllocationRequest)
    provider_summaries = _by_uuid(Summary)


class Error(Body):
    """One thing that is wrong."""

    status = fields.Integer(required=True)
    title = fields.String(required=True)
    detail = fields.String(required=True)
    request_id = fields.String(required=True)
    code = fields.String()
    min_version = fields.String()
    max_version = fields.String()


class Errors(Body):
    """Every failure."""

    errors = many(Error)
