"""Every kind of condition that a request can contain, one module each, in the order in which people read them."""

from graphplace.compiler.combination import Combination
from graphplace.compiler.condition import Condition
from graphplace.compiler.constraint import Constraint
from graphplace.compiler.constraints import (
    aggregates,
    can_split,
    in_tree,
    isolation,
    resourceless,
    resources,
    root_member_of,
    root_required,
    same_subtree,
    summed_capacity,
    traits,
    tree_holds,
)
from graphplace.compiler.relaxation import Relaxation
from graphplace.compiler.slots import Slots
from graphplace.request.model import CandidateRequest

CONSTRAINTS: tuple[Constraint, ...] = (
    resources.CONSTRAINT,
    can_split.CONSTRAINT,
    resourceless.CONSTRAINT,
    traits.CONSTRAINT,
    aggregates.CONSTRAINT,
    in_tree.CONSTRAINT,
    tree_holds.CONSTRAINT,
    root_required.CONSTRAINT,
    root_member_of.CONSTRAINT,
    isolation.CONSTRAINT,
    same_subtree.CONSTRAINT,
    summed_capacity.CONSTRAINT,
)

CONDITIONS: tuple[Condition, ...] = tuple(
    condition for constraint in CONSTRAINTS for condition in constraint.conditions
)
"""What a single provider has to meet, in the order in which ``explain.conditions`` looks at it."""


def combinations_of(slots: Slots) -> tuple[Combination, ...]:
    """Return all that has to hold among the providers of *slots*."""
    return tuple(combination for constraint in CONSTRAINTS for combination in constraint.combinations(slots))


def relaxations_of(request: CandidateRequest) -> tuple[Relaxation, ...]:
    """Return all that can be left out of *request*, amounts aside."""
    return tuple(relaxation for constraint in CONSTRAINTS for relaxation in constraint.relaxations(request))
