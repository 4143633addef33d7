"""What one kind of condition in a request contributes to each form of the compiled query."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from graphplace.compiler.clause import Clause
from graphplace.compiler.combination import Combination
from graphplace.compiler.condition import Condition
from graphplace.compiler.relaxation import Relaxation
from graphplace.compiler.slots import Slot, Slots
from graphplace.compiler.start import Start
from graphplace.request.model import CandidateRequest

Parameters = Mapping[str, Any]
Trees = Mapping[str, str | None]
"""The uuid of the root of each tree that a request names by ``in_tree``, None for an unknown one."""


def _nothing(*_inputs: object) -> Parameters:
    return {}


def _nowhere(_slots: Slots) -> Iterable[Start]:
    return ()


def _no_clauses(*_inputs: object) -> Iterable[Clause]:
    return ()


def _no_combinations(_slots: Slots) -> Iterable[Combination]:
    return ()


def _no_relaxations(_request: CandidateRequest) -> Iterable[Relaxation]:
    return ()


@dataclass(frozen=True, kw_only=True)
class Constraint:
    """One kind of condition: a class and amount, traits, aggregates, in_tree, group_policy and so on.

    The engine form takes its contributions as plain data, so a constraint that has none leaves them out:

    ``of_slot(slot, trees)``
        What a single provider has to meet for the slot: entries of the parameter ``kinds`` of the statement
        ``candidates.match``, which tells which providers fit which kind of slot.
    ``of_statement(slots)``
        Further parameters of that statement, for the whole request.
    ``of_anchor(slots)``
        Parameters of the statement ``candidates.anchoring``: what few requests ask of a root.
    ``of_problem(slots)``
        Fields of :class:`graphplace.compiler.problem.Problem`: what must hold among the providers chosen within
        one tree.
    ``starts(slots)``
        Where the search may start because of this condition.

    The pattern form, and whoever explains it, take clauses, which say the same in English and in Cypher:

    ``of_root(slots)``
        What the root of the anchoring tree has to meet.
    ``of_provider(slots, position)``
        What the provider of the slot at *position* has to meet, whatever the others are.
    ``of_choice(slots, position)``
        What it has to meet together with the providers of the slots before it.

    Whoever explains why there is no candidate takes what can be met or missed by itself, and what can be left out:

    ``conditions``
        The parts of what ``of_slot`` asks of a single provider.
    ``combinations(slots)``
        The parts of what must hold among the providers.
    ``relaxations(request)``
        What can be left out of the request.
    """

    name: str
    of_slot: Callable[[Slot, Trees], Parameters] = _nothing
    of_statement: Callable[[Slots], Parameters] = _nothing
    of_anchor: Callable[[Slots], Parameters] = _nothing
    of_problem: Callable[[Slots], Parameters] = _nothing
    starts: Callable[[Slots], Iterable[Start]] = _nowhere
    of_root: Callable[[Slots], Iterable[Clause]] = _no_clauses
    of_provider: Callable[[Slots, int], Iterable[Clause]] = _no_clauses
    of_choice: Callable[[Slots, int], Iterable[Clause]] = _no_clauses
    conditions: tuple[Condition, ...] = ()
    combinations: Callable[[Slots], Iterable[Combination]] = _no_combinations
    relaxations: Callable[[CandidateRequest], Iterable[Relaxation]] = _no_relaxations
