"""``required``: traits that providers have, one of each set, and traits that they must not have.

The provider of a suffixed group has them all by itself. The providers of the unsuffixed group have the required
ones together, and none of them has a forbidden one.
"""

from collections.abc import Iterable

from graphplace.compiler.constraint import Constraint, Parameters, Trees
from graphplace.compiler.slots import Slot, Slots
from graphplace.compiler.start import TraitStart


def _of_slot(slot: Slot, _trees: Trees) -> Parameters:
    required = slot.group.required if slot.suffixed else ()
    return {"required": [sorted(any_of) for any_of in required], "forbidden": sorted(slot.group.forbidden)}


def _of_statement(slots: Slots, _kinds: tuple[int, ...]) -> Parameters:
    named = {trait for slot in slots.all for any_of in slot.group.required for trait in any_of}
    named.update(trait for slot in slots.all for trait in slot.group.forbidden)
    return {"traits": sorted(named), "collective": [sorted(any_of) for any_of in _collective(slots)]}


def _of_problem(slots: Slots) -> Parameters:
    return {"collective": len(_collective(slots)), "unsuffixed": slots.unsuffixed}


def _starts(slots: Slots) -> Iterable[TraitStart]:
    return [TraitStart(any_of) for slot in slots.all for any_of in slot.group.required]


def _collective(slots: Slots) -> tuple[frozenset[str], ...]:
    return slots.all[slots.unsuffixed[0]].group.required if slots.unsuffixed else ()


CONSTRAINT = Constraint(
    name="traits", of_slot=_of_slot, of_statement=_of_statement, of_problem=_of_problem, starts=_starts
)
