"""``member_of``: aggregates that providers are in, one of each set, and aggregates that they must not be in.

The provider of a suffixed group is itself a member. For the unsuffixed group, the aggregates of the root span its
tree: the provider is a member of all that is asked for, or the root is and the provider is of its tree; and
neither of them is in a forbidden one.
"""

from collections.abc import Iterable

from graphplace.compiler.clause import ROOT, Clause, in_words, linked, provider
from graphplace.compiler.constraint import Constraint, Parameters, Trees
from graphplace.compiler.slots import Slot, Slots
from graphplace.compiler.start import AggregateStart


def _of_slot(slot: Slot, _trees: Trees) -> Parameters:
    return {
        "member_of": [sorted(any_of) for any_of in slot.group.member_of],
        "forbidden_aggregates": sorted(slot.group.forbidden_aggregates),
        "spans": not slot.suffixed,
    }


def _of_statement(slots: Slots) -> Parameters:
    named = {aggregate for slot in slots.all for any_of in slot.group.member_of for aggregate in any_of}
    named.update(aggregate for slot in slots.all for aggregate in slot.group.forbidden_aggregates)
    return {"aggregates": sorted(named)}


def _starts(slots: Slots) -> Iterable[AggregateStart]:
    return [AggregateStart(any_of) for slot in slots.all for any_of in slot.group.member_of]


def _of_provider(slots: Slots, position: int) -> Iterable[Clause]:
    slot, chosen = slots.all[position], provider(position)
    spanning = "" if slot.suffixed else ", itself or through the root of its tree"
    if slot.group.member_of:
        wanted = in_words((_named(any_of, "or") for any_of in slot.group.member_of), "and")
        member = _member_of_all(chosen, slot.group.member_of)
        if not slot.suffixed:
            root_member = _member_of_all(ROOT, slot.group.member_of)
            member = f"({member}\n  OR EXISTS {{ ({chosen})-[:IN_TREE]->({ROOT}) }} AND {root_member})"
        yield Clause(words=f"in {wanted}{spanning}", predicates=(member,))
    if unwanted := slot.group.forbidden_aggregates:
        variables = (chosen,) if slot.suffixed else (chosen, ROOT)
        yield Clause(
            words=f"not in {_named(unwanted, 'or')}{spanning}",
            predicates=tuple(f"NOT {_member(variable, unwanted)}" for variable in variables),
        )


def _named(aggregates: frozenset[str], conjunction: str) -> str:
    return f"aggregate {in_words(sorted(aggregates), conjunction)}"


def _member(variable: str, aggregates: frozenset[str]) -> str:
    return linked(variable, "MEMBER_OF", "Aggregate", "uuid", aggregates)


def _member_of_all(variable: str, member_of: Iterable[frozenset[str]]) -> str:
    return " AND ".join(_member(variable, any_of) for any_of in member_of)


CONSTRAINT = Constraint(
    name="aggregates", of_slot=_of_slot, of_statement=_of_statement, starts=_starts, of_provider=_of_provider
)
