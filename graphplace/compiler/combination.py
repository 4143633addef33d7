"""What has to hold among the providers of several slots: a problem without it, and what a choice breaks of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from graphplace.compiler.problem import Problem
from graphplace.compiler.slots import Slots


@dataclass(frozen=True)
class Chosen:
    """A choice that may break something: by name, the ``providers`` of each slot, several where it is split.

    ``room`` is what a provider can give at most of a class of which it may have to give for several slots.
    """

    providers: tuple[tuple[str, ...], ...]
    room: Mapping[tuple[str, str], int]


@dataclass(frozen=True, kw_only=True)
class Combination:
    """One thing that has to hold among providers, which ``about`` names as a query or a person would.

    ``without(problem)`` is the problem that does not ask for it; of a choice that solves that one and not the whole,
    ``broken(slots, chosen)`` says in a clause what is wrong.
    """

    about: str
    without: Callable[[Problem], Problem]
    broken: Callable[[Slots, Chosen], str]
