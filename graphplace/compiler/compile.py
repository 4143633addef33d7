"""The engine form of a request: a static statement, its parameters, and the problem to solve within each tree."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import orjson

from graphplace.compiler.constraint import Parameters, Trees
from graphplace.compiler.constraints import CONSTRAINTS
from graphplace.compiler.problem import Problem
from graphplace.compiler.slots import Slots
from graphplace.compiler.start import Start
from graphplace.cypher import Statement, statement
from graphplace.request.model import CandidateRequest

MATCH = "candidates.match"


@dataclass(frozen=True)
class CompiledQuery:
    """What the engine needs of a request.

    ``statement`` with ``parameters`` and, as ``roots``, the uuids of a batch of roots, gives for each of them the
    providers that fit the kinds of slots; ``problem`` says which choices among them are candidates.
    """

    slots: Slots
    statement: Statement
    parameters: dict[str, Any]
    problem: Problem


def compile_request(request: CandidateRequest, trees: Trees) -> CompiledQuery:
    """Compile *request*; *trees* maps each provider that it names by ``in_tree`` to the root of its tree."""
    slots = Slots.of(request)
    conditions = [_merge(one.of_slot(slot, trees) for one in CONSTRAINTS) for slot in slots.all]
    distinct = {orjson.dumps(condition): condition for condition in conditions}
    positions = {key: position for position, key in enumerate(distinct)}
    kinds = tuple(positions[orjson.dumps(condition)] for condition in conditions)
    return CompiledQuery(
        slots=slots,
        statement=statement(MATCH),
        parameters={"kinds": list(distinct.values())} | _merge(one.of_statement(slots, kinds) for one in CONSTRAINTS),
        problem=Problem(kinds=kinds, **_merge(one.of_problem(slots) for one in CONSTRAINTS)),
    )


def starts_of(request: CandidateRequest) -> list[Start]:
    """Return every condition that *request* lets a search start from, without repetition."""
    slots = Slots.of(request)
    return list(dict.fromkeys(start for one in CONSTRAINTS for start in one.starts(slots)))


def _merge(contributions: Iterable[Parameters]) -> dict[str, Any]:
    return {name: value for contribution in contributions for name, value in contribution.items()}
