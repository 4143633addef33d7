"""Which states of a search are the same but for the exchange of like slots and like providers."""

from collections.abc import Sequence
from typing import Any

from graphplace.candidates.shape import Shape
from graphplace.compiler.problem import Problem


class Symmetry:
    """The like slots of a problem and the like providers of a shape.

    Slots are alike that take the same, are apart from the same others and are in the same subtrees. Providers are
    alike that cover the same traits and, where there are subtrees, have the same ancestors and nothing below them;
    what they still can give and to which slots is part of the state.
    """

    def __init__(self, problem: Problem, shape: Shape) -> None:
        self._problem = problem
        self._shape = shape
        self._in_subtree = {slot for subtree in problem.subtrees for slot in (*subtree.inside, *subtree.outside)}
        self._slot_class = _classes([self._slot_traits(slot) for slot in range(len(problem.kinds))])
        self._provider_class = _classes([self._provider_traits(position) for position in range(self._providers())])

    def state(
        self,
        unfilled: Sequence[int],
        domains: Sequence[int],
        room: Sequence[Sequence[int]],
        chosen: Sequence[int],
    ) -> Any:
        """Return a key of the state: states with equal keys have answers or none alike."""
        reach: dict[int, list[int]] = {}
        for slot in unfilled:
            for position in range(self._providers()):
                if domains[slot] >> position & 1:
                    reach.setdefault(position, []).append(self._slot_class[slot])
        providers = [
            (self._provider_class[position], tuple(room[position]), tuple(sorted(slots)))
            for position, slots in reach.items()
        ]
        fixed = [(slot, chosen[slot]) for slot in sorted(self._in_subtree) if slot not in unfilled]
        covered = 0
        if self._problem.collective:
            for slot in self._problem.unsuffixed:
                if slot not in unfilled:
                    covered |= self._shape.covers[chosen[slot]]
        return (
            tuple(sorted(self._slot_class[slot] for slot in unfilled)),
            tuple(sorted(providers)),
            tuple(fixed),
            covered,
        )

    def _providers(self) -> int:
        return max(domain.bit_length() for domain in self._shape.domains)

    def _slot_traits(self, slot: int) -> Any:
        problem = self._problem
        return (
            problem.kinds[slot],
            self._apart(slot),
            tuple((slot in subtree.inside, slot in subtree.outside) for subtree in problem.subtrees),
        )

    def _apart(self, slot: int) -> frozenset[int]:
        """Return what like slots have in common: the others that they are apart from, themselves if from each other."""
        apart = self._problem.apart
        together = apart[slot] | {slot}
        return together if any(apart[other] | {other} == together for other in apart[slot]) else apart[slot]

    def _provider_traits(self, position: int) -> Any:
        shape = self._shape
        covers = shape.covers[position] if self._problem.collective else 0
        if not self._problem.subtrees:
            return covers
        has_children = shape.descendants[position].bit_count() > 1
        return covers, shape.ancestors[position] & ~(1 << position), position if has_children else None


def _classes(traits: list[Any]) -> list[int]:
    numbers: dict[Any, int] = {}
    return [numbers.setdefault(one, len(numbers)) for one in traits]
