"""All that the providers have now that something is supposed of."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from graphplace.allocations import Held, Room
from graphplace.allocations.held import Consumer
from graphplace.candidates.overlay import Stock
from graphplace.cypher import statement
from graphplace.graph.database import Transaction
from graphplace.inventories import Key
from graphplace.inventory import Inventory
from graphplace.locks import LockedProvider, read_settled
from graphplace.what_if.changes import Changes


@dataclass(frozen=True)
class Provider:
    """A provider as it is; it ``is_drained`` if the changes say so of it or of one above it."""

    name: str
    generation: int
    root: str
    traits: frozenset[str]
    aggregates: frozenset[str]
    is_drained: bool


@dataclass(frozen=True)
class Present:
    """Providers by uuid, their inventories by provider and class, and what the consumers hold that changes name."""

    providers: Mapping[str, Provider]
    stocks: Mapping[Key, Stock]
    consumers: Mapping[str, int]
    allocations: Mapping[str, Mapping[Key, int]]

    def held(self) -> Held:
        """Return it as a claim finds it. Whose the consumers are is left open: nothing is written."""
        return Held(
            consumers={uuid: Consumer(generation, "", "", None) for uuid, generation in self.consumers.items()},
            allocations=self.allocations,
            providers={uuid: LockedProvider(uuid, one.name, one.generation) for uuid, one in self.providers.items()},
            inventories={key: _room(stock) for key, stock in self.stocks.items()},
        )


def read(tx: Transaction, changes: Changes) -> Present:
    """Read all that *changes* are about, as it is at one moment. What does not exist is absent."""
    row = read_settled(
        tx,
        statement("what_if.present"),
        statement("what_if.revision"),
        providers=sorted(_named(changes)),
        drained=sorted(changes.drained),
        consumers=sorted({*changes.consumers_gone, *(claim.consumer_uuid for claim in changes.reshape.claims)}),
    )
    if row is None:
        raise AssertionError("The statement gives one row, whatever it finds.")
    allocations: dict[str, dict[Key, int]] = defaultdict(dict)
    for consumer, provider, resource_class, amount in row["allocations"]:
        allocations[consumer][provider, resource_class] = amount
    return Present(
        providers={
            uuid: Provider(name, generation, root, frozenset(traits), frozenset(aggregates), is_drained)
            for uuid, name, generation, root, traits, aggregates, is_drained in row["providers"]
        },
        stocks=dict(map(_stock, row["inventories"])),
        consumers=dict(row["consumers"]),
        allocations=dict(allocations),
    )


def _named(changes: Changes) -> Iterable[str]:
    claimed = (uuid for claim in changes.reshape.claims for uuid in claim.allocations)
    return {*changes.reshape.shapes, *claimed, *changes.inventories, *changes.traits, *changes.aggregates}


def _stock(found: dict[str, Any]) -> tuple[Key, Stock]:
    key = found.pop("provider_uuid"), found.pop("resource_class")
    return key, Stock(used=found.pop("used"), inventory=Inventory(**found))


def _room(stock: Stock) -> Room:
    inventory = stock.inventory
    return Room(inventory.capacity, stock.used, inventory.min_unit, inventory.max_unit, inventory.step_size)
