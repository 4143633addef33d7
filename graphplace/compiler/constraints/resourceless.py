"""A group without ``resources``: it is filled by a provider that gives nothing.

Something must say which: by nothing but traits and aggregates that it must not have, or a tree, no provider fills it.
"""

from graphplace.compiler.constraint import Constraint, Parameters, Trees
from graphplace.compiler.slots import Slot


def _of_slot(slot: Slot, _trees: Trees) -> Parameters:
    return {"possible": bool(slot.resources or slot.group.required or slot.group.member_of)}


CONSTRAINT = Constraint(name="resourceless", of_slot=_of_slot)
