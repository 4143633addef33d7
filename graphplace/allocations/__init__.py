"""Allocations: what consumers hold of providers, read, claimed and released."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from graphplace import resource_classes
from graphplace.allocations.claim import Allocation, Claim, ConsumerAllocations, Generation, ProviderAllocations
from graphplace.allocations.held import Held, Room, lock
from graphplace.allocations.plan import (
    Changes,
    grant,
    misfits,
    missing_providers,
    stale_consumers,
    used_after,
)
from graphplace.cypher import statement
from graphplace.errors import BadRequestError, GraphplaceError, NotFoundError, raise_first
from graphplace.graph.database import Database, Transaction
from graphplace.locks import read_settled
from graphplace.providers import unknown as unknown_provider

__all__ = [
    "Allocation",
    "Changes",
    "Claim",
    "ConsumerAllocations",
    "Generation",
    "Held",
    "ProviderAllocations",
    "Room",
    "decide",
    "delete",
    "grant",
    "lock",
    "objections",
    "of_consumer",
    "of_provider",
    "replace",
    "used_after",
    "write",
]


def of_consumer(database: Database, consumer_uuid: str) -> ConsumerAllocations | None:
    """Return what a consumer holds; None when there is no such consumer: one without allocations does not exist."""
    body, stamp = statement("allocations.of_consumer"), statement("allocations.revision")
    row = database.read(lambda tx: read_settled(tx, body, stamp, consumer_uuid=consumer_uuid))
    if row is None or not row["allocations"]:
        return None
    return ConsumerAllocations(
        row["generation"],
        row["project_id"],
        row["user_id"],
        row["consumer_type"],
        _grouped(row["allocations"]),
        _newest(row["allocations"]),
    )


def of_provider(database: Database, provider_uuid: str) -> ProviderAllocations:
    """Return what is held of a provider. Raises NotFoundError."""
    body, stamp = statement("allocations.of_provider"), statement("locks.revision")
    row = database.read(lambda tx: read_settled(tx, body, stamp, provider_uuid=provider_uuid))
    if row is None:
        raise unknown_provider(provider_uuid)
    found = row["allocations"]
    return ProviderAllocations(row["generation"], _grouped(found), _newest(found) if found else None)


def replace(database: Database, claims: Sequence[Claim]) -> None:
    """Fulfil all *claims*, each of another consumer, or none.

    Raises ConcurrentUpdateError for a consumer that is at another generation, BadRequestError for an unknown provider
    or resource class, ConflictError for what the inventories do not allow.
    """

    def work(tx: Transaction) -> None:
        held = lock(tx, claims)
        changes = decide(tx, held, claims)
        write(tx, held, changes, dict.fromkeys(changes.touched, 1))

    database.write(work)


def delete(database: Database, consumer_uuid: str) -> None:
    """Release all that a consumer holds. Raises NotFoundError when that is nothing."""

    def work(tx: Transaction) -> None:
        if tx.one(statement("allocations.release"), consumer_uuid=consumer_uuid) is None:
            raise NotFoundError(f"No allocations for consumer '{consumer_uuid}'")

    database.write(work)


def decide(tx: Transaction, held: Held, claims: Sequence[Claim]) -> Changes:
    """Return what fulfilling *claims* changes. Raises as :func:`replace` does."""
    raise_first(objections(tx, held, claims))
    return grant(held, claims)


def objections(tx: Transaction, held: Held, claims: Sequence[Claim]) -> Iterator[GraphplaceError]:
    """Yield all that is in the way of *claims*; the first is what :func:`replace` raises."""
    yield from stale_consumers(held, claims)
    yield from missing_providers(held, claims)
    yield from _missing_classes(tx, held, claims)
    yield from misfits(held, claims)


def write(tx: Transaction, held: Held, changes: Changes, generations: Mapping[str, int]) -> None:
    """Write *changes*, decided on *held*, and raise the *generations* of providers by the numbers given."""
    missing = {
        "projects": {owner.project_id for owner in changes.owners} - held.projects,
        "users": {owner.user_id for owner in changes.owners} - held.users,
        "consumer_types": {owner.consumer_type for owner in changes.owners if owner.consumer_type}
        - held.consumer_types,
    }
    if any(missing.values()):
        tx.run(statement("allocations.create_shared"), **{name: sorted(ids) for name, ids in missing.items()})
    tx.run(
        statement("allocations.write"),
        created=changes.created,
        kept=changes.kept,
        deleted=changes.deleted,
        owners=[vars(owner) for owner in changes.owners],
        allocations=[vars(new) | {"position": position} for position, new in enumerate(changes.allocations)],
        used=[
            {"provider_uuid": provider, "resource_class": name, "amount": amount}
            for (provider, name), amount in changes.used.items()
        ],
        generations=[{"provider_uuid": uuid, "by": by} for uuid, by in generations.items()],
    )


def _missing_classes(tx: Transaction, held: Held, claims: Sequence[Claim]) -> Iterator[BadRequestError]:
    """Yield an error for each claim of a resource class that does not exist; one that a provider has does."""
    for claim in claims:
        doubtful = {
            name
            for provider, resources in claim.allocations.items()
            for name in resources
            if (provider, name) not in held.inventories
        }
        if doubtful and (unknown := resource_classes.unknown(tx, doubtful)):
            yield BadRequestError(
                f"Unable to allocate inventory for consumer {claim.consumer_uuid}: "
                f"No such resource class {', '.join(unknown)}."
            )


def _grouped(rows: Iterable[Sequence[Any]]) -> dict[str, Allocation]:
    """Return allocations by the uuid of the other end, from rows of uuid, generation, class, amount and time."""
    generations: dict[str, int] = {}
    resources: dict[str, dict[str, int]] = defaultdict(dict)
    for uuid, generation, resource_class, amount, _ in rows:
        generations[uuid] = generation
        resources[uuid][resource_class] = amount
    return {uuid: Allocation(generations[uuid], found) for uuid, found in resources.items()}


def _newest(rows: Iterable[Sequence[Any]]) -> datetime:
    newest: datetime = max(created_at for *_, created_at in rows).to_native()
    return newest
