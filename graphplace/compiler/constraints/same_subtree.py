"""``same_subtree``: one of the groups' providers is an ancestor of, or is, the provider of each of the others.

Several are independent of each other, and one group alone is no constraint.
"""

from collections.abc import Iterable

from graphplace.compiler.clause import Clause, groups_in_words, provider
from graphplace.compiler.constraint import Constraint, Parameters
from graphplace.compiler.slots import Slots


def _subtrees(slots: Slots) -> list[tuple[int, ...]]:
    found = {tuple(sorted(slots.suffixed[suffix] for suffix in one.suffixes)) for one in slots.request.same_subtrees}
    return sorted(positions for positions in found if len(positions) > 1)


def _of_statement(slots: Slots) -> Parameters:
    return {"ancestry": bool(_subtrees(slots))}


def _of_problem(slots: Slots) -> Parameters:
    return {"subtrees": tuple(_subtrees(slots))}


def _of_provider(slots: Slots, position: int) -> Iterable[Clause]:
    for positions in _subtrees(slots):
        if positions[-1] == position:
            others = [slots.all[other] for other in positions[:-1]]
            yield Clause(
                words=f"in one subtree with {groups_in_words(others)}, at the top of which is one of their providers",
                predicates=(_common_top([provider(other) for other in positions]),),
            )


def _common_top(chosen: list[str]) -> str:
    # A MATCH each, because one MATCH walks no relationship twice, and the ways up to the top share theirs.
    ways = [f"  MATCH ({one})-[:CHILD_OF*0..]->(top)" for one in chosen]
    return "\n".join(["EXISTS {", *ways, f"  WHERE top IN [{', '.join(chosen)}]", "}"])


CONSTRAINT = Constraint(
    name="same_subtree", of_statement=_of_statement, of_problem=_of_problem, of_provider=_of_provider
)
