"""The trees of resource providers: creating, renaming, moving and deleting.

Every write to the structure of a tree locks the root of that tree and all that changes its place, so two of them
never overlap. All else that a relationship comes to or goes from is locked in the same call: Neo4j would lock it
later, out of order, and two such writes would wait for each other.
"""

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from graphplace.cypher import statement
from graphplace.errors import BadRequestError, Code, ConflictError
from graphplace.graph.database import Database, Transaction
from graphplace.locks import lock_concerned, lock_providers
from graphplace.providers.provider import ResourceProvider, read_one, unknown


class Parent(Enum):
    """What :func:`update` may be told instead of a parent."""

    UNCHANGED = "unchanged"


class _Place(NamedTuple):
    """Where a provider stands."""

    parent_uuid: str | None
    root_uuid: str


def create(database: Database, *, uuid: str, name: str, parent_uuid: str | None = None) -> ResourceProvider:
    """Create a resource provider, as a root or below the provider *parent_uuid*, and return it.

    Raises BadRequestError for a parent that does not exist or is the provider itself, ConflictError when *uuid* or
    *name* is taken.
    """

    def work(tx: Transaction) -> ResourceProvider:
        if parents and not _lock_places(tx, lambda: parents, seen):
            raise _not_created(uuid, name, "parent provider UUID does not exist.")
        taken = tx.one(statement("providers.taken"), uuid=uuid, name=name)
        if taken is not None and taken["uuid"]:
            raise ConflictError(f"Conflicting resource provider uuid: {uuid} already exists.", Code.DUPLICATE_NAME)
        if taken is not None and taken["name"]:
            raise _name_taken(name)
        if parent_uuid:
            tx.run(statement("providers.create_child"), uuid=uuid, name=name, parent_uuid=parent_uuid)
        else:
            tx.run(statement("providers.create_root"), uuid=uuid, name=name)
        return read_one(tx, uuid)

    parents = {parent_uuid} if parent_uuid else set()
    seen: set[str] = set()
    if parent_uuid == uuid:
        reason = "parent provider UUID cannot be same as UUID. Leave it out, or null, if there is no parent."
        raise _not_created(uuid, name, reason)
    return database.write(work)


def update(
    database: Database,
    uuid: str,
    *,
    name: str,
    parent_uuid: str | Parent | None = Parent.UNCHANGED,
    reparenting: bool = True,
) -> ResourceProvider:
    """Call the provider *uuid* *name*, move it and all below it to the parent given, and return it.

    None as the parent makes it a root. Its generation stays. Without *reparenting* only a root may get a parent.
    Raises NotFoundError, BadRequestError for a parent that does not exist or is below the provider or the provider
    itself, and for one that may not change, ConflictError when *name* is taken.
    """

    def work(tx: Transaction) -> ResourceProvider:
        if isinstance(parent_uuid, Parent):
            if uuid not in lock_providers(tx, {uuid}):
                raise unknown(uuid)
        else:
            _move(tx, uuid, parent_uuid, seen, reparenting=reparenting)
        _rename(tx, uuid, name)
        return read_one(tx, uuid)

    seen: set[str] = set()
    return database.write(work)


def delete(database: Database, uuid: str) -> None:
    """Delete the provider *uuid* with its inventories, its traits and its memberships.

    Raises NotFoundError, ConflictError when it has children or allocations.
    """

    def work(tx: Transaction) -> None:
        if uuid not in _lock_places(tx, lambda: {uuid}, seen):
            raise unknown(uuid, "for delete")
        dependants = tx.one(statement("providers.dependants"), uuid=uuid)
        if dependants is not None and dependants["children"]:
            raise ConflictError(
                f"Unable to delete parent resource provider {uuid}: It has child resource providers.",
                Code.CANNOT_DELETE_PARENT,
            )
        if dependants is not None and dependants["allocations"]:
            raise ConflictError(
                f"Unable to delete resource provider {uuid}: Resource provider has allocations.", Code.PROVIDER_IN_USE
            )
        tx.run(statement("providers.delete"), uuid=uuid)

    seen: set[str] = set()
    database.write(work)


def _move(tx: Transaction, uuid: str, parent_uuid: str | None, seen: set[str], *, reparenting: bool) -> None:
    """Put the provider *uuid* with all below it where it shall be, unless it is there."""

    def moving() -> set[str]:
        place = _places(tx, {uuid}).get(uuid)
        if place is None:
            raise unknown(uuid)
        return {uuid} if place.parent_uuid == parent_uuid else _subtree(tx, uuid) | {parent_uuid or uuid}

    places = _lock_places(tx, moving, seen)
    if places[uuid].parent_uuid == parent_uuid:
        return
    if parent_uuid is not None and parent_uuid not in places:
        raise _not_moved(uuid, "parent provider UUID does not exist.")
    if places[uuid].parent_uuid is not None and not reparenting:
        change = "un-parenting" if parent_uuid is None else "re-parenting"
        raise _not_moved(uuid, f"{change} a provider is not currently allowed.")
    subtree = _subtree(tx, uuid)
    if parent_uuid in subtree:
        raise _not_moved(uuid, "creating loop in the provider tree is not allowed.")
    tx.run(statement("providers.leave_parent"), uuid=uuid)
    if parent_uuid is not None:
        tx.run(statement("providers.join_parent"), uuid=uuid, parent_uuid=parent_uuid)
    root_uuid = places[parent_uuid].root_uuid if parent_uuid else uuid
    tx.run(statement("providers.join_tree"), uuids=list(subtree), root_uuid=root_uuid)


def _rename(tx: Transaction, uuid: str, name: str) -> None:
    row = tx.one(statement("providers.named"), name=name)
    holders = row["uuids"] if row else []
    if uuid in holders:
        return
    if holders:
        raise _name_taken(name)
    tx.run(statement("providers.rename"), uuid=uuid, name=name)


def _lock_places(tx: Transaction, read: Callable[[], set[str]], seen: set[str]) -> dict[str, _Place]:
    """Lock the providers that *read* names, their parents and roots; return where those that exist stand.

    Raises StaleReadError as :func:`graphplace.locks.lock_concerned` does, which *seen* is for.
    """
    places: dict[str, _Place] = {}

    def concerned() -> set[str]:
        nonlocal places
        places = _places(tx, read())
        return {*places, *(uuid for place in places.values() for uuid in place if uuid)}

    lock_concerned(tx, concerned, seen)
    return places


def _places(tx: Transaction, uuids: set[str]) -> dict[str, _Place]:
    rows = tx.run(statement("providers.places"), uuids=sorted(uuids))
    return {row["uuid"]: _Place(row["parent_uuid"], row["root_uuid"]) for row in rows}


def _subtree(tx: Transaction, uuid: str) -> set[str]:
    row = tx.one(statement("providers.subtree"), uuid=uuid)
    return set(row["uuids"]) if row else set()


def _not_created(uuid: str, name: str, reason: str) -> BadRequestError:
    return BadRequestError(f'Unable to create resource provider "{name}", {uuid}: {reason}')


def _not_moved(uuid: str, reason: str) -> BadRequestError:
    return BadRequestError(f"Unable to save resource provider {uuid}: {reason}")


def _name_taken(name: str) -> ConflictError:
    # Clients tell a name that is taken from a uuid that is by these words.
    return ConflictError(f"Conflicting resource provider name: {name} already exists.", Code.DUPLICATE_NAME)
