"""What one transaction writes into an empty graph: entries as a dump has them, or as it would have them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from graphplace.loading.document import Cloud, Consumer, Provider

# How many entries one transaction writes, and more only for the rest of a tree.
ENTRIES_AT_ONCE = 2000
NAMES = ("resource_classes", "traits", "aggregates", "projects", "users", "consumer_types")
# What a scheduler knows beside Placement, each kind before what names it.
HOSTS = ("cells", "host_aggregates", "hosts")


@dataclass
class Batch:
    """What some lines say together, as they say it; ``last`` is the number of the last of them, from 1.

    The last batch has the ``totals`` of all. What is from a document has no lines.
    """

    providers: list[dict[str, Any]] = field(default_factory=list)
    consumers: list[dict[str, Any]] = field(default_factory=list)
    names: dict[str, list[dict[str, str]]] = field(default_factory=lambda: {kind: [] for kind in NAMES})
    hosts: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: {kind: [] for kind in HOSTS})
    totals: dict[str, int] | None = None
    last: int = 0

    @property
    def is_full(self) -> bool:
        """Whether it has as many entries as one transaction should."""
        named = sum(map(len, (*self.names.values(), *self.hosts.values())))
        return len(self.providers) + len(self.consumers) + named >= ENTRIES_AT_ONCE

    @property
    def needs_others(self) -> bool:
        """Whether it names what an earlier batch may create."""
        return bool(self.consumers) or any(self.hosts.values())


def batches_of(cloud: Cloud) -> Iterator[Batch]:
    """Yield what a dump would say of *cloud* if it had come to be now, in batches.

    Consumers come after all providers. Names are left out: *cloud* does not say when they came to be.
    """
    now = datetime.now(UTC).isoformat()
    batch, allocations = Batch(), 0
    for tree in _trees(cloud.providers):
        if batch.is_full:
            yield batch
            batch = Batch()
        batch.providers += [_provider(provider, now) for provider in tree]
    for consumer in cloud.consumers:
        if batch.is_full:
            yield batch
            batch = Batch()
        batch.consumers.append(_consumer(consumer, now))
        allocations += sum(map(len, consumer.allocations.values()))
    batch.totals = {"providers": len(cloud.providers), "allocations": allocations}
    yield batch


def _trees(providers: Iterable[Provider]) -> Iterable[list[Provider]]:
    trees: dict[str, list[Provider]] = {}
    for provider in providers:
        # The tree of a provider is that of its parent, which comes before it.
        tree = [] if provider.parent is None else trees[provider.parent]
        tree.append(provider)
        trees[provider.name] = tree
    return (trees[provider.name] for provider in providers if provider.parent is None)


def _provider(provider: Provider, now: str) -> dict[str, Any]:
    times = {"created_at": now, "updated_at": now}
    inventories = {name: vars(inventory) | times for name, inventory in provider.inventories.items()}
    return vars(provider) | {"generation": 0, "inventories": inventories} | times


def _consumer(consumer: Consumer, now: str) -> dict[str, Any]:
    keys = [(provider, name) for provider, resources in consumer.allocations.items() for name in resources]
    positions: dict[str, dict[str, int]] = defaultdict(dict)
    for position, (provider, name) in enumerate(keys):
        positions[provider][name] = position
    times = {"created_at": now, "updated_at": now, "allocated_at": now}
    return vars(consumer) | {"generation": 1, "positions": positions} | times
