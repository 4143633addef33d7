"""``in_tree``: the providers of the group are in the tree of a given provider.

For the unsuffixed group, that tree is the one that anchors the candidate, so nothing comes from sharing providers
of other trees. For a suffixed group it says where its own provider is, which may well share with another tree.
A resourceless group is not restricted by it.
"""

from collections.abc import Iterable

from graphplace.compiler.constraint import Constraint, Parameters, Trees
from graphplace.compiler.slots import Slot, Slots
from graphplace.compiler.start import TreeStart


def _of_slot(slot: Slot, trees: Trees) -> Parameters:
    return {"tree": trees[provider] if (provider := _provider(slot)) else None}


def _starts(slots: Slots) -> Iterable[TreeStart]:
    return [TreeStart(provider, anchors=not slot.suffixed) for slot in slots.all if (provider := _provider(slot))]


def _provider(slot: Slot) -> str | None:
    return slot.group.in_tree if slot.resources else None


CONSTRAINT = Constraint(name="in_tree", of_slot=_of_slot, starts=_starts)
