"""Where a search may start: conditions that some provider meets in every tree that can give a candidate.

Such a provider is in the tree or shares with it. The condition that the fewest providers meet is the best start.
"""

from dataclasses import dataclass
from typing import Any

from graphplace.cypher import Statement, statement


@dataclass(frozen=True)
class ClassStart:
    """Some provider has this much of a resource class free, and if ``least`` is known, that much in all."""

    resource_class: str
    amount: int
    least: int | None = None


@dataclass(frozen=True)
class TraitStart:
    """Some provider has at least one of these traits."""

    traits: frozenset[str]


@dataclass(frozen=True)
class AggregateStart:
    """Some provider is in at least one of these aggregates."""

    aggregates: frozenset[str]


@dataclass(frozen=True)
class TreeStart:
    """Some provider is in the tree of the provider with this uuid; if ``anchors``, that tree is the only one."""

    provider: str
    anchors: bool


Start = ClassStart | TraitStart | AggregateStart | TreeStart


def search_of(start: Start) -> tuple[Statement, dict[str, Any]]:
    """Return the statement that finds the roots of the trees of *start*, and its parameters but ``most``."""
    match start:
        case ClassStart(resource_class, amount, least):
            return statement("candidates.start_at_class"), {"class": resource_class, "amount": amount, "least": least}
        case TraitStart(traits):
            return statement("candidates.start_at_trait"), {"traits": sorted(traits)}
        case AggregateStart(aggregates):
            return statement("candidates.start_at_aggregate"), {"aggregates": sorted(aggregates)}
        case TreeStart(provider):
            return statement("candidates.start_at_tree"), {"provider": provider}
