"""What consumers hold and providers have, read under the locks that a claim needs."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphplace.allocations.claim import Claim
from graphplace.cypher import statement
from graphplace.graph.database import Transaction
from graphplace.inventories import Key
from graphplace.locks import LockedProvider


@dataclass(frozen=True)
class Consumer:
    """A consumer that exists."""

    generation: int
    project_id: str
    user_id: str
    consumer_type: str | None


@dataclass(frozen=True)
class Room:
    """The numbers of an inventory that decide whether a claim fits, in the units of its class."""

    capacity: int
    used: int
    min_unit: int
    max_unit: int
    step_size: int


@dataclass(frozen=True)
class Held:
    """Everything that decides about some claims.

    ``allocations`` are those of each consumer, ``inventories`` those of all providers concerned; their keys are
    (provider uuid, resource class). ``projects``, ``users`` and ``consumer_types`` are those of the claims that exist.
    """

    consumers: Mapping[str, Consumer]
    allocations: Mapping[str, Mapping[Key, int]]
    providers: Mapping[str, LockedProvider]
    inventories: Mapping[Key, Room]
    projects: frozenset[str] = frozenset()
    users: frozenset[str] = frozenset()
    consumer_types: frozenset[str] = frozenset()


def lock(tx: Transaction, claims: Sequence[Claim], *, providers: Iterable[str] = ()) -> Held:
    """Lock the consumers of *claims*, then all providers concerned; return what they hold and have.

    Concerned are the providers that the consumers hold something of, those that claims name, and *providers*. A uuid
    that does not exist is absent from the answer; that of a consumer is locked even so: until the transaction ends,
    nobody else creates it.
    """
    row = tx.one(
        statement("allocations.lock"),
        consumers=sorted({claim.consumer_uuid for claim in claims}),
        providers=[*providers, *(uuid for claim in claims for uuid in claim.allocations)],
        projects=list({claim.project_id for claim in claims}),
        users=list({claim.user_id for claim in claims}),
        consumer_types=list({claim.consumer_type for claim in claims if claim.consumer_type is not None}),
    )
    if row is None:
        raise AssertionError("The statement gives one row, whatever it finds.")
    allocations: dict[str, dict[Key, int]] = defaultdict(dict)
    for consumer, provider, resource_class, amount in row["allocations"]:
        allocations[consumer][provider, resource_class] = amount
    return Held(
        consumers={uuid: Consumer(*consumer) for uuid, *consumer in row["consumers"]},
        allocations=dict(allocations),
        providers={uuid: LockedProvider(uuid, name, generation) for uuid, name, generation in row["providers"]},
        inventories={(provider, name): Room(*room) for provider, name, *room in row["inventories"]},
        projects=frozenset(row["projects"]),
        users=frozenset(row["users"]),
        consumer_types=frozenset(row["consumer_types"]),
    )
