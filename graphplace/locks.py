"""Locks on providers, which every write takes before it reads what it depends on.

All writes take them in one total order, by uuid, so that two never wait for each other. Writes to the structure of
trees (create under a parent, re-parent, un-parent, delete) lock the roots concerned as well, and then read again
that they still are the roots.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from graphplace.cypher import statement
from graphplace.errors import ConcurrentUpdateError
from graphplace.graph.database import Transaction


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
