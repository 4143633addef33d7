"""Bodies of the routes of a provider's traits."""

from graphplace.api.schemas import MAX_NAME, Body
from marshmallow import fields, validate


class Replace(Body):
    """PUT /resource_providers/{uuid}/traits."""

    traits = fields.List(fields.String(validate=validate.Length(1, MAX_NAME)), required=True)
    resource_provider_generation = fields.Integer(required=True)
