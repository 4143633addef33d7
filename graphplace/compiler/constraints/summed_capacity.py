"""What several slots take of one class from one provider is summed, and capacity and ``max_unit`` hold for the sum.

(``min_unit`` and ``step_size`` hold for each slot by itself.)
"""

from itertools import combinations

from graphplace.compiler.constraint import Constraint, Parameters
from graphplace.compiler.constraints.group_policy import apart
from graphplace.compiler.constraints.resources import BEYOND_ALL
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


def _of_statement(slots: Slots, _kinds: tuple[int, ...]) -> Parameters:
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


CONSTRAINT = Constraint(name="summed_capacity", of_statement=_of_statement, of_problem=_of_problem)
