"""Usages: how much of each resource class is in use, of one provider, by one project, or of the whole cloud."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from graphplace.cypher import statement
from graphplace.graph.budget import Budget
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


@dataclass
class TypeUsages:
    """How many consumers there are of one type, and what they use by resource class, in the class's units."""

    consumers: int = 0
    used: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class ClassUsage:
    """What all inventories of the resource class ``name`` give and what is in use of it, in the class's units."""

    name: str
    inventories: int
    capacity: int
    used: int


@dataclass(frozen=True)
class CloudUsages:
    """How many there are of what a cloud is made of, and its resource classes, the commonest ones first."""

    providers: int
    consumers: int
    allocations: int
    classes: tuple[ClassUsage, ...]


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
    row = database.read(lambda tx: tx.one(statement("usages.of_project"), project_id=project_id, user_id=user_id))
    usages: dict[str, TypeUsages] = {}
    for text, consumers in row["usages"] if row else []:
        name, *used = text.split(" ")
        name = ALL if consumer_type == ALL else name or UNKNOWN
        if consumer_type in {None, name}:
            found = usages.setdefault(name, TypeUsages())
            found.consumers += consumers
            for resource_class, amount in (held.split("=") for held in used):
                found.used[resource_class] += consumers * int(amount)
    return usages


def of_cloud(database: Database, budget: Budget) -> CloudUsages:
    """Return what the whole cloud has and uses, which reads every inventory. Raises TimeBudgetError."""
    (row,) = database.read(lambda tx: tx.run(statement("usages.of_cloud")), budget)
    classes = (ClassUsage(*found) for found in row["classes"])
    return CloudUsages(row["providers"], row["consumers"], row["allocations"], tuple(classes))
