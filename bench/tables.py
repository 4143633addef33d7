"""A cloud as rows of Placement's tables."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from clouds import Document

NOW = "now"
NULL = r"\N"
DEFAULTS: Mapping[str, Any] = {
    "reserved": 0,
    "min_unit": 1,
    "max_unit": 2**31 - 1,
    "step_size": 1,
    "allocation_ratio": 1.0,
}
TIMES = ("created_at", "updated_at")


@dataclass
class Table:
    """Rows to add to a table; each also gets the times of its making."""

    name: str
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]] = field(default_factory=list)

    def text(self) -> str:
        """Return the rows in the text form of PostgreSQL's COPY."""
        return "".join("\t".join(map(str, (*row, NOW, NOW))) + "\n" for row in self.rows)


class Names:
    """The ids of names in a table: those that are there already, and new ones, which become rows."""

    def __init__(self, table: str, column: str, known: Mapping[str, int] | None = None) -> None:
        self.table = Table(table, ("id", column))
        self._ids = dict(known or {})

    def __getitem__(self, name: str) -> int:
        if name not in self._ids:
            self._ids[name] = max(self._ids.values(), default=0) + 1
            self.table.rows.append((self._ids[name], name))
        return self._ids[name]


class Cloud:
    """All rows of a cloud. *classes* and *traits* are those that Placement has by itself, with their ids."""

    def __init__(self, classes: Mapping[str, int], traits: Mapping[str, int]) -> None:
        self._classes = Names("resource_classes", "name", classes)
        self._traits = Names("traits", "name", traits)
        self._aggregates = Names("placement_aggregates", "uuid")
        self._types = Names("consumer_types", "name")
        self._projects = Names("projects", "external_id")
        self._users = Names("users", "external_id")
        self._providers = Table(
            "resource_providers", ("id", "uuid", "name", "generation", "root_provider_id", "parent_provider_id")
        )
        self._inventories = Table("inventories", ("resource_provider_id", "resource_class_id", "total", *DEFAULTS))
        self._provider_traits = Table("resource_provider_traits", ("resource_provider_id", "trait_id"))
        self._memberships = Table("resource_provider_aggregates", ("resource_provider_id", "aggregate_id"))
        self._consumers = Table("consumers", ("uuid", "generation", "project_id", "user_id", "consumer_type_id"))
        self._allocations = Table("allocations", ("resource_provider_id", "consumer_id", "resource_class_id", "used"))
        # The id of a provider, and that of its root, by its name.
        self._ids: dict[str, tuple[int, int]] = {}

    def tables(self) -> Iterator[Table]:
        """Yield the tables, those that others refer to first."""
        for names in (self._classes, self._traits, self._aggregates, self._types, self._projects, self._users):
            yield names.table
        yield self._providers
        yield self._inventories
        yield self._provider_traits
        yield self._memberships
        yield self._consumers
        yield self._allocations

    def add(self, document: Document) -> None:
        """Add what a document says; its parents come before their children."""
        for provider in document["providers"]:
            self._add_provider(provider)
        for consumer in document["consumers"]:
            self._add_consumer(consumer)

    def _add_provider(self, provider: Mapping[str, Any]) -> None:
        number = len(self._ids) + 1
        above, root = self._ids[provider["parent"]] if "parent" in provider else (NULL, number)
        self._ids[provider["name"]] = number, root
        self._providers.rows.append((number, provider["uuid"], provider["name"], 0, root, above))
        for name, given in provider.get("inventories", {}).items():
            amounts = {**DEFAULTS, **given}
            self._inventories.rows.append(
                (number, self._classes[name], *(amounts[column] for column in ("total", *DEFAULTS)))
            )
        self._provider_traits.rows += [(number, self._traits[name]) for name in provider.get("traits", ())]
        self._memberships.rows += [(number, self._aggregates[uuid]) for uuid in provider.get("aggregates", ())]

    def _add_consumer(self, consumer: Mapping[str, Any]) -> None:
        owner = self._projects[consumer["project_id"]], self._users[consumer["user_id"]], self._types[consumer["type"]]
        self._consumers.rows.append((consumer["uuid"], 1, *owner))
        for name, resources in consumer["allocations"].items():
            number, _ = self._ids[name]
            self._allocations.rows += [
                (number, consumer["uuid"], self._classes[resource_class], amount)
                for resource_class, amount in resources.items()
            ]
