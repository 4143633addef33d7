"""What GET /allocation_candidates/explain answers with: for the description of the API, and for whoever reads it."""

from typing import Any

from graphplace.api.schemas import Body, PatternDict, Uuid
from graphplace.api.schemas.answers import many
from marshmallow import fields

from graphplace.fields import NAME
from graphplace.request.parse import query_schema
from graphplace.request.syntax import EXTENDED

_REQUEST = query_schema(EXTENDED)
QUERY = _REQUEST | {"properties": _REQUEST["properties"] | {"host": {"type": "string"}}}
"""The query of a request for candidates, and the uuid or name of a provider to look at."""


class Number(Body):
    """A number of candidates, of which there may be more."""

    count = fields.Integer(required=True)
    more = fields.Boolean(required=True)


class Step(Body):
    """A condition, and how many meet it and all before it."""

    condition = fields.String(required=True)
    words = fields.String(required=True)
    remaining = fields.Integer(required=True)


class Miss(Body):
    """A provider that meets nearly all conditions, seen from the tree of a root."""

    uuid = Uuid(required=True)
    name = fields.String(required=True)
    root = Uuid(required=True)
    lacks = fields.List(fields.String(), required=True)


class GroupCount(Body):
    """What providers have to meet for a group, or for one class of the group without a suffix."""

    suffix = fields.String(required=True)
    resources: fields.Field[Any] = PatternDict(NAME, fields.Integer(), required=True)
    conditions = many(Step)
    nearest = many(Miss)


class Counts(Body):
    """How many roots and providers meet what is asked of them."""

    trees = fields.Integer(required=True)
    roots = many(Step)
    groups = many(GroupCount)


class Reason(Body):
    """Why there are no candidates, and the root of the tree that the words name, if they name one."""

    about = fields.String(required=True)
    words = fields.String(required=True)
    tree = Uuid(required=True, allow_none=True)


class Change(Body):
    """What gives candidates, as words and as a query, and how many there are then."""

    words = fields.String(required=True)
    query = fields.String(required=True)
    candidates: fields.Field[Any] = fields.Nested(Number, required=True)
    consumers_gone = fields.List(Uuid(), required=True)


class Host(Body):
    """Whether a provider is among the candidates, and why not."""

    uuid = Uuid(required=True)
    name = fields.String(required=True)
    verdict = fields.String(required=True)
    words = fields.String(required=True)
    reasons = many(Reason)
    counts = fields.Nested(Counts, required=True, allow_none=True)


class Explanation(Body):
    """GET /allocation_candidates/explain. What there was no time for is null."""

    request = fields.String(required=True)
    candidates = fields.Nested(Number, required=True, allow_none=True)
    if_empty = fields.Nested(Number, required=True, allow_none=True)
    counts = fields.Nested(Counts, required=True, allow_none=True)
    reasons = many(Reason)
    changes = many(Change)
    host = fields.Nested(Host, required=True, allow_none=True)
    gave_up = fields.String(required=True, allow_none=True)
