"""``member_of``: aggregates that providers are in, one of each set, and aggregates that they must not be in.

The provider of a suffixed group is itself a member. For the unsuffixed group, the aggregates of the root span its
tree: the provider is a member of all that is asked for, or the root is and the provider is of its tree; and
neither of them is in a forbidden one.
"""

from collections.abc import Iterable

from graphplace.compiler.constraint import Constraint, Parameters, Trees
from graphplace.compiler.slots import Slot, Slots
from graphplace.compiler.start import AggregateStart


def _of_slot(slot: Slot, _trees: Trees) -> Parameters:
    return {
        "member_of": [sorted(any_of) for any_of in slot.group.member_of],
        "forbidden_aggregates": sorted(slot.group.forbidden_aggregates),
        "spans": not slot.suffixed,
    }


def _of_statement(slots: Slots, _kinds: tuple[int, ...]) -> Parameters:
    named = {aggregate for slot in slots.all for any_of in slot.group.member_of for aggregate in any_of}
    named.update(aggregate for slot in slots.all for aggregate in slot.group.forbidden_aggregates)
    return {"aggregates": sorted(named)}


def _starts(slots: Slots) -> Iterable[AggregateStart]:
    return [AggregateStart(any_of) for slot in slots.all for any_of in slot.group.member_of]


CONSTRAINT = Constraint(name="aggregates", of_slot=_of_slot, of_statement=_of_statement, starts=_starts)
