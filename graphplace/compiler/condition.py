"""What one provider has to meet for one slot, whatever the others are: in words, and how far a provider is from it.

The statement ``explain.conditions`` decides which providers meet which, one by one, in the order of
``CONDITIONS`` in :mod:`graphplace.compiler.constraints`. It takes them from the fragments of Cypher of which
``candidates.match`` asks all together.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from graphplace.compiler.slots import Slot


class Stock(NamedTuple):
    """What an inventory has free, and in which amounts it gives it."""

    free: int
    min_unit: int
    max_unit: int
    step_size: int


@dataclass(frozen=True, kw_only=True)
class Held:
    """What a provider has of all that a request names, seen from the tree whose root is ``anchor``.

    ``root`` is that of its own tree, and ``spanning`` are the aggregates that the anchor is in.
    """

    uuid: str
    name: str
    root: str
    anchor: str
    inventories: Mapping[str, Stock]
    traits: frozenset[str]
    aggregates: frozenset[str]
    spanning: frozenset[str]

    def counting_aggregates(self, slot: Slot) -> frozenset[str]:
        """Return the aggregates that count for *slot*: for the unsuffixed group those of the root, too."""
        return self.aggregates if slot.suffixed else self.aggregates | self.spanning


@dataclass(frozen=True, kw_only=True)
class Condition:
    """One thing that a provider meets or does not meet by itself.

    ``asked(slot)`` says it after "a provider", as clauses do, or is empty if the slot does not ask for it;
    ``short(slot, held)`` says what a provider that does not meet it lacks.
    """

    name: str
    asked: Callable[[Slot], str]
    short: Callable[[Slot, Held], str]
