"""``same_subtree``: one of the groups' providers is an ancestor of, or is, the provider of each of the others.

Several are independent of each other, and one group alone is no constraint.
"""

from graphplace.compiler.constraint import Constraint, Parameters
from graphplace.compiler.slots import Slots


def _subtrees(slots: Slots) -> list[tuple[int, ...]]:
    found = {tuple(sorted(slots.suffixed[suffix] for suffix in suffixes)) for suffixes in slots.request.same_subtrees}
    return sorted(positions for positions in found if len(positions) > 1)


def _of_statement(slots: Slots, kinds: tuple[int, ...]) -> Parameters:
    return {"subtrees": [sorted({kinds[position] for position in positions}) for positions in _subtrees(slots)]}


def _of_problem(slots: Slots) -> Parameters:
    return {"subtrees": tuple(_subtrees(slots))}


CONSTRAINT = Constraint(name="same_subtree", of_statement=_of_statement, of_problem=_of_problem)
