"""The query string of GET /usages."""

from graphplace.api.features import Feature
from graphplace.api.schemas import END, NAME, Body
from marshmallow import fields, validate

from graphplace.fields import MAX_IDENTIFIER, identifier


class UntypedIndex(Body):
    """GET /usages."""

    project_id = identifier(required=True)
    user_id = identifier()


class Index(UntypedIndex):
    """The same with the type of consumers."""

    consumer_type = fields.String(
        validate=[validate.Length(1, MAX_IDENTIFIER), validate.Regexp(rf"{NAME}|^all|^unknown{END}")]
    )


INDEX = {Feature.PROJECT_USAGES: UntypedIndex, Feature.CONSUMER_TYPES: Index}
