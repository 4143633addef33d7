"""Candidates from many trees: evenly, or one tree after the other."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from graphplace.candidates.match import Tree
from graphplace.candidates.shape import Shape
from graphplace.candidates.splits import Choice, choices
from graphplace.compiler.problem import Problem
from graphplace.graph.budget import Budget


@dataclass(frozen=True, slots=True)
class Placement:
    """A tree, and what is chosen in it for each slot."""

    tree: Tree
    choice: Choice


def spread(
    problem: Problem, trees: Iterable[Tree], budget: Budget, *, evenly: bool, shuffled: bool
) -> Iterator[Placement]:
    """Yield what solves *problem* in each of *trees*, which are taken as they are needed.

    If *evenly*, that is the first choice of every tree, then all second ones and so on; else all choices of the first
    tree, then those of the second. A choice of nothing but sharing providers is found in every tree that they share
    with; it is given once. The choices of a tree are found in a fixed order, or *shuffled*.

    Raises TimeBudgetError when the time of *budget* is over.
    """
    answers: dict[Shape, _Answers] = {}
    given: set[tuple[str, ...]] = set()

    def turn(tree: Tree) -> Iterator[Placement]:
        if shuffled:
            return _placements(tree, choices(problem, tree.shape, budget, shuffled=True), given)
        if tree.shape not in answers:
            answers[tree.shape] = _Answers(problem, tree.shape, budget)
        return _placements(tree, answers[tree.shape], given)

    turns = map(turn, trees)
    for placement in _in_rounds(turns) if evenly else chain.from_iterable(turns):
        budget.check()
        yield placement


def _in_rounds(turns: Iterable[Iterator[Placement]]) -> Iterator[Placement]:
    while True:
        waiting = []
        for one in turns:
            placement = next(one, None)
            if placement is not None:
                waiting.append(one)
                yield placement
        if not waiting:
            return
        turns = waiting


class _Answers:
    """The choices within one shape: found once, when first asked for, and given to all trees of the shape."""

    def __init__(self, problem: Problem, shape: Shape, budget: Budget) -> None:
        self._found: list[Choice] = []
        self._more = choices(problem, shape, budget)

    def __iter__(self) -> Iterator[Choice]:
        number = 0
        while number < len(self._found) or self._find():
            yield self._found[number]
            number += 1

    def _find(self) -> bool:
        choice = next(self._more, None)
        if choice is None:
            return False
        self._found.append(choice)
        return True


def _placements(tree: Tree, answers: Iterable[Choice], given: set[tuple[str, ...]]) -> Iterator[Placement]:
    for choice in answers:
        if tree.shared and all(position in tree.shared for position in choice):
            # No parts among them, which only the tree's own providers give.
            providers = tuple(tree.providers[position] for position in choice if isinstance(position, int))
            if providers in given:
                continue
            given.add(providers)
        yield Placement(tree, choice)
