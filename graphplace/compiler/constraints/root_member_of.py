"""``root_member_of``: aggregates that the root of the anchoring tree is in, one of each set, and that it is not in."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from graphplace.compiler.clause import ROOT, Clause
from graphplace.compiler.constraint import Constraint, Parameters
from graphplace.compiler.constraints.aggregates import member_clauses
from graphplace.compiler.relaxation import Relaxation
from graphplace.compiler.slots import Slots
from graphplace.compiler.start import AggregateStart
from graphplace.request.model import CandidateRequest
from graphplace.request.write import any_of as written


def _of_anchor(slots: Slots) -> Parameters:
    return {
        "member_of": [sorted(any_of) for any_of in slots.request.root_member_of],
        "forbidden_aggregates": sorted(slots.request.root_forbidden_aggregates),
    }


def _starts(slots: Slots) -> Iterable[AggregateStart]:
    return [AggregateStart(any_of) for any_of in slots.request.root_member_of]


def _of_root(slots: Slots) -> Iterable[Clause]:
    return member_clauses(ROOT, slots.request.root_member_of, slots.request.root_forbidden_aggregates)


def _relaxations(request: CandidateRequest) -> Iterable[Relaxation]:
    for any_of in request.root_member_of:
        yield Relaxation(f"root_member_of={written(any_of)}", partial(_without_required, any_of), of_root=True)
    for aggregate in sorted(request.root_forbidden_aggregates):
        yield Relaxation(f"root_member_of=!{aggregate}", partial(_without_forbidden, aggregate), of_root=True)


def _without_required(any_of: frozenset[str], request: CandidateRequest) -> CandidateRequest:
    return replace(request, root_member_of=tuple(one for one in request.root_member_of if one != any_of))


def _without_forbidden(aggregate: str, request: CandidateRequest) -> CandidateRequest:
    return replace(request, root_forbidden_aggregates=request.root_forbidden_aggregates - {aggregate})


CONSTRAINT = Constraint(
    name="root_member_of", of_anchor=_of_anchor, starts=_starts, of_root=_of_root, relaxations=_relaxations
)
