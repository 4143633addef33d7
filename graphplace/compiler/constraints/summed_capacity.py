"""What several slots take of one class from one provider is summed, and capacity and ``max_unit`` hold for the sum.

(``min_unit`` and ``step_size`` hold for each slot by itself.)
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations

from graphplace.compiler.clause import Clause, groups_in_words, inventory, parts, provider
from graphplace.compiler.combination import Chosen, Combination
from graphplace.compiler.constraint import Constraint, Parameters
from graphplace.compiler.constraints.isolation import apart
from graphplace.compiler.constraints.resources import BEYOND_ALL
from graphplace.compiler.problem import Problem
from graphplace.compiler.slots import Slots


def _summed(slots: Slots) -> list[str]:
    """Return the classes that two slots ask for which may get the same provider."""
    users: dict[str, list[int]] = {}
    for position, slot in enumerate(slots.all):
        for name, _ in slot.resources:
            users.setdefault(name, []).append(position)
    forbidden = apart(slots)
    return [
        name
        for name, positions in users.items()
        if any(second not in forbidden[first] for first, second in combinations(positions, 2))
    ]


def _of_statement(slots: Slots) -> Parameters:
    """More room than all slots can use is as good as just that much, and makes more trees look the same."""
    asked = {
        summed: sum(min(amount, BEYOND_ALL) for slot in slots.all for name, amount in slot.resources if name == summed)
        for summed in _summed(slots)
    }
    return {"summed": [{"class": name, "most": most} for name, most in asked.items()]}


def _of_problem(slots: Slots) -> Parameters:
    summed = _summed(slots)
    return {
        "summed": tuple(summed),
        "needs": tuple(
            tuple((summed.index(name), amount) for name, amount in slot.resources if name in summed)
            for slot in slots.all
        ),
    }


def _of_choice(slots: Slots, position: int) -> Iterable[Clause]:
    """Add what earlier slots take: whichever slots share a provider, the last of them sees the whole sum."""
    never = apart(slots)[position]
    for resource, (name, amount) in enumerate(slots.all[position].resources):
        earlier = {
            other: taken
            for other in range(position)
            for class_taken, taken in slots.all[other].resources
            if class_taken == name and other not in never
        }
        if earlier:
            groups = groups_in_words([slots.all[other] for other in earlier])
            yield Clause(
                words=f"with room for the {name} of {groups} as well where it is their provider",
                predicates=(_fits_with(slots, position, resource, amount, earlier),),
            )


def _fits_with(slots: Slots, position: int, resource: int, amount: int, earlier: dict[int, int]) -> str:
    if position in slots.splittable:
        fits = _has_room(slots, "part.provider", "part.inventory", "part.amount", earlier)
        return f"all(part IN {parts(position)} WHERE {fits})"
    return _has_room(slots, provider(position), inventory(position, resource), str(min(amount, BEYOND_ALL)), earlier)


def _has_room(slots: Slots, chosen: str, served: str, amount: str, earlier: dict[int, int]) -> str:
    taken = (
        f"reduce(taken = 0, one IN {parts(other)} | taken + CASE one.provider WHEN {chosen} THEN one.amount ELSE 0 END)"
        if other in slots.splittable
        else f"CASE {provider(other)} WHEN {chosen} THEN {min(asked, BEYOND_ALL)} ELSE 0 END"
        for other, asked in earlier.items()
    )
    total = " + ".join([amount, *taken])
    return f"all(most IN [{served}.free, {served}.max_unit] WHERE {total} <= most)"


SUMMED = "room for several groups on one provider"


def _combinations(slots: Slots) -> Iterable[Combination]:
    if _summed(slots):
        yield Combination(about=SUMMED, without=_without, broken=_broken, distance=_distance)


def _without(problem: Problem) -> Problem:
    return replace(problem, summed=(), needs=((),) * len(problem.needs))


def _overdrawn(slots: Slots, chosen: Chosen) -> Iterator[tuple[str, str, int, int]]:
    """Yield each provider and class of which it would have to give more than it can: that amount, and what it can."""
    taken: Counter[tuple[str, str]] = Counter()
    for slot, providers, given in zip(slots.all, chosen.providers, chosen.parts, strict=True):
        for name, amount in slot.resources:
            taken.update({(one, name): part for one, part in zip(providers, given or (amount,), strict=True)})
    for (one, name), amount in taken.items():
        room = chosen.room.get((one, name), amount)
        if amount > room:
            yield one, name, amount, room


def _broken(slots: Slots, chosen: Chosen) -> str:
    for one, name, amount, room in _overdrawn(slots, chosen):
        return f"{chosen.name(one)} would have to give {amount} {name} and can give {room}"
    return "some provider would have to give more than it can"


def _distance(slots: Slots, chosen: Chosen) -> float:
    return sum((amount - room) / amount for _, _, amount, room in _overdrawn(slots, chosen))


CONSTRAINT = Constraint(
    name="summed_capacity",
    of_statement=_of_statement,
    of_problem=_of_problem,
    of_choice=_of_choice,
    combinations=_combinations,
)
