"""Bodies of the inventories' routes."""

from graphplace.api.schemas import NAME
from marshmallow import fields, validate

from graphplace.forms import AllInventories, Record

# PUT /resource_providers/{uuid}/inventories.
REPLACE = AllInventories


class Create(Record):
    """POST /resource_providers/{uuid}/inventories."""

    resource_class = fields.String(required=True, validate=validate.Regexp(NAME))


class Update(Record):
    """PUT /resource_providers/{uuid}/inventories/{resource_class}."""

    resource_provider_generation = fields.Integer(required=True)
