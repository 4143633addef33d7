"""The body of POST /reshaper."""

from typing import Any

from graphplace.api.schemas import UUID_KEY, Body, PatternDict
from graphplace.api.schemas.allocation import Claim
from graphplace.api.schemas.inventory import Replace
from marshmallow import fields


class Reshape(Body):
    """All inventories of some providers, and all allocations of some consumers."""

    inventories: fields.Field[Any] = PatternDict(UUID_KEY, fields.Nested(Replace), minimum=1, required=True)
    allocations: fields.Field[Any] = PatternDict(UUID_KEY, fields.Nested(Claim), required=True)
