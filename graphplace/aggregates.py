"""Aggregates: the groups that resource providers are members of, known by their uuid alone."""

from collections.abc import Iterable
from dataclasses import dataclass

from graphplace.cypher import statement
from graphplace.graph.database import Database, Transaction
from graphplace.locks import bump_generations, check_generation, lock_providers
from graphplace.providers.provider import unknown

SHARING_TRAIT = "MISC_SHARES_VIA_AGGREGATE"

# Of a provider and of an aggregate, the uuids.
Pairs = Iterable[tuple[str, str]]


@dataclass(frozen=True)
class Memberships:
    """The uuids of the aggregates that a provider is a member of, and the generation of the provider."""

    aggregates: list[str]
    generation: int


def get(database: Database, uuid: str) -> Memberships:
    """Return the memberships of the provider *uuid*. Raises NotFoundError."""
    row = database.read(lambda tx: tx.one(statement("aggregates.of_provider"), uuid=uuid))
    if row is None:
        raise unknown(uuid)
    return Memberships(sorted(row["aggregates"]), row["generation"])


def replace(database: Database, uuid: str, aggregates: list[str], generation: int | None) -> Memberships:
    """Make the provider *uuid*, which is at *generation*, a member of *aggregates* and of no others.

    Aggregates come to be by being named, and are told apart by the letters of their uuids exactly. The generation
    goes up even when nothing changes; with None it is neither checked nor changed. Raises NotFoundError,
    ConcurrentUpdateError.
    """

    def work(tx: Transaction) -> Memberships:
        provider = lock_providers(tx, [uuid]).get(uuid)
        if provider is None:
            raise unknown(uuid)
        if generation is not None:
            check_generation(provider, generation)
        # In one order, so that two who create the same new aggregates never wait for each other.
        wanted = sorted(aggregates)
        tx.run(statement("aggregates.ensure"), aggregates=wanted)
        tx.run(statement("aggregates.leave_all_but"), uuid=uuid, aggregates=wanted)
        tx.run(statement("aggregates.join"), uuid=uuid, aggregates=wanted)
        derive_sharing(tx, [uuid])
        if generation is None:
            return Memberships(aggregates, provider.generation)
        return Memberships(aggregates, bump_generations(tx, [uuid])[uuid])

    return database.write(work)


def change(tx: Transaction, *, joined: Pairs = (), left: Pairs = ()) -> None:
    """Let providers, all of them locked, join aggregates and leave others, each with one generation more.

    A member joins once more without effect.
    """
    joining, leaving = sorted(set(joined)), sorted(set(left))
    changed = sorted({uuid for uuid, _ in joining + leaving})
    if not changed:
        return
    write(tx, joined=joining, left=leaving)
    derive_sharing(tx, changed)
    bump_generations(tx, changed)


def write(tx: Transaction, *, joined: Pairs, left: Pairs) -> None:
    """Write that providers joined aggregates and left others, and nothing of what follows from it."""
    if rows := _rows(left):
        tx.run(statement("aggregates.leave_each"), rows=rows)
    if rows := _rows(joined):
        tx.run(statement("aggregates.ensure"), aggregates=sorted({row["name"] for row in rows}))
        tx.run(statement("aggregates.join_each"), rows=rows)


def derive_sharing(tx: Transaction, uuids: Iterable[str]) -> None:
    """Let the providers *uuids*, which are locked, share with the aggregates they are in, if they have the trait of it.

    Whoever writes a provider's memberships or traits calls this in the same transaction.
    """
    if providers := sorted(uuids):
        tx.run(statement("aggregates.derive_sharing"), uuids=providers, trait=SHARING_TRAIT)


def _rows(pairs: Pairs) -> list[dict[str, str]]:
    return [{"provider": provider, "name": aggregate} for provider, aggregate in pairs]
