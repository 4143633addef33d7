"""``root_required``: traits that the root of the anchoring tree has, and traits that it must not have."""

from collections.abc import Iterable

from graphplace.compiler.clause import ROOT, Clause
from graphplace.compiler.constraint import Constraint, Parameters
from graphplace.compiler.constraints.traits import trait_clauses
from graphplace.compiler.slots import Slots
from graphplace.compiler.start import TraitStart


def _of_statement(slots: Slots) -> Parameters:
    return {
        "root_required": sorted(slots.request.root_required),
        "root_forbidden": sorted(slots.request.root_forbidden),
    }


def _starts(slots: Slots) -> Iterable[TraitStart]:
    return [TraitStart(frozenset({trait})) for trait in sorted(slots.request.root_required)]


def _of_root(slots: Slots) -> Iterable[Clause]:
    required = [frozenset({trait}) for trait in sorted(slots.request.root_required)]
    return trait_clauses(ROOT, required, slots.request.root_forbidden)


CONSTRAINT = Constraint(name="root_required", of_statement=_of_statement, starts=_starts, of_root=_of_root)
