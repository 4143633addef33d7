"""The query string of GET /usages."""

from graphplace.api.schemas import END, NAME, Body
from graphplace.api.schemas.allocation import MAX_IDENTIFIER
from marshmallow import fields, validate


class Index(Body):
    """GET /usages."""

    project_id = fields.String(required=True, validate=validate.Length(1, MAX_IDENTIFIER))
    user_id = fields.String(validate=validate.Length(1, MAX_IDENTIFIER))
    consumer_type = fields.String(
        validate=[validate.Length(1, MAX_IDENTIFIER), validate.Regexp(rf"{NAME}|^all{END}|^unknown{END}")]
    )
