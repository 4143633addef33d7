"""The query string of GET /usages."""

from graphplace.api.schemas import END, NAME, Body
from marshmallow import fields, validate

from graphplace.fields import MAX_IDENTIFIER, identifier


class Index(Body):
    """GET /usages."""

    project_id = identifier(required=True)
    user_id = identifier()
    consumer_type = fields.String(
        validate=[validate.Length(1, MAX_IDENTIFIER), validate.Regexp(rf"{NAME}|^all{END}|^unknown{END}")]
    )
