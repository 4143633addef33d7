"""The engine form of a request: a static statement, its parameters, and the problem to solve within each tree."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import orjson

from graphplace.compiler.constraint import Parameters, Trees
from graphplace.compiler.constraints import CONSTRAINTS
from graphplace.compiler.problem import Problem, Split
from graphplace.compiler.slots import Slots
from graphplace.compiler.start import Start
from graphplace.cypher import Statement, statement
from graphplace.request.model import CandidateRequest

ANCHORING = "candidates.anchoring"
MATCH = "candidates.match"
OFFERS = "candidates.offers"


@dataclass(frozen=True)
class CompiledQuery:
    """What the engine needs of a request.

    ``statement`` with ``parameters``, and with ``roots``, the uuids of a batch of roots, and ``sharing``, whether
    anything shares at all, gives for each of the roots the providers that fit the kinds of slots; ``problem`` says
    which choices among them are candidates. If there are parameters in ``anchoring``, the statement
    ``candidates.anchoring`` with them tells which roots are to be asked for; if there are in ``offers``, the statement
    ``candidates.offers`` with them tells what providers can give of what may be split.
    """

    slots: Slots
    anchoring: dict[str, Any]
    statement: Statement
    parameters: dict[str, Any]
    offers: dict[str, Any]
    problem: Problem


def compile_request(request: CandidateRequest, trees: Trees) -> CompiledQuery:
    """Compile *request*; *trees* maps each provider that it names by ``in_tree`` to the root of its tree."""
    slots = Slots.of(request)
    conditions = [_merge(one.of_slot(slot, trees) for one in CONSTRAINTS) for slot in slots.all]
    # Whoever gives a part of what a slot asks for meets everything else.
    conditions += [conditions[position] | {"resources": []} for position in slots.splittable]
    numbers: dict[bytes, int] = {}
    kinds = tuple(numbers.setdefault(orjson.dumps(condition), len(numbers)) for condition in conditions)
    of_slots, of_parts = kinds[: len(slots.all)], kinds[len(slots.all) :]
    parameters = _merge(one.of_statement(slots) for one in CONSTRAINTS)
    parameters["kinds"] = [conditions[kinds.index(number)] | {"number": number} for number in numbers.values()]
    parameters["needed"] = sorted({kind for slot, kind in enumerate(of_slots) if slot not in slots.splittable})
    splits = tuple(
        Split(slot, kind, slots.all[slot].resources[0][1])
        for slot, kind in zip(slots.splittable, of_parts, strict=True)
    )
    problem = Problem(kinds=of_slots, splits=splits, **_merge(one.of_problem(slots) for one in CONSTRAINTS))
    anchoring = _merge(one.of_anchor(slots) for one in CONSTRAINTS)
    splittable = [slots.all[position].resources[0][0] for position in slots.splittable]
    offers = {"splittable": splittable, **{name: parameters[name] for name in ("classes", "emptied")}}
    return CompiledQuery(
        slots,
        anchoring if any(anchoring.values()) else {},
        statement(MATCH),
        parameters,
        offers if splittable else {},
        problem,
    )


def starts_of(request: CandidateRequest) -> list[Start]:
    """Return every condition that *request* lets a search start from, without repetition."""
    slots = Slots.of(request)
    return list(dict.fromkeys(start for one in CONSTRAINTS for start in one.starts(slots)))


def _merge(contributions: Iterable[Parameters]) -> dict[str, Any]:
    return {name: value for contribution in contributions for name, value in contribution.items()}
