"""Bodies and query strings of the traits' routes."""

from graphplace.api.schemas import Body
from marshmallow import fields, validate


class Index(Body):
    """The query string of GET /traits."""

    name = fields.String(validate=validate.Length(1))
    associated = fields.String()
