"""Whole trees with all that their providers have, read at one moment."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from graphplace.cypher import statement
from graphplace.errors import NotFoundError
from graphplace.graph.database import Database, Transaction

# A tree that is written to faster than it can be read is shown as it was read last.
MOST_READS = 10


class Stock(NamedTuple):
    """One inventory in numbers, in the units of its class. ``capacity`` is what all allocations may reach."""

    resource_class: str
    total: int
    reserved: int
    capacity: int
    used: int


@dataclass(frozen=True, kw_only=True)
class Node:
    """One provider of a tree, with all that it has, in alphabetical order. The root's ``depth`` is 0."""

    uuid: str
    name: str
    parent_uuid: str | None
    depth: int
    generation: int
    inventories: tuple[Stock, ...]
    traits: tuple[str, ...]
    aggregates: tuple[str, ...]


@dataclass(frozen=True)
class TreeView:
    """A tree, and the providers of other trees that share with it, by name.

    ``providers`` starts with the root; whatever is below a provider follows it, children by name.
    """

    providers: tuple[Node, ...]
    sharing: tuple[Node, ...]


class Root(NamedTuple):
    """A tree in brief: its root, and how many providers it has."""

    name: str
    uuid: str
    providers: int


def roots(database: Database) -> list[Root]:
    """Return every tree in brief, by the name of its root."""
    row = database.read(lambda tx: tx.one(statement("views.roots")))
    return [Root._make(values) for values in row["roots"]] if row else []


def tree(database: Database, provider: str) -> TreeView:
    """Return the tree that *provider*, a uuid or a name, is in. Raises NotFoundError."""
    found = database.read(lambda tx: _settled(tx, provider))
    if not found:
        raise NotFoundError(f"No resource provider has the uuid or the name {provider}.")
    by_name = sorted(found, key=lambda entry: str(entry["name"]))
    below: dict[str | None, list[dict[str, Any]]] = {}
    for entry in by_name:
        if not entry["sharing"]:
            below.setdefault(_parent(entry), []).append(entry)
    sharing = tuple(_node(entry, 0) for entry in by_name if entry["sharing"])
    return TreeView(tuple(_outline(below)), sharing)


def _settled(tx: Transaction, provider: str) -> list[dict[str, Any]]:
    """Read the tree until it is twice the same: Neo4j may show a write half done."""
    found: list[dict[str, Any]] = []
    for _ in range(MOST_READS):
        row = tx.one(statement("views.tree"), provider=provider)
        # In no order of its own, so that equal readings are equal.
        before, found = found, sorted(row["providers"] if row else [], key=lambda entry: str(entry["uuid"]))
        if _stamps(found) == _stamps(before):
            break
    return [entry for entry in found if entry["uuid"] is not None]


def _stamps(found: list[dict[str, Any]]) -> list[tuple[str, int]]:
    return [(entry["uuid"], entry["revision"]) for entry in found]


def _outline(below: dict[str | None, list[dict[str, Any]]]) -> Iterator[Node]:
    # A stack of our own: trees may be deeper than Python recurses.
    waiting = [(entry, 0) for entry in below[None]]
    while waiting:
        entry, depth = waiting.pop()
        yield _node(entry, depth)
        waiting.extend((child, depth + 1) for child in reversed(below.get(entry["uuid"], [])))


def _parent(entry: dict[str, Any]) -> str | None:
    return next(iter(entry["parent_uuid"]), None)


def _node(entry: dict[str, Any], depth: int) -> Node:
    return Node(
        uuid=entry["uuid"],
        name=entry["name"],
        parent_uuid=_parent(entry),
        depth=depth,
        generation=entry["generation"],
        inventories=tuple(sorted(Stock._make(values) for values in entry["inventories"])),
        traits=tuple(sorted(entry["traits"])),
        aggregates=tuple(sorted(entry["aggregates"])),
    )
