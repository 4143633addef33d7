"""What shall be supposed, as plain data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphplace.allocations import Claim
from graphplace.reshaper import Shape


@dataclass(frozen=True)
class Edit:
    """Names of traits, or uuids of aggregates, that a provider gets and loses."""

    add: frozenset[str] = frozenset()
    remove: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Reshape:
    """What :func:`graphplace.reshaper.reshape` takes."""

    shapes: Mapping[str, Shape] = field(default_factory=dict)
    claims: Sequence[Claim] = ()


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What is supposed, in the order in which it is supposed to happen; all but consumers are providers, by uuid.

    Consumers are gone, with all that they hold. Then there is the reshape. ``inventories`` maps classes to those fields
    that change, all others stay; None takes the inventory of the class away. Drained providers, and all below them,
    have everything reserved: what is allocated stays, and nothing is given any more.
    """

    consumers_gone: frozenset[str] = frozenset()
    reshape: Reshape = Reshape()
    inventories: Mapping[str, Mapping[str, Mapping[str, Any] | None]] = field(default_factory=dict)
    drained: frozenset[str] = frozenset()
    traits: Mapping[str, Edit] = field(default_factory=dict)
    aggregates: Mapping[str, Edit] = field(default_factory=dict)
