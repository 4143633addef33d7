"""The choices of one provider for each slot that hold together within one tree, found one by one.

A depth-first search with forward checking: the slot with the fewest providers left is filled next, and each choice
takes away from the other slots what it rules out. States proven to have no answer are remembered up to the
exchange of like slots and like providers, so that symmetry costs nothing where there is no answer; where there are
some, all are given, like ones included, because candidates that differ in a provider differ.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from graphplace.candidates.bounds import all_placeable, enough_room
from graphplace.candidates.shape import Shape, members
from graphplace.candidates.symmetry import Symmetry
from graphplace.compiler.problem import Problem, Subtree
from graphplace.graph.budget import ANY_TIME, Budget

UNFILLED = -1

# Below these a search is over before a bound or a memory pays for itself.
FEWEST_OPEN_FOR_BOUNDS = 3
FEWEST_FAILURES_FOR_MEMORY = 30
# A state takes in the order of a kilobyte.
MOST_REMEMBERED = 50_000


def choices(
    problem: Problem,
    shape: Shape,
    budget: Budget = ANY_TIME,
    *,
    shuffled: bool = False,
    domains: list[int] | None = None,
) -> Iterator[tuple[int, ...]]:
    """Yield every valid choice, lazily: the position of a provider in *shape* for each slot of *problem*.

    The lowest positions come first, or any if *shuffled*. Of each slot, *domains* are the providers to choose from:
    unless given, those that fit its kind. Raises TimeBudgetError when the time of *budget* is over.
    """
    domains = domains or [shape.domains[kind] for kind in problem.kinds]
    if not (shuffled or any(problem.apart) or problem.summed or problem.subtrees or problem.collective):
        return product(*(list(members(domain)) for domain in domains))
    return _Search(problem, shape, _any if shuffled else _lowest, budget).run(domains)


@dataclass(slots=True)
class _Frame:
    """A slot being filled: the providers not tried for it, what the slots could have before, the slots after it."""

    slot: int
    untried: int
    domains: Sequence[int]
    rest: tuple[int, ...]
    state: Any
    found: bool = False


class _Search:
    def __init__(self, problem: Problem, shape: Shape, pick: Callable[[int], int], budget: Budget) -> None:
        self._problem = problem
        self._shape = shape
        self._pick = pick
        self._budget = budget
        self._chosen = [UNFILLED] * len(problem.kinds)
        self._room = [list(amounts) for amounts in shape.room]
        self._takers: list[list[tuple[int, int]]] = [[] for _ in problem.summed]
        for slot, needs in enumerate(problem.needs):
            for summed, amount in needs:
                self._takers[summed].append((slot, amount))
        self._failures = 0
        self._dead: set[Any] = set()
        self._isolated = _mutually_apart(problem.apart)

    @cached_property
    def _symmetry(self) -> Symmetry:
        return Symmetry(self._problem, self._shape)

    def run(self, domains: list[int]) -> Iterator[tuple[int, ...]]:
        every = tuple(range(len(domains)))
        stack: list[_Frame] = []
        if all(domains) and self._narrow_subtrees(self._problem.subtrees, domains) and self._can_cover(domains):
            self._descend(stack, every, domains)
        while stack:
            self._budget.check()
            frame = stack[-1]
            self._take_back(frame.slot)
            if not frame.untried:
                self._leave(stack)
                continue
            provider = self._pick(frame.untried)
            frame.untried ^= 1 << provider
            narrowed = self._fill(frame, provider)
            if narrowed is None:
                continue
            if frame.rest:
                self._descend(stack, frame.rest, narrowed)
            else:
                frame.found = True
                yield tuple(self._chosen)

    def _descend(self, stack: list[_Frame], unfilled: tuple[int, ...], domains: Sequence[int]) -> None:
        """Start to fill one of *unfilled*, unless there is proof that they cannot all be filled."""
        state = None
        if len(unfilled) >= FEWEST_OPEN_FOR_BOUNDS and (self._failures or not stack):
            if not self._within_bounds(domains):
                self._failures += 1
                return
            if self._failures >= FEWEST_FAILURES_FOR_MEMORY:
                state = self._symmetry.state(unfilled, domains, self._room, self._chosen)
                if state in self._dead:
                    return
        slot = min(unfilled, key=lambda one: domains[one].bit_count())
        rest = tuple(one for one in unfilled if one != slot)
        stack.append(_Frame(slot, domains[slot], domains, rest, state))

    def _leave(self, stack: list[_Frame]) -> None:
        frame = stack.pop()
        if frame.found:
            if stack:
                stack[-1].found = True
            return
        self._failures += 1
        if frame.state is not None and len(self._dead) < MOST_REMEMBERED:
            self._dead.add(frame.state)

    def _fill(self, frame: _Frame, provider: int) -> list[int] | None:
        """Give *provider* to the frame's slot. Return what is left to the others, None when one has nothing."""
        slot, bit = frame.slot, 1 << provider
        self._chosen[slot] = provider
        domains = list(frame.domains)
        domains[slot] = bit
        for other in self._problem.apart[slot]:
            if self._chosen[other] == UNFILLED:
                domains[other] &= ~bit
        room = self._room[provider]
        for summed, amount in self._problem.needs[slot]:
            room[summed] -= amount
            for other, needed in self._takers[summed]:
                if needed > room[summed] and self._chosen[other] == UNFILLED:
                    domains[other] &= ~bit
        concerned = [one for one in self._problem.subtrees if slot in one.inside or slot in one.outside]
        if not self._narrow_subtrees(concerned, domains):
            return None
        if not all(domains[other] for other in frame.rest):
            return None
        return domains if self._can_cover(domains) else None

    def _take_back(self, slot: int) -> None:
        provider = self._chosen[slot]
        if provider != UNFILLED:
            self._chosen[slot] = UNFILLED
            for summed, amount in self._problem.needs[slot]:
                self._room[provider][summed] += amount

    def _narrow_subtrees(self, subtrees: Sequence[Subtree], domains: list[int]) -> bool:
        """Leave to the slots of each subtree what lies below a possible top of it; False when there is none.

        A top can be given to one of the slots inside, each of the others has something at or below it, and each of
        those outside something that is neither below nor above it, which alone is left to them.
        """
        descendants, ancestors = self._shape.descendants, self._shape.ancestors
        for inside, outside in subtrees:
            within = 0
            beside = 0
            tops = 0
            for slot in inside:
                tops |= domains[slot]
            for top in members(tops):
                unrelated = ~(descendants[top] | ancestors[top])
                if all(domains[slot] & descendants[top] for slot in inside) and all(
                    domains[slot] & unrelated for slot in outside
                ):
                    within |= descendants[top]
                    beside |= unrelated
            if not within:
                return False
            for slot in inside:
                domains[slot] &= within
            for slot in outside:
                domains[slot] &= beside
        return True

    def _can_cover(self, domains: Sequence[int]) -> bool:
        """Tell whether the providers left to the unsuffixed slots have all collective traits."""
        if not self._problem.collective:
            return True
        left = 0
        for slot in self._problem.unsuffixed:
            left |= domains[slot]
        covered = 0
        for provider in members(left):
            covered |= self._shape.covers[provider]
        return covered == (1 << self._problem.collective) - 1

    def _within_bounds(self, domains: Sequence[int]) -> bool:
        isolated = [domains[slot] for slot in self._isolated if self._chosen[slot] == UNFILLED]
        if not all_placeable(isolated, lambda _provider: 1):
            return False
        for summed, takers in enumerate(self._takers):
            asking = [(domains[slot], amount) for slot, amount in takers if self._chosen[slot] == UNFILLED]
            if len(asking) > 1 and not self._holds(summed, asking):
                return False
        return True

    def _holds(self, summed: int, asking: list[tuple[int, int]]) -> bool:
        domains = [domain for domain, _ in asking]
        amounts = [amount for _, amount in asking]
        least = min(amounts)
        return enough_room(domains, amounts, lambda provider: self._room[provider][summed]) and all_placeable(
            domains, lambda provider: self._room[provider][summed] // least
        )


def _lowest(untried: int) -> int:
    return (untried & -untried).bit_length() - 1


def _any(untried: int) -> int:
    return random.choice(tuple(members(untried)))  # noqa: S311  # it is no secret who comes first


def _mutually_apart(apart: Sequence[frozenset[int]]) -> list[int]:
    """Return slots of which no two may have the same provider."""
    found: list[int] = []
    for slot, others in enumerate(apart):
        if others and others.issuperset(found):
            found.append(slot)
    return found
