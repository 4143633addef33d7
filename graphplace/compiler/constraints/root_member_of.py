"""``root_member_of``: aggregates that the root of the anchoring tree is in, one of each set, and that it is not in."""

from collections.abc import Iterable

from graphplace.compiler.clause import ROOT, Clause
from graphplace.compiler.constraint import Constraint, Parameters
from graphplace.compiler.constraints.aggregates import member_clauses
from graphplace.compiler.slots import Slots
from graphplace.compiler.start import AggregateStart


def _of_anchor(slots: Slots) -> Parameters:
    return {
        "member_of": [sorted(any_of) for any_of in slots.request.root_member_of],
        "forbidden_aggregates": sorted(slots.request.root_forbidden_aggregates),
    }


def _starts(slots: Slots) -> Iterable[AggregateStart]:
    return [AggregateStart(any_of) for any_of in slots.request.root_member_of]


def _of_root(slots: Slots) -> Iterable[Clause]:
    return member_clauses(ROOT, slots.request.root_member_of, slots.request.root_forbidden_aggregates)


CONSTRAINT = Constraint(name="root_member_of", of_anchor=_of_anchor, starts=_starts, of_root=_of_root)
