"""The unsuffixed group without ``resources``: some provider of the anchoring tree itself meets all that it says.

It takes nothing and is no slot, so it shares that provider with whatever group, and multiplies no candidates. As for
other providers of the unsuffixed group, the aggregates of the root count.
"""

from collections.abc import Iterable

from graphplace.compiler.clause import ROOT, Clause
from graphplace.compiler.constraint import Constraint, Parameters
from graphplace.compiler.constraints.aggregates import member_clauses
from graphplace.compiler.constraints.traits import trait_clauses
from graphplace.compiler.slots import Slots
from graphplace.compiler.start import AggregateStart, Start, TraitStart
from graphplace.request.model import RequestGroup


def _conditions(slots: Slots) -> list[RequestGroup]:
    """Return the group, if there is one."""
    return [group for group in slots.request.groups if not (group.suffix or group.resources)]


def _of_anchor(slots: Slots) -> Parameters:
    return {
        "tree_holds": [
            {
                "required": [sorted(any_of) for any_of in group.required],
                "forbidden": sorted(group.forbidden),
                "member_of": [sorted(any_of) for any_of in group.member_of],
                "forbidden_aggregates": sorted(group.forbidden_aggregates),
            }
            for group in _conditions(slots)
        ]
    }


def _starts(slots: Slots) -> Iterable[Start]:
    for group in _conditions(slots):
        yield from (TraitStart(any_of) for any_of in group.required)
        yield from (AggregateStart(any_of) for any_of in group.member_of)


def _of_root(slots: Slots) -> Iterable[Clause]:
    for group in _conditions(slots):
        clauses = [
            *trait_clauses("some", group.required, group.forbidden),
            *member_clauses("some", group.member_of, group.forbidden_aggregates, spanned=True),
        ]
        if clauses:
            words = ", ".join(clause.words for clause in clauses)
            where = "\n    AND ".join(predicate for clause in clauses for predicate in clause.predicates)
            yield Clause(
                words=f"in whose tree is a provider {words}",
                predicates=(f"EXISTS {{\n  MATCH ({ROOT})<-[:IN_TREE]-(some)\n  WHERE {where}\n}}",),
            )


CONSTRAINT = Constraint(name="tree_holds", of_anchor=_of_anchor, starts=_starts, of_root=_of_root)
