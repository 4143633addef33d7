"""Every kind of condition that a request can contain, one module each, in the order in which people read them."""

from graphplace.compiler.constraint import Constraint
from graphplace.compiler.constraints import (
    aggregates,
    group_policy,
    in_tree,
    resourceless,
    resources,
    root_required,
    same_subtree,
    summed_capacity,
    traits,
)

CONSTRAINTS: tuple[Constraint, ...] = (
    resources.CONSTRAINT,
    resourceless.CONSTRAINT,
    traits.CONSTRAINT,
    aggregates.CONSTRAINT,
    in_tree.CONSTRAINT,
    root_required.CONSTRAINT,
    group_policy.CONSTRAINT,
    same_subtree.CONSTRAINT,
    summed_capacity.CONSTRAINT,
)
