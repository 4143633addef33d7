"""A graph that is read as if some of its providers were other than they are: nothing is written, nothing is locked."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from neo4j import Record

from graphplace.aggregates import SHARING_TRAIT
from graphplace.cypher import Statement, overlaid
from graphplace.graph.budget import ANY_TIME, Budget
from graphplace.graph.database import Database, Transaction
from graphplace.inventory import Inventory

T = TypeVar("T")


@dataclass(frozen=True)
class Stock:
    """An inventory, and how much of it is allocated."""

    inventory: Inventory
    used: int


@dataclass(frozen=True)
class Supposed:
    """All that a provider would have, in the tree of ``root`` as it is: inventories by class, traits, aggregates."""

    root: str
    inventories: Mapping[str, Stock]
    traits: Collection[str]
    aggregates: Collection[str]

    @property
    def shares(self) -> Collection[str]:
        """The aggregates that it would share with."""
        return self.aggregates if SHARING_TRAIT in self.traits else ()

    def given(self) -> dict[str, Any]:
        """Return it as the fragments of overlay.cypher take it."""
        return {
            "inventories": [
                {
                    "resource_class": name,
                    "capacity": stock.inventory.capacity,
                    "used": stock.used,
                    "free": stock.inventory.capacity - stock.used,
                    "min_unit": stock.inventory.min_unit,
                    "max_unit": stock.inventory.max_unit,
                    "step_size": stock.inventory.step_size,
                }
                for name, stock in self.inventories.items()
            ],
            "traits": list(self.traits),
            "aggregates": list(self.aggregates),
            "shares": list(self.shares),
        }


@dataclass(frozen=True)
class Overlay:
    """What some providers, by uuid, would have in place of all that the graph says of them; their trees stay."""

    providers: Mapping[str, Supposed] = field(default_factory=dict)

    @cached_property
    def roots(self) -> list[str]:
        """The roots of the trees that these providers are in."""
        return sorted({one.root for one in self.providers.values()})

    @cached_property
    def sharers(self) -> Mapping[str, list[str]]:
        """Those of them that would share, by aggregate."""
        return _by_aggregate(self.providers, lambda one: one.shares)

    @cached_property
    def given(self) -> dict[str, Any]:
        """The parameter of statements that read with this overlay."""
        members = _by_aggregate(self.providers, lambda one: one.aggregates)
        providers = {uuid: one.given() for uuid, one in self.providers.items()}
        return {"providers": providers, "sharers": self.sharers, "members": members}

    def has_member(self, member_of: Iterable[frozenset[str]]) -> bool:
        """Tell whether one of these providers would be in an aggregate of each set."""
        wanted = list(member_of)
        return any(all(not any_of.isdisjoint(one.aggregates) for any_of in wanted) for one in self.providers.values())


def _by_aggregate(
    providers: Mapping[str, Supposed], aggregates: Callable[[Supposed], Iterable[str]]
) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for uuid, one in providers.items():
        for aggregate in aggregates(one):
            found[aggregate].append(uuid)
    return dict(found)


AS_IT_IS = Overlay()


class View:
    """What a search reads: the graph as *overlay* would have it."""

    def __init__(self, transaction: Transaction, overlay: Overlay = AS_IT_IS) -> None:
        self._transaction = transaction
        self.overlay = overlay

    def run(self, statement: Statement, /, **parameters: Any) -> list[Record]:
        """Run *statement*, or what reads the same with the overlay, and return all its rows."""
        return list(self.stream(statement, **parameters))

    def stream(self, statement: Statement, /, **parameters: Any) -> Iterable[Record]:
        """Run it, and return its rows as they come, once."""
        one = overlaid(statement) if self.overlay.providers else statement
        if one is not statement:
            parameters["overlay"] = self.overlay.given
        return self._transaction.stream(one, **parameters)


@dataclass(frozen=True)
class Views:
    """A database that is read as *overlay* would have it."""

    database: Database
    overlay: Overlay = AS_IT_IS

    def read(self, work: Callable[[View], T], budget: Budget = ANY_TIME) -> T:
        """Return what *work* returns. Raises as :meth:`graphplace.graph.database.Database.read` does."""
        return self.database.read(lambda transaction: work(View(transaction, self.overlay)), budget)
