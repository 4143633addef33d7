"""A group without ``resources``: it is filled by a provider that gives nothing.

Something must say which: by nothing but traits and aggregates that it must not have, or a tree, no provider fills it.
"""

from collections.abc import Iterable

from graphplace.compiler.clause import Clause
from graphplace.compiler.condition import Condition
from graphplace.compiler.constraint import Constraint, Parameters, Trees
from graphplace.compiler.slots import Slot, Slots

_WORDS = "that no required trait or aggregate distinguishes, which is none"


def _possible(slot: Slot) -> bool:
    return bool(slot.resources or slot.group.required or slot.group.member_of)


def _of_slot(slot: Slot, _trees: Trees) -> Parameters:
    return {"possible": _possible(slot)}


def _of_provider(slots: Slots, position: int) -> Iterable[Clause]:
    if not _possible(slots.all[position]):
        yield Clause(words=_WORDS, predicates=("false",))


def _of_statement(slots: Slots) -> Parameters:
    return {"resourceless": any(not slot.resources for slot in slots.all)}


CONDITION = Condition(
    name="distinguished",
    asked=lambda slot: "" if _possible(slot) else _WORDS,
    short=lambda _slot, _held: "is not distinguished by anything that the group requires",
)

CONSTRAINT = Constraint(
    name="resourceless",
    of_slot=_of_slot,
    of_statement=_of_statement,
    of_provider=_of_provider,
    conditions=(CONDITION,),
)
