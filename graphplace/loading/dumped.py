"""The lines of a dump, version 2 of the load format: their schema, and what they say as plain data."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

import orjson
from marshmallow import ValidationError, fields, validate

from graphplace.errors import BadRequestError
from graphplace.fields import (
    END,
    EVERY_KEY,
    NAME,
    Body,
    InventoryFields,
    PatternDict,
    UniqueList,
    Uuid,
    identifier,
    provider_name,
    type_name,
    uuid_checker,
)
from graphplace.loading.batches import HOSTS, NAMES, Batch
from graphplace.loading.document import ANY_NAME, MAX_MESSAGE, ConsumerEntry, ProviderEntry
from graphplace.validation import loader_of, validator_of

VERSION = 2


MOMENT = rf"^\d{{4}}-\d{{2}}-\d{{2}}T\d{{2}}:\d{{2}}\S*{END}"


class Moment(fields.String):
    """A time as Neo4j writes it, ISO 8601 with a zone."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text: str = super()._deserialize(value, attr, data, **kwargs)
        try:
            datetime.fromisoformat(text.partition("[")[0])
        except ValueError:
            raise ValidationError(f"{text!r} is not a time such as 2026-01-31T12:00:00Z.") from None
        return text


def _moment(**kwargs: Any) -> Moment:
    return Moment(validate=validate.Regexp(MOMENT), **kwargs)


def _generation() -> fields.Integer:
    return fields.Integer(required=True, validate=validate.Range(0))


class DumpedInventory(InventoryFields):
    """An inventory, without its class, and its times."""

    created_at = _moment(required=True)
    updated_at = _moment(required=True)


class DumpedProvider(ProviderEntry):
    """One resource provider, and everything that it has."""

    generation = _generation()
    created_at = _moment(required=True)
    updated_at = _moment(required=True)
    inventories: fields.Field[Any] = PatternDict(NAME, fields.Nested(DumpedInventory), load_default=dict)


class DumpedConsumer(ConsumerEntry):
    """One consumer, and what it holds of one tree or of several."""

    type = type_name()
    generation = _generation()
    created_at = _moment(required=True)
    updated_at = _moment(required=True)
    allocated_at = _moment(required=True)
    positions: fields.Field[Any] = PatternDict(
        ANY_NAME, PatternDict(NAME, fields.Integer(validate=validate.Range(0))), load_default=dict
    )


class DumpedName(Body):
    """What is known by a name or a uuid alone, when it was created, and when it was last written."""

    name = identifier(required=True)
    created_at = _moment(required=True)
    updated_at = _moment()


class DumpedCell(Body):
    """One cell."""

    uuid = Uuid(required=True)
    name = identifier(required=True)
    created_at = _moment(required=True)


class DumpedHostAggregate(Body):
    """One host aggregate. The aggregate of the same uuid mirrors it."""

    uuid = Uuid(required=True)
    name = identifier(required=True)
    metadata: fields.Field[Any] = PatternDict(EVERY_KEY, identifier(), load_default=dict)
    created_at = _moment(required=True)
    updated_at = _moment(required=True)


class DumpedHost(Body):
    """One host: its cell and its host aggregates by uuid, and the name of its root provider, if it has one."""

    service_host = identifier(required=True)
    nodename = identifier(required=True)
    cell = Uuid(required=True)
    provider = provider_name()
    aggregates = UniqueList(Uuid(), load_default=list)
    created_at = _moment(required=True)
    updated_at = _moment(required=True)


class Totals(Body):
    """How much all lines have together."""

    providers = fields.Integer(required=True)
    allocations = fields.Integer(required=True)


class DumpLine(Body):
    """One line."""

    version = fields.Integer(required=True, validate=validate.Equal(VERSION))
    providers = fields.List(fields.Nested(DumpedProvider), load_default=list)
    consumers = fields.List(fields.Nested(DumpedConsumer), load_default=list)
    resource_classes = fields.List(fields.Nested(DumpedName), load_default=list)
    traits = fields.List(fields.Nested(DumpedName), load_default=list)
    aggregates = fields.List(fields.Nested(DumpedName), load_default=list)
    projects = fields.List(fields.Nested(DumpedName), load_default=list)
    users = fields.List(fields.Nested(DumpedName), load_default=list)
    consumer_types = fields.List(fields.Nested(DumpedName), load_default=list)
    cells = fields.List(fields.Nested(DumpedCell), load_default=list)
    host_aggregates = fields.List(fields.Nested(DumpedHostAggregate), load_default=list)
    hosts = fields.List(fields.Nested(DumpedHost), load_default=list)
    totals = fields.Nested(Totals)


def read_batches(lines: Iterable[bytes]) -> Iterator[Batch]:
    """Yield what *lines* say, in batches.

    Raises BadRequestError for a line that is not as it must be, and for lines behind or without the totals.
    """
    batch = Batch()
    for number, data in enumerate(lines, 1):
        if batch.totals is not None:
            raise BadRequestError(f"Line {number}: the totals have to be the last line.")
        document = _read_line(number, data)
        batch.providers += document["providers"]
        batch.consumers += document["consumers"]
        for kind in NAMES:
            batch.names[kind] += document[kind]
        for kind in HOSTS:
            batch.hosts[kind] += document[kind]
        batch.totals, batch.last = document.get("totals"), number
        if batch.is_full and batch.totals is None:
            yield batch
            batch = Batch()
    if batch.totals is None:
        raise BadRequestError("The last line, the totals, is missing: the file is not whole.")
    yield batch


def is_dump(first_line: bytes) -> bool:
    """Tell whether a file that starts with *first_line* is a dump."""
    try:
        value = orjson.loads(first_line)
    except orjson.JSONDecodeError:
        return False
    return isinstance(value, dict) and value.get("version") == VERSION


def _read_line(number: int, data: bytes) -> dict[str, Any]:
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise BadRequestError(f"Line {number}: this is not JSON: {error}.") from error
    if (wrong := validator_of(DumpLine, uuid_checker).first_error(value)) is not None:
        raise BadRequestError(f"Line {number}: {wrong.json_path}: {wrong.message[:MAX_MESSAGE]}")
    try:
        loaded: dict[str, Any] = loader_of(DumpLine)(value)
    except ValidationError as error:
        raise BadRequestError(f"Line {number}: {error.messages}"[:MAX_MESSAGE]) from error
    return loaded
