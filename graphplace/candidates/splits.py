"""The choices within one tree, where some of what the unsuffixed group asks for may come in parts.

A slot is split only if no provider can fill it alone. Then each way to split it is a problem of its own, in which each
part is a slot with one provider: it shares that provider's room, and has the traits that the group needs together.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice, product

from graphplace.candidates import search
from graphplace.candidates.parts import Parts, divisions
from graphplace.candidates.shape import Shape
from graphplace.compiler.constraints.can_split import MOST_SPLITS
from graphplace.compiler.problem import Problem, Split
from graphplace.graph.budget import ANY_TIME, Budget

Choice = tuple[int | Parts, ...]
"""For each slot the position of its provider, or its parts."""


def choices(problem: Problem, shape: Shape, budget: Budget = ANY_TIME, *, shuffled: bool = False) -> Iterator[Choice]:
    """Yield every valid choice, lazily, as :func:`graphplace.candidates.search.choices` does."""
    unmet = [split for split in problem.splits if not shape.domains[problem.kinds[split.slot]]]
    if not unmet:
        return search.choices(problem, shape, budget, shuffled=shuffled)
    return _in_parts(problem, shape, unmet, budget, shuffled=shuffled)


def _in_parts(
    problem: Problem, shape: Shape, unmet: Sequence[Split], budget: Budget, *, shuffled: bool
) -> Iterator[Choice]:
    of_each = [islice(_divisions(problem, split, shape, budget), MOST_SPLITS) for split in unmet]
    ways = islice(product(*of_each), MOST_SPLITS)
    for way in random.sample(every := list(ways), len(every)) if shuffled else ways:
        slots = [split.slot for split in unmet]
        narrowed, domains = _with_parts(problem, shape, slots, way)
        for choice in search.choices(narrowed, shape, budget, shuffled=shuffled, domains=domains):
            whole: list[int | Parts] = list(choice[: len(problem.kinds)])
            for slot, parts in zip(slots, way, strict=True):
                whole[slot] = parts
            yield tuple(whole)


def _divisions(problem: Problem, split: Split, shape: Shape, budget: Budget) -> Iterator[Parts]:
    position = problem.splits.index(split)
    offers = [
        (provider, amounts)
        for provider in shape.own
        if shape.domains[split.kind] >> provider & 1 and (amounts := shape.offers[provider][position])
    ]
    return divisions(split.amount, offers, budget)


def _with_parts(
    problem: Problem, shape: Shape, slots: Sequence[int], way: Sequence[Parts]
) -> tuple[Problem, list[int]]:
    """Return the problem with a slot for each part, and the providers for each slot.

    The first part of each of *slots* takes the place of the slot, and all others come last.
    """
    domains = [shape.domains[kind] for kind in problem.kinds]
    needs = list(problem.needs)
    for slot, parts in zip(slots, way, strict=True):
        summed = [number for number, _ in problem.needs[slot]]
        of_parts = [(1 << provider, tuple((number, part) for number in summed)) for provider, part in parts]
        (domains[slot], needs[slot]), *others = of_parts
        domains += [domain for domain, _ in others]
        needs += [need for _, need in others]
    added = range(len(problem.kinds), len(domains))
    return (
        replace(
            problem,
            # No kind that any other slot is of: no part is like another slot.
            kinds=(*problem.kinds, *(len(shape.domains) + number for number in added)),
            apart=(*problem.apart, *(frozenset[int]() for _ in added)),
            needs=tuple(needs),
            unsuffixed=tuple(chain(problem.unsuffixed, added)),
            splits=(),
        ),
        domains,
    )
