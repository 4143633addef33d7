"""A resource provider as it is read."""

from typing import NamedTuple

from neo4j import Record

from graphplace.cypher import statement
from graphplace.errors import NotFoundError
from graphplace.graph.database import Database, Transaction

TREE_READS = 10


class ResourceProvider(NamedTuple):
    """A resource provider and its place in its tree.

    ``parent_uuid`` is None for a root, which is its own root. ``updated_at`` is in seconds since 1970, UTC.
    ``revision`` counts all writes to the provider, also those that leave the generation alone.
    """

    uuid: str
    name: str
    generation: int
    parent_uuid: str | None
    root_uuid: str
    updated_at: int
    revision: int


def get(database: Database, uuid: str) -> ResourceProvider:
    """Return the resource provider *uuid*. Raises NotFoundError."""
    return database.read(lambda tx: read_one(tx, uuid))


def called(database: Database, provider: str) -> str:
    """Return the uuid of the resource provider with the uuid or else the name *provider*. Raises NotFoundError."""
    return database.read(lambda tx: called_in(tx, provider))


def called_in(tx: Transaction, provider: str) -> str:
    """Return the same as *tx* sees it. Raises NotFoundError."""
    row = tx.one(statement("providers.called"), provider=provider)
    if row is None or row["uuid"] is None:
        raise NotFoundError(f"No resource provider has the uuid or the name {provider}.")
    uuid: str = row["uuid"]
    return uuid


def names(database: Database, uuids: list[str]) -> dict[str, str]:
    """Return the names of the resource providers *uuids*, those that exist, by uuid."""
    return {provider.uuid: provider.name for provider in database.read(lambda tx: read(tx, uuids))}


def read_one(tx: Transaction, uuid: str) -> ResourceProvider:
    """Return the resource provider *uuid* as *tx* sees it. Raises NotFoundError."""
    found = read(tx, [uuid])
    if not found:
        raise unknown(uuid)
    return found[0]


def read(tx: Transaction, uuids: list[str]) -> list[ResourceProvider]:
    """Return the resource providers *uuids*, those that exist."""
    return _providers(tx.one(statement("providers.read"), uuids=uuids))


def read_all(tx: Transaction) -> list[ResourceProvider]:
    """Return all resource providers."""
    return _providers(tx.one(statement("providers.read_all")))


def read_tree(tx: Transaction, uuid: str) -> list[ResourceProvider]:
    """Return all resource providers of the tree that the provider *uuid* is in, as they were at one moment.

    Neo4j may show a write half done, so a tree is read until it is twice the same; under writes without end, as it
    was last.
    """
    tree: list[ResourceProvider] = []
    for _ in range(TREE_READS):
        before, tree = tree, _providers(tx.one(statement("providers.read_tree"), uuid=uuid))
        if tree == before:
            break
    return tree


def unknown(uuid: str, purpose: str = "") -> NotFoundError:
    """Return the error that there is no resource provider *uuid*, for a *purpose* such as "for delete"."""
    return NotFoundError(f"No resource provider with uuid {uuid} found {purpose}".rstrip())


def _providers(row: Record | None) -> list[ResourceProvider]:
    rows = row["providers"] if row else []
    # A provider that was deleted while it was read has no properties.
    return [ResourceProvider._make(values) for values in rows if values[0] is not None]
