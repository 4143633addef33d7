"""``required``: traits that providers have, one of each set, and traits that they must not have.

The provider of a suffixed group has them all by itself. The providers of the unsuffixed group have the required
ones together, and none of them has a forbidden one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from graphplace.compiler.clause import Clause, in_words, linked, part_of_each, provider
from graphplace.compiler.combination import Chosen, Combination
from graphplace.compiler.condition import Condition, Held
from graphplace.compiler.constraint import Constraint, Parameters, Trees
from graphplace.compiler.problem import Problem
from graphplace.compiler.relaxation import of_names
from graphplace.compiler.slots import Slot, Slots
from graphplace.compiler.start import TraitStart


def _required(slot: Slot) -> tuple[frozenset[str], ...]:
    """Return the sets of which the provider of *slot* has a trait each by itself."""
    return slot.group.required if slot.suffixed else ()


def _of_slot(slot: Slot, _trees: Trees) -> Parameters:
    return {"required": [sorted(any_of) for any_of in _required(slot)], "forbidden": sorted(slot.group.forbidden)}


def _of_statement(slots: Slots) -> Parameters:
    named = {trait for slot in slots.all for any_of in slot.group.required for trait in any_of}
    named.update(trait for slot in slots.all for trait in slot.group.forbidden)
    return {"traits": sorted(named), "collective": [sorted(any_of) for any_of in _collective(slots)]}


def _of_problem(slots: Slots) -> Parameters:
    return {"collective": len(_collective(slots)), "unsuffixed": slots.unsuffixed}


def _starts(slots: Slots) -> Iterable[TraitStart]:
    return [TraitStart(any_of) for slot in slots.all for any_of in slot.group.required]


def trait_clauses(variable: str, required: Iterable[frozenset[str]], forbidden: frozenset[str]) -> Iterator[Clause]:
    """Say that what *variable* stands for has one trait of each required set, and no forbidden one."""
    for any_of in required:
        yield Clause(words=f"with {_named(any_of)}", predicates=(_held(variable, any_of),))
    if forbidden:
        yield Clause(words=f"without {_named(forbidden)}", predicates=(f"NOT {_held(variable, forbidden)}",))


def _of_provider(slots: Slots, position: int) -> Iterator[Clause]:
    slot = slots.all[position]
    return trait_clauses(provider(position), _required(slot), slot.group.forbidden)


def _of_choice(slots: Slots, position: int) -> Iterator[Clause]:
    if slots.unsuffixed and position == slots.unsuffixed[-1]:
        chosen = part_of_each(slots, slots.unsuffixed, "provider", lambda one: [provider(one)])
        for any_of in _collective(slots):
            yield Clause(
                words=f"with {_named(any_of)} on it or on another provider of the group",
                predicates=(f"any(chosen IN {chosen} WHERE {_held('chosen', any_of)})",),
            )


def _named(traits: frozenset[str]) -> str:
    return f"the trait {_either(traits)}"


def _held(variable: str, traits: frozenset[str]) -> str:
    return linked(variable, "HAS_TRAIT", "Trait", "name", traits)


def _collective(slots: Slots) -> tuple[frozenset[str], ...]:
    return slots.all[slots.unsuffixed[0]].group.required if slots.unsuffixed else ()


def _asked(required: Iterable[frozenset[str]], forbidden: frozenset[str]) -> str:
    return ", ".join(clause.words for clause in trait_clauses("", required, forbidden))


def _lacking(slot: Slot, held: Held) -> str:
    return f"lacks {in_words((_either(one) for one in _required(slot) if one.isdisjoint(held.traits)), 'and')}"


def _either(traits: frozenset[str]) -> str:
    return in_words(sorted(traits), "or")


COLLECTIVE = "the required traits of the unsuffixed group"


def _combinations(slots: Slots) -> Iterator[Combination]:
    if _collective(slots):
        yield Combination(about=COLLECTIVE, without=_without_collective, broken=_broken, distance=_distance)


def _without_collective(problem: Problem) -> Problem:
    return replace(problem, collective=0)


def _uncovered(slots: Slots, chosen: Chosen) -> list[frozenset[str]]:
    """Return those of the required sets of which no provider of the group has a trait."""
    held = frozenset().union(*(chosen.of(provider).traits for provider in _of_group(slots, chosen)))
    return [any_of for any_of in _collective(slots) if any_of.isdisjoint(held)]


def _of_group(slots: Slots, chosen: Chosen) -> dict[str, None]:
    return dict.fromkeys(provider for one in slots.unsuffixed for provider in chosen.providers[one])


def _broken(slots: Slots, chosen: Chosen) -> str:
    providers = in_words(map(chosen.name, _of_group(slots, chosen)), "and")
    return f"{providers} would not have {in_words(map(_named, _uncovered(slots, chosen)), 'and')}"


def _distance(slots: Slots, chosen: Chosen) -> float:
    return len(_uncovered(slots, chosen))


CONDITIONS = (
    Condition(name="required", asked=lambda slot: _asked(_required(slot), frozenset()), short=_lacking),
    Condition(
        name="forbidden",
        asked=lambda slot: _asked((), slot.group.forbidden),
        short=lambda slot, held: f"has {in_words(sorted(slot.group.forbidden & held.traits), 'and')}",
    ),
)

CONSTRAINT = Constraint(
    name="traits",
    of_slot=_of_slot,
    of_statement=_of_statement,
    of_problem=_of_problem,
    starts=_starts,
    of_provider=_of_provider,
    of_choice=_of_choice,
    conditions=CONDITIONS,
    combinations=_combinations,
    relaxations=partial(of_names, parameter="required", required="required", forbidden="forbidden"),
)
