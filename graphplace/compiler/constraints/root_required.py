"""``root_required``: traits that the root of the anchoring tree has, and traits that it must not have."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from graphplace.compiler.clause import ROOT, Clause
from graphplace.compiler.constraint import Constraint, Parameters
from graphplace.compiler.constraints.traits import trait_clauses
from graphplace.compiler.relaxation import Relaxation
from graphplace.compiler.slots import Slots
from graphplace.compiler.start import TraitStart
from graphplace.request.model import CandidateRequest


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


def _relaxations(request: CandidateRequest) -> Iterable[Relaxation]:
    for trait in sorted(request.root_required):
        yield Relaxation(f"root_required={trait}", partial(_without, trait), of_root=True)
    for trait in sorted(request.root_forbidden):
        yield Relaxation(f"root_required=!{trait}", partial(_without, trait), of_root=True)


def _without(trait: str, request: CandidateRequest) -> CandidateRequest:
    """Return the request without the trait, which is not both required and forbidden."""
    return replace(
        request,
        root_required=request.root_required - {trait},
        root_forbidden=request.root_forbidden - {trait},
    )


CONSTRAINT = Constraint(
    name="root_required",
    of_statement=_of_statement,
    starts=_starts,
    of_root=_of_root,
    relaxations=_relaxations,
)
