"""What has to hold among the providers of several slots: a problem without it, and what a choice breaks of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graphplace.compiler.problem import Problem
from graphplace.compiler.slots import Slots


class Known(NamedTuple):
    """A provider: those of its ``traits`` that are asked for, and from itself to the root those ``above`` it."""

    name: str
    traits: frozenset[str]
    above: Sequence[str]


@dataclass(frozen=True)
class Chosen:
    """A choice that may break something: the uuids of the ``providers`` of each slot, several where it is split.

    ``parts`` are what each of them gives then, and nothing where it is not.
    ``room`` is what a provider can give at most of a class of which it may have to give for several slots. What is not
    ``known`` was deleted meanwhile.
    """

    providers: tuple[tuple[str, ...], ...]
    parts: tuple[tuple[int, ...], ...]
    room: Mapping[tuple[str, str], int]
    known: Mapping[str, Known]

    def of(self, provider: str) -> Known:
        """Return what is known of *provider*."""
        return self.known.get(provider) or Known(provider, frozenset(), [provider])

    def name(self, provider: str) -> str:
        """Return what people call *provider*."""
        return self.of(provider).name


@dataclass(frozen=True, kw_only=True)
class Combination:
    """One thing that has to hold among providers, which ``about`` names as a query or a person would.

    ``without(problem)`` is the problem that does not ask for it; of a choice that solves that one and not the whole,
    ``broken(slots, chosen)`` says in a clause what is wrong, and ``distance(slots, chosen)`` how far off it is, where
    less is nearer.
    """

    about: str
    without: Callable[[Problem], Problem]
    broken: Callable[[Slots, Chosen], str]
    distance: Callable[[Slots, Chosen], float]
