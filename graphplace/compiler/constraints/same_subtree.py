"""``same_subtree``: one of the groups' providers is an ancestor of, or is, the provider of each of the others.

A group named with ``!`` is outside: together with it, there is no such provider among them. Several are independent of
each other, and one group alone is no constraint.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from graphplace.compiler.clause import Clause, group_in_words, groups_in_words, in_words, provider
from graphplace.compiler.combination import Chosen, Combination
from graphplace.compiler.constraint import Constraint, Parameters
from graphplace.compiler.problem import Problem, Subtree
from graphplace.compiler.relaxation import Relaxation
from graphplace.compiler.slots import Slots
from graphplace.request.model import CandidateRequest, SameSubtree
from graphplace.request.write import written

ELSEWHERE = 1000
"""So many steps away is what shares from another tree: more than trees are deep."""


def _subtrees(slots: Slots) -> list[Subtree]:
    return sorted(
        {_subtree(slots, one) for one in slots.request.same_subtrees if len(one.suffixes) > 1 or one.excluded}
    )


def _subtree(slots: Slots, same_subtree: SameSubtree) -> Subtree:
    def positions(suffixes: Iterable[str]) -> tuple[int, ...]:
        return tuple(sorted(slots.suffixed[suffix] for suffix in suffixes))

    return Subtree(positions(same_subtree.suffixes), positions(same_subtree.excluded))


def _of_statement(slots: Slots) -> Parameters:
    return {"ancestry": bool(_subtrees(slots))}


def _of_problem(slots: Slots) -> Parameters:
    return {"subtrees": tuple(_subtrees(slots))}


def _of_choice(slots: Slots, position: int) -> Iterable[Clause]:
    for inside, outside in _subtrees(slots):
        if len(inside) > 1 and inside[-1] == position:
            others = groups_in_words([slots.all[other] for other in inside[:-1]])
            yield Clause(
                words=f"in one subtree with {others}, at the top of which is one of their providers",
                predicates=(_common_top(inside),),
            )
        for excluded in outside:
            if max(*inside, excluded) == position:
                yield _outside(slots, position, inside, excluded)


def _outside(slots: Slots, position: int, inside: tuple[int, ...], excluded: int) -> Clause:
    """Say it at the last of the slots: that is the excluded one, or the last one inside."""
    if position == excluded:
        within = groups_in_words([slots.all[other] for other in inside])
        words = f"not in the subtree of {within}, nor above all of it"
    else:
        within = groups_in_words([slots.all[excluded]])
        words = f"in a subtree that {within} is not in, nor above all of it"
    return Clause(words=words, predicates=(f"NOT {_common_top((*inside, excluded))}",))


def _common_top(positions: Iterable[int]) -> str:
    chosen = [provider(position) for position in positions]
    # A MATCH each, because one MATCH walks no relationship twice, and the ways up to the top share theirs.
    ways = [f"  MATCH ({one})-[:CHILD_OF*0..]->(top)" for one in chosen]
    return "\n".join(["EXISTS {", *ways, f"  WHERE top IN [{', '.join(chosen)}]", "}"])


def _combinations(slots: Slots) -> Iterator[Combination]:
    subtrees = {_subtree(slots, one): one for one in slots.request.same_subtrees}
    for subtree in _subtrees(slots):
        yield Combination(
            about=f"same_subtree={written(subtrees[subtree])}",
            without=partial(_without, subtree),
            broken=partial(_broken, subtree),
            distance=partial(_distance, subtree),
        )


def _without(subtree: Subtree, problem: Problem) -> Problem:
    return replace(problem, subtrees=tuple(one for one in problem.subtrees if one != subtree))


def _broken(subtree: Subtree, slots: Slots, chosen: Chosen) -> str:
    def named(positions: Iterable[int], conjunction: str) -> str:
        found = (f"{chosen.name(chosen.providers[one][0])} for {group_in_words(slots.all[one])}" for one in positions)
        return in_words(found, conjunction)

    be = "is" if len(subtree.inside) == 1 else "are"
    without = f" without {named(subtree.outside, 'or')}" if subtree.outside else ""
    return f"{named(subtree.inside, 'and')} {be} in no such subtree{without}"


def _distance(subtree: Subtree, _slots: Slots, chosen: Chosen) -> float:
    """Return by how many steps between parent and child the providers inside miss the best top of them.

    Each provider outside that is not counts as one.
    """
    inside, outside = (
        [chosen.of(provider).above for one in positions for provider in chosen.providers[one]] for positions in subtree
    )

    def off(top: Sequence[str]) -> float:
        related = sum(not _is_off(top, one) or not _is_off(one, top) for one in outside)
        return sum(_steps(top, one) for one in inside) + related

    return min(map(off, inside))


def _is_off(top: Sequence[str], below: Sequence[str]) -> bool:
    return top[0] not in below


def _steps(top: Sequence[str], below: Sequence[str]) -> float:
    """Return none if one is below the top, else the steps from one to the other, which are many in different trees."""
    if not _is_off(top, below):
        return 0
    common = len(set(top) & set(below))
    return len(top) + len(below) - 2 * common if common else ELSEWHERE


def _relaxations(request: CandidateRequest) -> Iterator[Relaxation]:
    for subtree in request.same_subtrees:
        yield Relaxation(f"same_subtree={written(subtree)}", partial(_freed, subtree))


def _freed(subtree: SameSubtree, request: CandidateRequest) -> CandidateRequest:
    return replace(request, same_subtrees=tuple(one for one in request.same_subtrees if one != subtree))


CONSTRAINT = Constraint(
    name="same_subtree",
    of_statement=_of_statement,
    of_problem=_of_problem,
    of_choice=_of_choice,
    combinations=_combinations,
    relaxations=_relaxations,
)
