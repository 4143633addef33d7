"""Bodies of the inventories' routes."""

from typing import Any

from graphplace.api.schemas import NAME, Body, PatternDict
from marshmallow import fields, validate

from graphplace.inventories import MAX_AMOUNT

# The largest 32 bit float, which is where Placement's own ratios end.
MAX_RATIO = 3.40282e38


class Record(Body):
    """One inventory, without its class. Clients send back what they read, the generation included."""

    total = fields.Integer(required=True, validate=validate.Range(1, MAX_AMOUNT))
    reserved = fields.Integer(validate=validate.Range(0, MAX_AMOUNT))
    min_unit = fields.Integer(validate=validate.Range(1, MAX_AMOUNT))
    max_unit = fields.Integer(validate=validate.Range(1, MAX_AMOUNT))
    step_size = fields.Integer(validate=validate.Range(1, MAX_AMOUNT))
    allocation_ratio = fields.Float(validate=validate.Range(max=MAX_RATIO))
    resource_provider_generation = fields.Integer()


class Create(Record):
    """POST /resource_providers/{uuid}/inventories."""

    resource_class = fields.String(required=True, validate=validate.Regexp(NAME))


class Update(Record):
    """PUT /resource_providers/{uuid}/inventories/{resource_class}."""

    resource_provider_generation = fields.Integer(required=True)


class Replace(Body):
    """PUT /resource_providers/{uuid}/inventories, and what a reshape makes of one provider."""

    resource_provider_generation = fields.Integer(required=True)
    inventories: fields.Field[Any] = PatternDict(NAME, fields.Nested(Record), required=True)
