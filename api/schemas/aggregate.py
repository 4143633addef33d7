"""Bodies of the aggregates' routes."""

from graphplace.api.features import Feature
from graphplace.api.schemas import Body, UniqueList, Uuid
from marshmallow import fields

from graphplace.validation import Shape


class Replace(Body):
    """PUT /resource_providers/{uuid}/aggregates."""

    aggregates = UniqueList(Uuid(), required=True)
    resource_provider_generation = fields.Integer(required=True)


REPLACE: dict[Feature, Shape] = {
    Feature.AGGREGATES: UniqueList(Uuid()),
    Feature.AGGREGATES_WITH_GENERATION: Replace,
}
