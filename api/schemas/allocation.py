"""Bodies of the allocations' routes."""

from typing import Any

from graphplace.api.schemas import NAME, UUID_KEY, Body, PatternDict, Uuid
from marshmallow import fields, validate

from graphplace.fields import identifier, type_name

EVERY_KEY = ".*"


class ProviderResources(Body):
    """What is claimed of one provider. Clients send back what they read, the generation included."""

    generation = fields.Integer()
    resources: fields.Field[Any] = PatternDict(
        NAME, fields.Integer(validate=validate.Range(1)), minimum=1, required=True
    )


class Claim(Body):
    """PUT /allocations/{consumer}, and each consumer of POST /allocations and of a reshape."""

    allocations: fields.Field[Any] = PatternDict(UUID_KEY, fields.Nested(ProviderResources), required=True)
    # What a search said of its groups. Only clients have a use for it.
    mappings: fields.Field[Any] = PatternDict(EVERY_KEY, fields.List(Uuid(), validate=validate.Length(1)), minimum=1)
    project_id = identifier(required=True)
    user_id = identifier(required=True)
    consumer_generation = fields.Integer(required=True, allow_none=True)
    consumer_type = type_name(required=True)


CLAIMS = PatternDict(UUID_KEY, fields.Nested(Claim), minimum=1)
