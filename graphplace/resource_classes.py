"""Resource classes: the standard ones (os-resource-classes) and those of the cloud, called ``CUSTOM_...``."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

import os_resource_classes

from graphplace.cypher import statement
from graphplace.errors import BadRequestError, ConflictError, NotFoundError
from graphplace.graph.database import Database, Transaction
from graphplace.listing import Listing
from graphplace.locks import lock_concerned

_POSITIONS = {name: position for position, name in enumerate(os_resource_classes.STANDARDS)}


@dataclass(frozen=True)
class ResourceClass:
    """A resource class: its name, and when it was last written."""

    name: str
    updated_at: datetime


def index(database: Database) -> Listing:
    """Return the names of all resource classes."""
    return Listing.of(database.read(lambda tx: tx.one(statement("resource_classes.index"))))


def get(database: Database, name: str) -> ResourceClass:
    """Return the resource class called *name*. Raises NotFoundError."""
    row = database.read(lambda tx: tx.one(statement("resource_classes.get"), name=name))
    if row is None:
        raise _unknown(name)
    return ResourceClass(row["name"], row["updated_at"].to_native())


def unknown(tx: Transaction, names: Collection[str]) -> list[str]:
    """Return those of *names* that no resource class has, sorted."""
    row = tx.one(statement("resource_classes.unknown"), names=list(names)) if names else None
    return sorted(row["names"]) if row else []


def ensure(database: Database, name: str) -> bool:
    """Create the resource class *name* unless it exists, and return whether it was created."""

    def work(tx: Transaction) -> bool:
        if tx.one(statement("resource_classes.get"), name=name) is not None:
            return False
        tx.run(statement("resource_classes.create"), name=name)
        return True

    return database.write(work)


def create(database: Database, name: str) -> None:
    """Create the resource class *name*. Raises ConflictError when it exists."""
    if not ensure(database, name):
        raise ConflictError(f"Conflicting resource class already exists: {name}.")


def rename(database: Database, name: str, new_name: str) -> None:
    """Call the custom resource class *name* *new_name*, in all inventories and allocations of it.

    Raises NotFoundError, BadRequestError for a standard class, ConflictError when there is a class *new_name*.
    """

    def work(tx: Transaction) -> None:
        lock_concerned(tx, lambda: _holders(tx, name), seen)
        if tx.one(statement("resource_classes.get"), name=name) is None:
            raise _unknown(name)
        if name in os_resource_classes.STANDARDS:
            raise BadRequestError(f"Cannot update standard resource class {name}.")
        if new_name == name:
            return
        if tx.one(statement("resource_classes.get"), name=new_name) is not None:
            raise ConflictError(f"Resource class already exists: {new_name}.")
        tx.run(statement("resource_classes.rename"), name=name, new_name=new_name)

    seen: set[str] = set()
    database.write(work)


def delete(database: Database, name: str) -> None:
    """Delete the custom resource class *name*.

    Raises NotFoundError, BadRequestError for a standard class, ConflictError when an inventory is of this class.
    """

    def work(tx: Transaction) -> None:
        if tx.one(statement("resource_classes.get"), name=name) is None:
            raise _unknown(name)
        if name in os_resource_classes.STANDARDS:
            raise BadRequestError(f"Error in delete resource class: Cannot delete standard resource class {name}.")
        in_use = tx.one(statement("resource_classes.count_inventories"), name=name)
        if in_use is not None and in_use["inventories"]:
            raise ConflictError(
                f"Error in delete resource class: Cannot delete resource class {name}. Class is in use in inventory: "
                f"{in_use['inventories']} of it."
            )
        tx.run(statement("resource_classes.delete"), name=name)

    database.write(work)


def in_order(names: Iterable[str]) -> list[str]:
    """Return *names* in the order in which messages list them: the standard ones first, as os-resource-classes does."""
    return sorted(names, key=lambda name: (_POSITIONS.get(name, len(_POSITIONS)), name))


def _holders(tx: Transaction, name: str) -> list[str]:
    row = tx.one(statement("resource_classes.holders"), name=name)
    return sorted(row["uuids"]) if row else []


def _unknown(name: str) -> NotFoundError:
    return NotFoundError(f"No such resource class {name}.")
