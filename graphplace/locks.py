"""Locks, which every write takes before it reads what it depends on, in one total order, so that no two wait in a ring.

1. Consumers, by uuid. One that does not exist yet is locked as well: looking up an absent unique key, in a statement
   that writes, locks the key. Whoever else wants to create that consumer waits.
2. Providers, by uuid: those that a write names, and those that its consumers hold something of. A provider's lock
   covers its inventories and the allocations against them; a consumer's lock covers what it holds, so that the
   providers to be locked are known once it is.
3. Projects, users and consumer types, which are locked only by the write that creates them. Existing ones are never
   written to.

Which providers a write concerns can in part only be read before they are locked: roots and subtrees, the holders of a
resource class. Such a write reads again afterwards, and when there are others now it starts anew with both.

Before all of these: hosts, cells and host aggregates, which operators write now and then, have one lock together. Who
holds it locks the root providers that it concerns next.

Traits and resource classes are not locked. To delete one waits for every write that is giving it to somebody, and
Neo4j refuses to commit when one did: the work starts anew and finds it in use.

A node that was deleted while its lock was waited for is still matched, without properties and relationships: a
statement that locks must look again.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from neo4j import Record

from graphplace.cypher import Statement, statement
from graphplace.errors import ConcurrentUpdateError, StoreUnavailableError
from graphplace.graph.database import StaleReadError, Transaction

# What is written to faster than it can be read is given as it was last read.
MOST_READS = 10


@dataclass(frozen=True)
class LockedProvider:
    """A provider whose lock the current transaction holds, as it was read under that lock."""

    uuid: str
    name: str
    generation: int


def lock_providers(tx: Transaction, uuids: Iterable[str]) -> dict[str, LockedProvider]:
    """Lock the providers *uuids* and return those that exist, by uuid.

    A lock lasts until the transaction ends. It bumps the provider's ``revision``, by which readers of many rows
    notice a write. Take all locks of a transaction in one call: a second call breaks the total order.
    """
    rows = tx.run(statement("locks.lock_providers"), uuids=sorted(set(uuids)))
    return {row["uuid"]: LockedProvider(row["uuid"], row["name"], row["generation"]) for row in rows}


def lock_hosts(tx: Transaction) -> None:
    """Lock all hosts, cells and host aggregates; it comes before :func:`lock_providers`.

    One thing may still change meanwhile: a provider that a host stands for may be deleted.
    """
    tx.run(statement("locks.lock_hosts"))


def lock_concerned(tx: Transaction, concerned: Callable[[], Iterable[str]], seen: set[str]) -> None:
    """Lock all providers that *concerned* reads the uuids of, so that it would read the same until *tx* ends.

    Raises StaleReadError when it reads others once they are locked. *seen* keeps what it has read, from one try of a
    write to the next, and all of that is locked: each try knows more, and where many race one of the next succeeds.
    """
    seen.update(concerned())
    lock_providers(tx, seen)
    if not seen.issuperset(now := set(concerned())):
        seen.update(now)
        raise StaleReadError


def check_generation(provider: LockedProvider, generation: int) -> None:
    """Raise ConcurrentUpdateError unless *provider* is at *generation*."""
    if provider.generation != generation:
        raise ConcurrentUpdateError(
            f"resource provider generation conflict: {provider.uuid} is at generation {provider.generation}, "
            f"not {generation}. Resource provider's generation already changed. Please update the generation and "
            "try again."
        )


def bump_generations(tx: Transaction, uuids: Iterable[str]) -> dict[str, int]:
    """Add one to the generation of each of the providers *uuids*, which are locked; return the new ones by uuid."""
    rows = tx.run(statement("locks.bump_generations"), uuids=sorted(set(uuids)))
    return {row["uuid"]: row["generation"] for row in rows}


def read_settled(tx: Transaction, body: Statement, stamp: Statement, /, **parameters: Any) -> Record | None:
    """Return the one row of *body* as it was at one moment, though without a lock.

    Neo4j may show a write half done. So *body* is read again while anything in its lists lacks a property, as what is
    being deleted does, and while its ``revision``, which it reads first, is not the one that *stamp* reads afterwards.
    Raises StoreUnavailableError when nothing whole is seen.
    """
    row = None
    for _ in range(MOST_READS):
        row = tx.one(body, **parameters)
        if row is not None and _is_torn(row):
            continue
        after = tx.one(stamp, **{name: parameters[name] for name in stamp.parameters})
        if (row and row["revision"]) == (after and after["revision"]):
            return row
    if row is not None and _is_torn(row):
        raise StoreUnavailableError("What was asked for is written to faster than it can be read; try again.")
    return row


def _is_torn(row: Record) -> bool:
    return any(_lacks(column) for column in row.values() if isinstance(column, list))


def _lacks(value: Any) -> bool:
    """Tell whether there is a null anywhere in *value*."""
    if isinstance(value, dict | list):
        return any(map(_lacks, value.values() if isinstance(value, dict) else value))
    return value is None
