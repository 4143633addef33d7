"""What POST /reshaper/preview answers with: for the description of the API, and for whoever reads it."""

from graphplace.api.schemas import Body, Uuid
from graphplace.api.schemas.answers import many
from marshmallow import fields


class Stock(Body):
    """The numbers of an inventory that decide about claims."""

    capacity = fields.Integer(required=True)
    used = fields.Integer(required=True)
    min_unit = fields.Integer(required=True)
    max_unit = fields.Integer(required=True)
    step_size = fields.Integer(required=True)


class InventoryChange(Body):
    """An inventory before and after; null where there is none."""

    resource_class = fields.String(required=True)
    before = fields.Nested(Stock, required=True, allow_none=True)
    after = fields.Nested(Stock, required=True, allow_none=True)


class ProviderChange(Body):
    """A provider with its inventories, and the generation that it has now."""

    uuid = Uuid(required=True)
    name = fields.String(required=True)
    generation = fields.Integer(required=True)
    inventories = many(InventoryChange)


class AllocationChange(Body):
    """How much of a provider's inventory a consumer holds before and after."""

    provider_uuid = fields.String(required=True)
    resource_class = fields.String(required=True)
    before = fields.Integer(required=True)
    after = fields.Integer(required=True)


class ConsumerChange(Body):
    """A consumer with all that it holds; the generation is the one that it has now, null if it is new."""

    uuid = fields.String(required=True)
    generation = fields.Integer(required=True, allow_none=True)
    allocations = many(AllocationChange)


class Conflict(Body):
    """Something that is in the way, as POST /reshaper words it."""

    status = fields.Integer(required=True)
    code = fields.String(required=True)
    detail = fields.String(required=True)


class Preview(Body):
    """POST /reshaper/preview."""

    providers = many(ProviderChange)
    consumers = many(ConsumerChange)
    conflicts = many(Conflict)
