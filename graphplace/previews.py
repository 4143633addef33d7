"""Previews of reshapes: what there is before and after, and what is in the way, with nothing changed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from graphplace import allocations, reshaper
from graphplace.allocations import Claim, Held, Room
from graphplace.errors import Code
from graphplace.graph.database import Database, Transaction
from graphplace.inventory import MAX_CAPACITY
from graphplace.reshaper import Shape


@dataclass(frozen=True)
class InventoryChange:
    """An inventory before and after, in the units of its class; None where there is none.

    Amounts that no inventory can give, which a claim may ask for, are told as the greatest capacity that there can be.
    """

    resource_class: str
    before: Room | None
    after: Room | None


@dataclass(frozen=True)
class ProviderChange:
    """A provider with its inventories, changed or not; ``generation`` is the one that it has now."""

    uuid: str
    name: str
    generation: int
    inventories: Sequence[InventoryChange]


@dataclass(frozen=True)
class AllocationChange:
    """How much of a provider's inventory a consumer holds before and after, in the units of its class."""

    provider_uuid: str
    resource_class: str
    before: int
    after: int


@dataclass(frozen=True)
class ConsumerChange:
    """All that a consumer holds, changed or not; ``generation`` is the one that it has now, None if it is new."""

    uuid: str
    generation: int | None
    allocations: Sequence[AllocationChange]


@dataclass(frozen=True)
class Conflict:
    """Something that is in the way: HTTP status, Placement's code and the words of the refusal."""

    status: int
    code: Code
    detail: str


@dataclass(frozen=True)
class Preview:
    """What a reshape does to each provider and consumer concerned, and the conflicts that keep it from being done."""

    providers: Sequence[ProviderChange]
    consumers: Sequence[ConsumerChange]
    conflicts: Sequence[Conflict]


def preview(database: Database, shapes: Mapping[str, Shape], claims: Sequence[Claim]) -> Preview:
    """Return what :func:`graphplace.reshaper.reshape` would do now.

    Providers are in the order of their names and consumers in that of *claims*. The first conflict is what the reshape
    would raise; those after it may be of its making. What does not exist is only in conflicts.
    """

    def work(tx: Transaction) -> Preview:
        held = allocations.lock(tx, claims, providers=shapes)
        found = reshaper.after(held, shapes, claims)
        after = {key: replace(room, used=min(room.used, MAX_CAPACITY)) for key, room in found.items()}
        return Preview(
            _providers(held, after),
            [_consumer(held, claim) for claim in claims],
            [Conflict(one.status, one.code, str(one)) for one in reshaper.objections(tx, held, shapes, claims)],
        )

    return database.rehearse(work)


def _providers(held: Held, after: Mapping[tuple[str, str], Room]) -> list[ProviderChange]:
    classes: dict[str, set[str]] = {}
    for uuid, name in [*held.inventories, *after]:
        classes.setdefault(uuid, set()).add(name)
    return [
        ProviderChange(
            one.uuid,
            one.name,
            one.generation,
            [
                InventoryChange(name, held.inventories.get((one.uuid, name)), after.get((one.uuid, name)))
                for name in sorted(classes.get(one.uuid, ()))
            ],
        )
        for one in sorted(held.providers.values(), key=lambda provider: provider.name)
    ]


def _consumer(held: Held, claim: Claim) -> ConsumerChange:
    before = held.allocations.get(claim.consumer_uuid, {})
    after = {
        (uuid, name): min(amount, MAX_CAPACITY)
        for uuid, found in claim.allocations.items()
        for name, amount in found.items()
    }
    known = held.consumers.get(claim.consumer_uuid)
    return ConsumerChange(
        claim.consumer_uuid,
        known.generation if known else None,
        [AllocationChange(*key, before.get(key, 0), after.get(key, 0)) for key in _both(before, after)],
    )


def _both(before: Iterable[tuple[str, str]], after: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return sorted({*before, *after})
