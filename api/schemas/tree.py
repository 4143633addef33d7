"""What GET /resource_providers/{uuid}/tree answers with: for the description of the API, and for whoever reads it."""

from typing import Any

from graphplace.api.schemas import Body, PatternDict, Uuid
from graphplace.api.schemas.answers import Inventory, many
from marshmallow import fields

from graphplace.fields import NAME


class Stock(Inventory):
    """One inventory, and what is used of it. ``free`` is below zero where it shrank below its use."""

    capacity = fields.Integer(required=True)
    used = fields.Integer(required=True)
    free = fields.Integer(required=True)


class Provider(Body):
    """A provider with all that it has."""

    uuid = Uuid(required=True)
    name = fields.String(required=True)
    generation = fields.Integer(required=True)
    parent_provider_uuid = Uuid(required=True, allow_none=True)
    root_provider_uuid = Uuid(required=True)
    inventories: fields.Field[Any] = PatternDict(NAME, fields.Nested(Stock), required=True)
    traits = fields.List(fields.String(), required=True)
    aggregates = fields.List(fields.String(), required=True)


class TreeProvider(Provider):
    """A provider of the tree; ``depth`` is the number of those above it."""

    depth = fields.Integer(required=True)


class SharingProvider(Provider):
    """A provider of another tree that shares with this one, through these aggregates."""

    shares_via = fields.List(fields.String(), required=True)


class Tree(Body):
    """A whole tree, whatever is below a provider behind it, and the providers that share with it."""

    root_provider_uuid = Uuid(required=True)
    providers = many(TreeProvider)
    sharing_providers = many(SharingProvider)
