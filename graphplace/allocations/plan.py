"""Whether claims can be granted, and what granting them changes: decided from what is held, without the graph."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from graphplace.allocations.claim import Claim, Generation
from graphplace.allocations.held import Consumer, Held, Room
from graphplace.errors import BadRequestError, ConcurrentUpdateError, ConflictError
from graphplace.inventories import Key


@dataclass(frozen=True)
class Owner:
    """Whose a consumer is."""

    consumer_uuid: str
    project_id: str
    user_id: str
    consumer_type: str | None


@dataclass(frozen=True)
class NewAllocation:
    """An allocation to be written."""

    consumer_uuid: str
    provider_uuid: str
    resource_class: str
    amount: int


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What granting claims writes.

    ``created``, ``kept`` and ``deleted`` are consumers; those kept lose what they held, and their generation grows.
    ``used`` is what is in use afterwards of each inventory concerned, ``touched`` the providers whose generation
    grows by one.
    """

    created: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    owners: list[Owner] = field(default_factory=list)
    allocations: list[NewAllocation] = field(default_factory=list)
    used: Mapping[Key, int]
    touched: frozenset[str] = frozenset()


def grant(held: Held, claims: Sequence[Claim]) -> Changes:
    """Return the changes that fulfil all *claims* together; each is of another consumer, and nothing objects to any."""
    requested = [allocation for claim in claims for allocation in _allocations(claim)]
    emptied = [claim.consumer_uuid for claim in claims if not claim.allocations]
    staying = sorted((claim for claim in claims if claim.allocations), key=lambda claim: claim.consumer_uuid)
    owners = {claim.consumer_uuid: _owner(held, claim) for claim in staying}
    return Changes(
        created=[uuid for uuid in owners if uuid not in held.consumers],
        kept=[uuid for uuid in owners if uuid in held.consumers],
        deleted=sorted(uuid for uuid in emptied if uuid in held.consumers),
        owners=[owner for uuid, owner in owners.items() if _is_new(held.consumers.get(uuid), owner)],
        allocations=requested,
        used=used_after(held, claims),
        touched=frozenset(
            [allocation.provider_uuid for allocation in requested]
            + [provider for uuid in emptied for provider, _ in held.allocations.get(uuid, {})]
        ),
    )


def used_after(held: Held, claims: Sequence[Claim]) -> dict[Key, int]:
    """Return what is in use, once all *claims* are fulfilled, of each inventory that they concern."""
    changes: Counter[Key] = Counter()
    for claim in claims:
        changes.subtract(held.allocations.get(claim.consumer_uuid, {}))
        for allocation in _allocations(claim):
            changes[allocation.provider_uuid, allocation.resource_class] += allocation.amount
    return {key: held.inventories[key].used + change for key, change in changes.items() if key in held.inventories}


def stale_consumers(held: Held, claims: Sequence[Claim]) -> Iterator[ConcurrentUpdateError]:
    """Yield an error for each consumer that is not at the generation that its claim was made for."""
    for claim in claims:
        consumer = held.consumers.get(claim.consumer_uuid)
        actual = consumer.generation if consumer else None
        if claim.consumer_generation is not Generation.ANY and actual != claim.consumer_generation:
            yield ConcurrentUpdateError(
                f"consumer generation conflict - expected {_or_null(actual)} but got "
                f"{_or_null(claim.consumer_generation)} for consumer {claim.consumer_uuid}."
            )


def missing_providers(held: Held, claims: Sequence[Claim]) -> Iterator[BadRequestError]:
    """Yield an error for each provider of *claims* that does not exist."""
    for claim in claims:
        for uuid in claim.allocations:
            if uuid not in held.providers:
                yield BadRequestError(f"Allocation for resource provider '{uuid}' that does not exist.")


def misfits(held: Held, claims: Sequence[Claim]) -> Iterator[ConflictError]:
    """Yield an error for each amount that *claims* cannot have together.

    Either its inventory is missing, or does not allow such an amount, or a sum exceeds a capacity and what was in use
    before.
    """
    used = used_after(held, claims)
    for claim in claims:
        for allocation in _allocations(claim):
            if reason := _misfit(held, allocation, used):
                yield ConflictError(f"Unable to allocate inventory: {reason}")


def _allocations(claim: Claim) -> Iterator[NewAllocation]:
    for provider_uuid, resources in claim.allocations.items():
        for resource_class, amount in resources.items():
            yield NewAllocation(claim.consumer_uuid, provider_uuid, resource_class, amount)


def _misfit(held: Held, allocation: NewAllocation, used: Mapping[Key, int]) -> str | None:
    key = allocation.provider_uuid, allocation.resource_class
    room = held.inventories.get(key)
    if room is None:
        return (
            f"Inventory for '{allocation.resource_class}' on resource provider '{allocation.provider_uuid}' does not "
            "exist."
        )
    if reason := _objection(room, allocation.amount, used[key]):
        return (
            f"Unable to create allocation for '{allocation.resource_class}' on resource provider "
            f"'{allocation.provider_uuid}'. The requested amount would {reason}"
        )
    return None


def _objection(room: Room, amount: int, used: int) -> str | None:
    if not room.min_unit <= amount <= room.max_unit or amount % room.step_size:
        return (
            f"violate inventory constraints: {amount} is not between {room.min_unit} and {room.max_unit} "
            f"in steps of {room.step_size}."
        )
    # An inventory may have shrunk below what is in use. What leaves it no fuller than it was is no reason to refuse.
    if used > room.capacity and used > room.used:
        return f"exceed the capacity: {used} of {room.capacity} would be in use, where {room.used} are now."
    return None


def _owner(held: Held, claim: Claim) -> Owner:
    consumer = held.consumers.get(claim.consumer_uuid)
    consumer_type = claim.consumer_type or (consumer.consumer_type if consumer else None)
    return Owner(claim.consumer_uuid, claim.project_id, claim.user_id, consumer_type)


def _is_new(consumer: Consumer | None, owner: Owner) -> bool:
    if consumer is None:
        return True
    stored = consumer.project_id, consumer.user_id, consumer.consumer_type
    return stored != (owner.project_id, owner.user_id, owner.consumer_type)


def _or_null(generation: int | None) -> str:
    return "null" if generation is None else str(generation)
