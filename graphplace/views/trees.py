"""Whole trees with all that their providers have, read at one moment."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from graphplace.cypher import statement
from graphplace.errors import NotFoundError
from graphplace.graph.database import Database
from graphplace.locks import read_settled
from graphplace.providers import unknown as unknown_provider

TAG_BYTES = 16


class Stock(NamedTuple):
    """One inventory in numbers, in the units of its class. ``capacity`` is what all allocations may reach."""

    resource_class: str
    total: int
    reserved: int
    min_unit: int
    max_unit: int
    step_size: int
    allocation_ratio: float
    capacity: int
    used: int

    @property
    def free(self) -> int:
        """What is left of the capacity; below zero where the inventory shrank below its use."""
        return self.capacity - self.used


@dataclass(frozen=True, kw_only=True)
class Node:
    """One provider, with all that it has, in alphabetical order. A root's ``depth`` is 0.

    ``shares_via`` are the aggregates through which a provider of another tree shares with the one that is looked at.
    """

    uuid: str
    name: str
    generation: int
    parent_uuid: str | None
    root_uuid: str
    depth: int
    inventories: tuple[Stock, ...]
    traits: tuple[str, ...]
    aggregates: tuple[str, ...]
    shares_via: tuple[str, ...]


@dataclass(frozen=True)
class TreeView:
    """A tree, and the providers of other trees that share with it, by name.

    ``providers`` starts with the root; whatever is below a provider follows it, children by name. ``tag`` is another
    one after every write to any of the providers.
    """

    providers: tuple[Node, ...]
    sharing: tuple[Node, ...]
    tag: str


class Root(NamedTuple):
    """A tree in brief: its root, and how many providers it has."""

    name: str
    uuid: str
    providers: int


def roots(database: Database) -> list[Root]:
    """Return every tree in brief, by the name of its root."""
    row = database.read(lambda tx: tx.one(statement("views.roots")))
    return [Root._make(values) for values in row["roots"]] if row else []


def tree(database: Database, uuid: str) -> TreeView:
    """Return the tree that the provider *uuid* is in. Raises NotFoundError."""
    body, stamp = statement("views.tree"), statement("views.tree_revision")
    row = database.read(lambda tx: read_settled(tx, body, stamp, uuid=uuid))
    if row is None:
        raise unknown_provider(uuid)
    by_name = sorted(row["providers"], key=lambda entry: str(entry["name"]))
    below: dict[str | None, list[dict[str, Any]]] = {}
    for entry in by_name:
        if not entry["shares_via"]:
            below.setdefault(_only(entry["parent_uuid"]), []).append(entry)
    root = next(entry for entry in by_name if entry["uuid"] == row["root"])
    sharing = tuple(_node(entry, 0) for entry in by_name if entry["shares_via"])
    return TreeView(tuple(_outline(root, below)), sharing, _tag(row["revision"]))


def members(database: Database, aggregate: str) -> list[Node]:
    """Return the providers that are in the aggregate with this uuid, by name. Raises NotFoundError without any."""
    body, stamp = statement("views.aggregate"), statement("views.aggregate_revision")
    row = database.read(lambda tx: read_settled(tx, body, stamp, uuid=aggregate))
    if row is None or not row["providers"]:
        raise NotFoundError(f"No provider is in an aggregate {aggregate}.")
    return sorted((_node(entry, 0) for entry in row["providers"]), key=lambda node: node.name)


def tag(database: Database, uuid: str) -> str:
    """Return the tag that the tree of the provider *uuid* has now, without reading the tree. Raises NotFoundError."""
    row = database.read(lambda tx: tx.one(statement("views.tree_revision"), uuid=uuid))
    if row is None:
        raise unknown_provider(uuid)
    return _tag(row["revision"])


def document(view: TreeView) -> dict[str, Any]:
    """Return the tree as the body of ``GET /resource_providers/{uuid}/tree``."""
    return {
        "root_provider_uuid": view.providers[0].uuid,
        "providers": [provider_document(node) | {"depth": node.depth} for node in view.providers],
        "sharing_providers": [provider_document(node) | {"shares_via": list(node.shares_via)} for node in view.sharing],
    }


def provider_document(node: Node) -> dict[str, Any]:
    """Return one provider as it is in :func:`document`."""
    return {
        "uuid": node.uuid,
        "name": node.name,
        "generation": node.generation,
        "parent_provider_uuid": node.parent_uuid,
        "root_provider_uuid": node.root_uuid,
        "inventories": {stock.resource_class: _numbers(stock) for stock in node.inventories},
        "traits": list(node.traits),
        "aggregates": list(node.aggregates),
    }


def _numbers(stock: Stock) -> dict[str, float]:
    numbers = stock._asdict() | {"free": stock.free}
    del numbers["resource_class"]
    return numbers


def _tag(revision: list[list[Any]]) -> str:
    return hashlib.blake2b(json.dumps(revision).encode(), digest_size=TAG_BYTES).hexdigest()


def _outline(root: dict[str, Any], below: dict[str | None, list[dict[str, Any]]]) -> Iterator[Node]:
    # A stack of our own: trees may be deeper than Python recurses.
    waiting = [(root, 0)]
    while waiting:
        entry, depth = waiting.pop()
        yield _node(entry, depth)
        waiting.extend((child, depth + 1) for child in reversed(below.get(entry["uuid"], [])))


def _only(values: list[str]) -> str | None:
    return next(iter(values), None)


def _node(entry: dict[str, Any], depth: int) -> Node:
    return Node(
        uuid=entry["uuid"],
        name=entry["name"],
        generation=entry["generation"],
        parent_uuid=_only(entry["parent_uuid"]),
        root_uuid=entry["root_uuid"][0],
        depth=depth,
        inventories=tuple(sorted(Stock._make(values) for values in entry["inventories"])),
        traits=tuple(sorted(entry["traits"])),
        aggregates=tuple(sorted(entry["aggregates"])),
        shares_via=tuple(sorted(entry["shares_via"])),
    )
