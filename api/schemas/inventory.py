"""Bodies of the inventories' routes."""

from typing import Any

from graphplace.api.schemas import NAME, Body, PatternDict
from marshmallow import fields, validate

from graphplace.fields import EVERY_KEY, InventoryFields


class Record(InventoryFields):
    """One inventory, without its class. Clients send back what they read, the generation included."""

    resource_provider_generation = fields.Integer()


class Create(Record):
    """POST /resource_providers/{uuid}/inventories."""

    resource_class = fields.String(required=True, validate=validate.Regexp(NAME))


class Update(Record):
    """PUT /resource_providers/{uuid}/inventories/{resource_class}."""

    resource_provider_generation = fields.Integer(required=True)


class Replace(Body):
    """PUT /resource_providers/{uuid}/inventories, and what a reshape makes of one provider.

    What can be no name of a class is no class that there is, as in Placement.
    """

    resource_provider_generation = fields.Integer(required=True)
    inventories: fields.Field[Any] = PatternDict(EVERY_KEY, fields.Nested(Record), required=True)
