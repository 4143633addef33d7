"""Aggregates: the groups that resource providers are members of, known by their uuid alone."""

from dataclasses import dataclass

from graphplace.cypher import statement
from graphplace.graph.database import Database, Transaction
from graphplace.locks import bump_generations, check_generation, lock_providers
from graphplace.providers.provider import unknown

SHARING_TRAIT = "MISC_SHARES_VIA_AGGREGATE"


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
        derive_sharing(tx, uuid)
        if generation is None:
            return Memberships(aggregates, provider.generation)
        return Memberships(aggregates, bump_generations(tx, [uuid])[uuid])

    return database.write(work)


def derive_sharing(tx: Transaction, uuid: str) -> None:
    """Let the provider *uuid*, which is locked, share with the aggregates it is in if it has the sharing trait.

    Whoever writes a provider's memberships or traits calls this in the same transaction.
    """
    tx.run(statement("aggregates.derive_sharing"), uuid=uuid, trait=SHARING_TRAIT)
