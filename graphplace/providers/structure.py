"""The trees of resource providers: creating, renaming, moving and deleting.

Every write to the structure of a tree locks the root of that tree, so two of them on one tree never overlap. Which
root that is can only be read before it is locked, hence it is read again afterwards, and when it was another one
meanwhile the work starts anew. All else that a relationship comes to or goes from is locked in the same call: Neo4j
would lock it later, out of order, and two such writes would wait for each other.
"""

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from graphplace.cypher import statement
from graphplace.errors import BadRequestError, Code, ConflictError
from graphplace.graph.database import Database, StaleReadError, Transaction
from graphplace.locks import lock_providers
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
        places = _lock_places(tx, [parent_uuid] if parent_uuid else [])
        if parent_uuid and parent_uuid not in places:
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
        place = _places(tx, [uuid]).get(uuid)
        if place is None:
            raise unknown(uuid)
        if isinstance(parent_uuid, Parent) or parent_uuid == place.parent_uuid:
            lock_providers(tx, [uuid])
            if _places(tx, [uuid]) != {uuid: place}:
                raise StaleReadError
        else:
            _move(tx, uuid, parent_uuid, reparenting=reparenting)
        _rename(tx, uuid, name)
        return read_one(tx, uuid)

    return database.write(work)


def delete(database: Database, uuid: str) -> None:
    """Delete the provider *uuid* with its inventories, its traits and its memberships.

    Raises NotFoundError, ConflictError when it has children or allocations.
    """

    def work(tx: Transaction) -> None:
        if uuid not in _lock_places(tx, [uuid]):
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

    database.write(work)


def _move(tx: Transaction, uuid: str, parent_uuid: str | None, *, reparenting: bool) -> None:
    moving = _subtree(tx, uuid)
    places = _lock_places(tx, moving | {parent_uuid} if parent_uuid else moving)
    if _subtree(tx, uuid) != moving:
        raise StaleReadError
    if parent_uuid is not None and parent_uuid not in places:
        raise _not_moved(uuid, "parent provider UUID does not exist.")
    if places[uuid].parent_uuid is not None and not reparenting:
        change = "un-parenting" if parent_uuid is None else "re-parenting"
        raise _not_moved(uuid, f"{change} a provider is not currently allowed.")
    if parent_uuid in moving:
        raise _not_moved(uuid, "creating loop in the provider tree is not allowed.")
    tx.run(statement("providers.leave_parent"), uuid=uuid)
    if parent_uuid is not None:
        tx.run(statement("providers.join_parent"), uuid=uuid, parent_uuid=parent_uuid)
    root_uuid = places[parent_uuid].root_uuid if parent_uuid else uuid
    tx.run(statement("providers.join_tree"), uuids=list(moving), root_uuid=root_uuid)


def _rename(tx: Transaction, uuid: str, name: str) -> None:
    row = tx.one(statement("providers.named"), name=name)
    holders = row["uuids"] if row else []
    if uuid in holders:
        return
    if holders:
        raise _name_taken(name)
    tx.run(statement("providers.rename"), uuid=uuid, name=name)


def _lock_places(tx: Transaction, uuids: Iterable[str]) -> dict[str, _Place]:
    """Lock the providers *uuids*, their parents and the roots of their trees; return where those that exist stand.

    Raises StaleReadError when one of them was moved, created or deleted before the locks were there.
    """
    uuids = list(uuids)
    if not uuids:
        return {}
    places = _places(tx, uuids)
    lock_providers(tx, {*places, *(uuid for place in places.values() for uuid in place if uuid)})
    if _places(tx, uuids) != places:
        raise StaleReadError
    return places


def _places(tx: Transaction, uuids: list[str]) -> dict[str, _Place]:
    rows = tx.run(statement("providers.places"), uuids=uuids)
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
