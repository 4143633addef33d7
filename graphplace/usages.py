"""Usages: how much of each resource class is in use, of one provider or by one project."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from graphplace.cypher import statement
from graphplace.graph.database import Database
from graphplace.locks import read_settled
from graphplace.providers import unknown as unknown_provider

# What consumers without a type are told apart by, and what asks for all of them together: no type is called so,
# because types are in capitals.
UNKNOWN, ALL = "unknown", "all"


@dataclass(frozen=True)
class ProviderUsages:
    """What is in use of each of a provider's inventories, by resource class, in the class's units."""

    generation: int
    used: Mapping[str, int]


@dataclass(frozen=True)
class TypeUsages:
    """How many consumers there are of one type, and what they use by resource class, in the class's units."""

    consumers: int
    used: Counter[str] = field(default_factory=Counter)


def of_provider(database: Database, provider_uuid: str) -> ProviderUsages:
    """Return what is in use of a provider, zeros included. Raises NotFoundError."""
    body, stamp = statement("usages.of_provider"), statement("locks.revision")
    row = database.read(lambda tx: read_settled(tx, body, stamp, provider_uuid=provider_uuid))
    if row is None:
        raise unknown_provider(provider_uuid)
    return ProviderUsages(row["generation"], dict(row["used"]))


def of_project(
    database: Database, project_id: str, *, user_id: str | None = None, consumer_type: str | None = None
) -> dict[str, TypeUsages]:
    """Return what a project's consumers use, by consumer type; a type without consumers is left out.

    *user_id* keeps the consumers of one user. *consumer_type* keeps those of one type, ``unknown`` those without a
    type, and ``all`` puts all together under that word.
    """
    row = database.read(
        lambda tx: read_settled(
            tx,
            statement("usages.of_project"),
            project_id=project_id,
            user_id=user_id,
            consumer_type=None if consumer_type in {UNKNOWN, ALL} else consumer_type,
            untyped=consumer_type == UNKNOWN,
        )
    )
    usages: dict[str, TypeUsages] = {}
    for name, consumers, resource_class, used in row["usages"] if row else []:
        found = usages.setdefault(name, TypeUsages(consumers))
        found.used[resource_class] = used
    if consumer_type == ALL and usages:
        return {ALL: _together(list(usages.values()))}
    return usages


def _together(usages: Sequence[TypeUsages]) -> TypeUsages:
    together = TypeUsages(sum(one.consumers for one in usages))
    for one in usages:
        together.used.update(one.used)
    return together
