"""Bodies and query strings of the resource providers' routes."""

from graphplace.api.schemas import Body, Uuid
from marshmallow import fields

from graphplace.fields import provider_name


class Index(Body):
    """The query string of GET /resource_providers."""

    name = fields.String()
    uuid = Uuid()
    in_tree = Uuid()
    member_of = fields.String()
    required_traits = fields.String(data_key="required")
    resources = fields.String()


class Update(Body):
    """PUT /resource_providers/{uuid}."""

    name = provider_name(required=True)
    parent_provider_uuid = Uuid(allow_none=True)


class Create(Update):
    """POST /resource_providers."""

    uuid = Uuid()
