"""Traits: the standard ones (os-traits) and those of the cloud, called ``CUSTOM_...``."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

import os_traits

from graphplace.cypher import statement
from graphplace.errors import BadRequestError, ConflictError, NotFoundError
from graphplace.graph.database import Database, Transaction
from graphplace.listing import Listing


@dataclass(frozen=True)
class Trait:
    """A trait: its name, and when it was last written."""

    name: str
    updated_at: datetime


def index(
    database: Database,
    *,
    names: list[str] | None = None,
    prefix: str | None = None,
    associated: bool | None = None,
) -> Listing:
    """Return the names of the traits that pass every filter given.

    *names* keeps those named (unknown names are no error), *prefix* those whose name starts so, *associated* those
    that some provider has (True) or that none has (False).
    """
    row = database.read(lambda tx: tx.one(statement("traits.index"), names=names, prefix=prefix, associated=associated))
    return Listing.of(row)


def get(database: Database, name: str) -> Trait:
    """Return the trait called *name*. Raises NotFoundError."""
    row = database.read(lambda tx: tx.one(statement("traits.get"), name=name))
    if row is None:
        raise _unknown(name)
    return Trait(row["name"], row["updated_at"].to_native())


def unknown(tx: Transaction, names: Collection[str]) -> list[str]:
    """Return those of *names* that no trait has, sorted."""
    row = tx.one(statement("traits.unknown"), names=list(names)) if names else None
    return sorted(row["names"]) if row else []


def ensure(database: Database, name: str) -> tuple[Trait, bool]:
    """Create the trait *name* unless it exists; return it and whether it was created."""

    def work(tx: Transaction) -> tuple[Trait, bool]:
        row = tx.one(statement("traits.get"), name=name)
        created = row is None
        row = row or tx.one(statement("traits.create"), name=name)
        if row is None:
            raise _unknown(name)
        return Trait(row["name"], row["updated_at"].to_native()), created

    return database.write(work)


def delete(database: Database, name: str) -> None:
    """Delete the custom trait *name*.

    Raises NotFoundError, BadRequestError for a standard trait, ConflictError when a provider has it.
    """

    def work(tx: Transaction) -> None:
        if tx.one(statement("traits.get"), name=name) is None:
            raise _unknown(name)
        if name in os_traits.get_traits():
            raise BadRequestError(f"Cannot delete standard trait {name}.")
        in_use = tx.one(statement("traits.count_providers"), name=name)
        if in_use is not None and in_use["providers"]:
            raise ConflictError(f"The trait {name} is in use by a resource provider.")
        tx.run(statement("traits.delete"), name=name)

    database.write(work)


def _unknown(name: str) -> NotFoundError:
    return NotFoundError(f"No such trait: {name}.")
