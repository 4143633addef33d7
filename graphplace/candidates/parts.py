"""Dividing an amount of one class among inventories, each of which gives a legal part of it.

What is legal for an inventory is a range: from ``min_unit`` up to ``max_unit`` or what is free, in steps of
``step_size``.
"""

from collections.abc import Iterator, Sequence
from heapq import nlargest, nsmallest
from math import gcd

from graphplace.graph.budget import Budget

# A state takes in the order of a kilobyte.
MOST_REMEMBERED = 50_000

Part = tuple[int, int]
"""The position of a provider, and the amount that it gives."""
Parts = tuple[Part, ...]
Offer = tuple[int, range]
"""The position of a provider, and the amounts that are legal for it, of which there are some."""


def legal(free: int, min_unit: int, max_unit: int, step_size: int) -> range:
    """Return the amounts that an inventory can give."""
    least = max(-(-min_unit // step_size), 1) * step_size
    return range(least, min(free, max_unit) + 1, step_size)


def divisions(amount: int, offers: Sequence[Offer], budget: Budget) -> Iterator[Parts]:
    """Yield the ways to divide *amount* among as few of *offers* as can give it, two at least, in their order.

    Each set of offers gives one way: the first of them gives the most that leaves the rest to the others, then the
    second, and so on. Raises TimeBudgetError when the time of *budget* is over.
    """
    for number in range(2, len(offers) + 1):
        found = False
        for chosen in _combinations(amount, offers, number, budget):
            found = True
            parts = _divide(amount, [amounts for _, amounts in chosen])
            yield tuple((position, part) for (position, _), part in zip(chosen, parts, strict=True))
        if found:
            return


def _combinations(amount: int, offers: Sequence[Offer], number: int, budget: Budget) -> Iterator[list[Offer]]:
    """Yield each choice of *number* of the offers, in order, that can give *amount* together.

    Which choices of the first ones lead to nothing is remembered by what they offer, so that like offers cost nothing.
    """
    bounds = _Bounds(offers, number)
    chosen: list[int] = []
    least = most = following = 0
    yielded = 0
    yielded_before: list[int] = []
    fruitless: set[tuple[int, tuple[range, ...]]] = set()
    while True:
        budget.check()
        left = number - len(chosen)
        if left and bounds.allow(following, left, amount - most, amount - least):
            if _state([*chosen, following], offers) in fruitless:
                following += 1
                continue
            chosen.append(following)
            yielded_before.append(yielded)
            least += offers[following][1][0]
            most += offers[following][1][-1]
            following += 1
            continue
        if not left and _is_sum(amount, [offers[one][1] for one in chosen]):
            yielded += 1
            yield [offers[one] for one in chosen]
        if not chosen:
            return
        if yielded == yielded_before.pop() and len(fruitless) < MOST_REMEMBERED:
            fruitless.add(_state(chosen, offers))
        following = chosen.pop()
        least -= offers[following][1][0]
        most -= offers[following][1][-1]
        following += 1


def _state(chosen: Sequence[int], offers: Sequence[Offer]) -> tuple[int, tuple[range, ...]]:
    """Return what decides whether offers after the last of *chosen* can complete the amount."""
    amounts = sorted((offers[one][1] for one in chosen), key=lambda one: (one.start, one.stop, one.step))
    return chosen[-1], tuple(amounts)


class _Bounds:
    """What any so many of the offers from a position on can give, at the least and at the most."""

    def __init__(self, offers: Sequence[Offer], number: int) -> None:
        self._offers = offers
        self._number = number
        self._known: dict[int, tuple[list[int], list[int]]] = {}

    def allow(self, start: int, number: int, lowest: int, highest: int) -> bool:
        """Tell whether *number* offers from *start* on may give an amount from *lowest* to *highest*."""
        if len(self._offers) - start < number:
            return False
        if start not in self._known:
            amounts = [amounts for _, amounts in self._offers[start:]]
            self._known[start] = (
                nsmallest(self._number, (one[0] for one in amounts)),
                nlargest(self._number, (one[-1] for one in amounts)),
            )
        smallest, greatest = self._known[start]
        return sum(greatest[:number]) >= lowest and sum(smallest[:number]) <= highest


def _divide(amount: int, ranges: Sequence[range]) -> list[int]:
    """Return what each of *ranges* gives, the first ones as much as they can. They can give *amount* together."""
    parts = []
    for position, amounts in enumerate(ranges):
        others = ranges[position + 1 :]
        most = min(amounts[-1], amount - sum(one[0] for one in others))
        left_to_it = range(amounts.start, most + 1, amounts.step)
        part = next(part for part in reversed(left_to_it) if _is_sum(amount - part, others))
        parts.append(part)
        amount -= part
    return parts


def _is_sum(amount: int, ranges: Sequence[range]) -> bool:
    """Tell whether *amount* is the sum of a member of each of *ranges*."""
    times: dict[int, int] = {}
    for one in ranges:
        times[one.step] = times.get(one.step, 0) + len(one) - 1
    return _is_made_of(amount - sum(one[0] for one in ranges), sorted(times.items(), reverse=True))


def _is_made_of(amount: int, steps: Sequence[tuple[int, int]]) -> bool:
    """Tell whether *amount* is made of *steps*, each of a size, and used up to so many times."""
    if amount < 0 or not steps:
        return amount == 0
    (size, times), *smaller = steps
    rest = sum(other * most for other, most in smaller)
    common = gcd(*(other for other, _ in smaller))
    if amount > size * times + rest or amount % gcd(size, common):
        return False
    fewest, most = max(0, -(-(amount - rest) // size)), min(times, amount // size)
    return any(
        _is_made_of(amount - number * size, smaller)
        for number in range(most, fewest - 1, -1)
        if not common or (amount - number * size) % common == 0
    )
