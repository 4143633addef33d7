"""Bodies of the aggregates' routes."""

from graphplace.api.schemas import Body, UniqueList, Uuid
from marshmallow import fields


class Replace(Body):
    """PUT /resource_providers/{uuid}/aggregates."""

    aggregates = UniqueList(Uuid(), required=True)
    resource_provider_generation = fields.Integer(required=True)
