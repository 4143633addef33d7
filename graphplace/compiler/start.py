"""Where a search may start: conditions that some provider meets in every tree that can give a candidate.

Such a provider is in the tree or shares with it. The condition that the fewest providers meet is the best start.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class ClassStart:
    """Some provider has this much of a resource class free."""

    resource_class: str
    amount: int


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
