"""Bodies and query strings of the resource providers' routes."""

from graphplace.api.features import Feature
from graphplace.api.schemas import Body, Uuid
from marshmallow import fields

from graphplace.fields import provider_name


class NamedIndex(Body):
    """The query string of GET /resource_providers."""

    name = fields.String()
    uuid = Uuid()


class IndexByAggregate(NamedIndex):
    """The same with aggregates."""

    member_of = fields.String()


class IndexByResources(IndexByAggregate):
    """The same with amounts of resource classes."""

    resources = fields.String()


class IndexByTree(IndexByResources):
    """The same with trees."""

    in_tree = Uuid()


class Index(IndexByTree):
    """The same with traits."""

    required_traits = fields.String(data_key="required")


INDEX = {
    Feature.PROVIDERS: NamedIndex,
    Feature.PROVIDERS_BY_AGGREGATE: IndexByAggregate,
    Feature.PROVIDERS_BY_RESOURCES: IndexByResources,
    Feature.TREES: IndexByTree,
    Feature.PROVIDERS_BY_TRAITS: Index,
}


class Rename(Body):
    """PUT /resource_providers/{uuid} of a provider outside any tree."""

    name = provider_name(required=True)


class Update(Rename):
    """PUT /resource_providers/{uuid}."""

    parent_provider_uuid = Uuid(allow_none=True)


class CreateAlone(Body):
    """POST /resource_providers of a provider outside any tree. As in Placement, only a new name may not be empty."""

    name = provider_name(1, required=True)
    uuid = Uuid()


class Create(CreateAlone):
    """POST /resource_providers."""

    parent_provider_uuid = Uuid(allow_none=True)


UPDATE = {Feature.PROVIDERS: Rename, Feature.TREES: Update}
CREATE = {Feature.PROVIDERS: CreateAlone, Feature.TREES: Create}
