"""``member_of``: aggregates that providers are in, one of each set, and aggregates that they must not be in.

The provider of a suffixed group is itself a member. For the unsuffixed group, the aggregates of the root span its
tree: the provider is a member of all that is asked for, or the root is and the provider is of its tree; and
neither of them is in a forbidden one.
"""

from collections.abc import Collection, Iterable, Iterator
from functools import partial

from graphplace.compiler.clause import ROOT, Clause, in_words, linked, provider
from graphplace.compiler.condition import Condition, Held
from graphplace.compiler.constraint import Constraint, Parameters, Trees
from graphplace.compiler.relaxation import of_names
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


def member_clauses(
    variable: str, member_of: Collection[frozenset[str]], forbidden: frozenset[str], *, spanned: bool = False
) -> Iterator[Clause]:
    """Say that what *variable* stands for is in an aggregate of each set of *member_of*, and in no forbidden one.

    If *spanned*, the aggregates of the root count for what is of its tree.
    """
    spanning = ", itself or through the root of its tree" if spanned else ""
    if member_of:
        wanted = in_words((_named(any_of, "or") for any_of in member_of), "and")
        member = _member_of_all(variable, member_of)
        if spanned:
            root_member = _member_of_all(ROOT, member_of)
            member = f"({member}\n  OR EXISTS {{ ({variable})-[:IN_TREE]->({ROOT}) }} AND {root_member})"
        yield Clause(words=f"in {wanted}{spanning}", predicates=(member,))
    if forbidden:
        yield Clause(
            words=f"not in {_named(forbidden, 'or')}{spanning}",
            predicates=tuple(f"NOT {_member(one, forbidden)}" for one in (variable, *(ROOT,) * spanned)),
        )


def _of_provider(slots: Slots, position: int) -> Iterable[Clause]:
    slot = slots.all[position]
    return member_clauses(
        provider(position), slot.group.member_of, slot.group.forbidden_aggregates, spanned=not slot.suffixed
    )


def _named(aggregates: frozenset[str], conjunction: str) -> str:
    return f"aggregate {in_words(sorted(aggregates), conjunction)}"


def _member(variable: str, aggregates: frozenset[str]) -> str:
    return linked(variable, "MEMBER_OF", "Aggregate", "uuid", aggregates)


def _member_of_all(variable: str, member_of: Iterable[frozenset[str]]) -> str:
    return " AND ".join(_member(variable, any_of) for any_of in member_of)


def _asked(slot: Slot, member_of: Collection[frozenset[str]], forbidden: frozenset[str]) -> str:
    return ", ".join(clause.words for clause in member_clauses("", member_of, forbidden, spanned=not slot.suffixed))


def _outside(slot: Slot, held: Held) -> str:
    missed = [any_of for any_of in slot.group.member_of if any_of.isdisjoint(held.aggregates)]
    return f"is not in {in_words((_named(any_of, 'or') for any_of in missed), 'and not in')}"


def _inside(slot: Slot, held: Held) -> str:
    return f"is in {_named(slot.group.forbidden_aggregates & held.counting_aggregates(slot), 'and')}"


CONDITIONS = (
    Condition(name="member_of", asked=lambda slot: _asked(slot, slot.group.member_of, frozenset()), short=_outside),
    Condition(
        name="forbidden_aggregates",
        asked=lambda slot: _asked(slot, (), slot.group.forbidden_aggregates),
        short=_inside,
    ),
)

CONSTRAINT = Constraint(
    name="aggregates",
    of_slot=_of_slot,
    of_statement=_of_statement,
    starts=_starts,
    of_provider=_of_provider,
    conditions=CONDITIONS,
    relaxations=partial(of_names, parameter="member_of", required="member_of", forbidden="forbidden_aggregates"),
)
