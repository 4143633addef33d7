"""The document: its schema, and what it says as plain data. docs/load-format.md describes it for its authors."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any
from uuid import UUID

import orjson
from marshmallow import fields, validate

from graphplace.errors import BadRequestError
from graphplace.fields import (
    MAX_AMOUNT,
    MAX_IDENTIFIER,
    NAME,
    Body,
    InventoryFields,
    PatternDict,
    UniqueList,
    Uuid,
    custom_name,
    identifier,
    provider_name,
    uuid_checker,
)
from graphplace.inventory import Inventory
from graphplace.validation import validator_of

VERSION = 1
# A message quotes the offending value; beyond this it would only be noise.
MAX_MESSAGE = 300
ANY_NAME = r"^[\s\S]{0,200}$"


class ProviderEntry(Body):
    """One resource provider, and everything that it has."""

    uuid = Uuid(required=True)
    name = provider_name(required=True)
    parent = provider_name()
    inventories: fields.Field[Any] = PatternDict(NAME, fields.Nested(InventoryFields), load_default=dict)
    traits = UniqueList(fields.String(validate=validate.Regexp(NAME)), load_default=list)
    aggregates = UniqueList(Uuid(), load_default=list)


class ConsumerEntry(Body):
    """One consumer, and everything that it holds: amounts by provider name and resource class."""

    uuid = Uuid(required=True)
    type = fields.String(required=True, validate=[validate.Length(1, MAX_IDENTIFIER), validate.Regexp(NAME)])
    project_id = identifier(required=True)
    user_id = identifier(required=True)
    allocations: fields.Field[Any] = PatternDict(
        ANY_NAME,
        PatternDict(NAME, fields.Integer(validate=validate.Range(1, MAX_AMOUNT)), minimum=1),
        minimum=1,
        required=True,
    )


class Document(Body):
    """The whole document."""

    version = fields.Integer(required=True, validate=validate.Equal(VERSION))
    resource_classes = UniqueList(custom_name(), load_default=list)
    traits = UniqueList(custom_name(), load_default=list)
    providers = fields.List(fields.Nested(ProviderEntry), load_default=list)
    consumers = fields.List(fields.Nested(ConsumerEntry), load_default=list)


@dataclass(frozen=True, kw_only=True)
class Provider:
    """A resource provider that shall be there, with these and no other inventories, traits and aggregates."""

    uuid: str
    name: str
    parent: str | None
    inventories: Mapping[str, Inventory]
    traits: frozenset[str]
    aggregates: frozenset[str]


@dataclass(frozen=True, kw_only=True)
class Consumer:
    """A consumer that shall hold these allocations and no others: amounts by provider name and resource class."""

    uuid: str
    type: str
    project_id: str
    user_id: str
    allocations: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, kw_only=True)
class Cloud:
    """What a document says. ``providers`` has parents before their children."""

    resource_classes: tuple[str, ...]
    traits: tuple[str, ...]
    providers: tuple[Provider, ...]
    consumers: tuple[Consumer, ...]


def read_cloud(data: bytes) -> Cloud:
    """Read a document. Raises BadRequestError for what is wrong with it, as far as it says by itself."""
    document = _read_document(data)
    providers = [_provider(entry) for entry in document.get("providers", ())]
    consumers = [_consumer(entry) for entry in document.get("consumers", ())]
    _require_distinct("provider uuid", (provider.uuid for provider in providers))
    _require_distinct("provider name", (provider.name for provider in providers))
    _require_distinct("consumer uuid", (consumer.uuid for consumer in consumers))
    return Cloud(
        resource_classes=tuple(document.get("resource_classes", ())),
        traits=tuple(document.get("traits", ())),
        providers=tuple(_parents_first(providers)),
        consumers=tuple(consumers),
    )


def _read_document(data: bytes) -> dict[str, Any]:
    try:
        value: dict[str, Any] = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise BadRequestError(f"This is not JSON: {error}.") from error
    if (wrong := validator_of(Document, uuid_checker).first_error(value)) is not None:
        raise BadRequestError(f"{wrong.json_path}: {wrong.message[:MAX_MESSAGE]}")
    # Marshmallow would add only what is left out, and take longer for it than all the rest of reading.
    return value


def _provider(entry: dict[str, Any]) -> Provider:
    return Provider(
        uuid=_canonical(entry["uuid"]),
        name=entry["name"],
        parent=entry.get("parent"),
        inventories={name: _inventory(given) for name, given in entry.get("inventories", {}).items()},
        traits=frozenset(entry.get("traits", ())),
        aggregates=frozenset(entry.get("aggregates", ())),
    )


def _inventory(given: dict[str, Any]) -> Inventory:
    numbers: dict[str, Any] = dict(_whole_numbers(given))
    if "allocation_ratio" in given:
        numbers["allocation_ratio"] = float(given["allocation_ratio"])
    return Inventory(**numbers)


def _consumer(entry: dict[str, Any]) -> Consumer:
    allocations = {provider: _whole_numbers(amounts) for provider, amounts in entry["allocations"].items()}
    return Consumer(**entry | {"uuid": _canonical(entry["uuid"]), "allocations": allocations})


def _whole_numbers(given: dict[str, float]) -> dict[str, int]:
    """Return *given* with 4 for a number such as 4.0, which JSON Schema takes for a whole one."""
    return {key: int(value) for key, value in given.items()}


def _canonical(uuid: str) -> str:
    """Return *uuid* in lower case and with hyphens, as the API stores it."""
    return str(UUID(uuid))


def _require_distinct(what: str, values: Iterable[str]) -> None:
    seen: set[str] = set()
    for value in values:
        if value in seen:
            raise BadRequestError(f"The {what} {value} occurs twice.")
        seen.add(value)


def _parents_first(providers: list[Provider]) -> Iterator[Provider]:
    by_name = {provider.name: provider for provider in providers}
    parents = {one.name: [one.parent] if one.parent is not None and one.parent in by_name else [] for one in providers}
    try:
        yield from (by_name[name] for name in TopologicalSorter(parents).static_order())
    except CycleError as error:
        raise BadRequestError(f"Providers are their own ancestors: {' below '.join(error.args[1])}.") from None
