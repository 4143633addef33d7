"""Dividing an amount among inventories: against trying everything, and how long it takes where that is hopeless."""

from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphplace.candidates.parts import Parts, divisions, legal
from graphplace.errors import TimeBudgetError
from graphplace.graph.budget import ANY_TIME, Budget

INVENTORIES = st.builds(
    legal,
    free=st.integers(-1, 12),
    min_unit=st.integers(0, 6),
    max_unit=st.integers(1, 12),
    step_size=st.sampled_from([1, 1, 2, 3, 4, 6]),
)


def by_trying(amount: int, ranges: list[range]) -> list[Parts]:
    for number in range(2, len(ranges) + 1):
        found = []
        for chosen in combinations(range(len(ranges)), number):
            ways = [parts for parts in product(*(ranges[one] for one in chosen)) if sum(parts) == amount]
            if ways:
                found.append(tuple(zip(chosen, max(ways), strict=True)))
        if found:
            return found
    return []


@given(free=st.integers(-2, 20), min_unit=st.integers(0, 8), max_unit=st.integers(1, 20), step_size=st.integers(1, 7))
def test_what_is_legal(free: int, min_unit: int, max_unit: int, step_size: int) -> None:
    assert list(legal(free, min_unit, max_unit, step_size)) == [
        amount
        for amount in range(1, 30)
        if min_unit <= amount <= max_unit and amount % step_size == 0 and amount <= free
    ]


@given(st.integers(1, 40), st.lists(INVENTORIES, max_size=5))
def test_an_amount_is_divided_among_as_few_as_can_give_it(amount: int, ranges: list[range]) -> None:
    offers = [(position, one) for position, one in enumerate(ranges) if one]
    expected = by_trying(amount, ranges)
    assert list(divisions(amount, offers, ANY_TIME)) == expected


def test_the_first_ones_give_the_most_that_leaves_the_rest_to_the_others() -> None:
    offers = [(0, legal(8, 1, 8, 1)), (1, legal(8, 2, 8, 2)), (2, legal(64, 4, 64, 4))]
    assert next(divisions(73, offers, ANY_TIME)) == ((0, 7), (1, 6), (2, 60))
    assert list(divisions(71, offers, ANY_TIME)) == [((0, 7), (2, 64))]


def test_great_amounts_in_small_steps_take_no_time() -> None:
    offers = [(0, legal(2**31, 1, 2**31 - 1, 1)), (1, legal(2**31, 512, 2**31 - 1, 512)), (2, legal(7, 7, 7, 7))]
    assert list(divisions(3 * 2**30 + 7, offers, ANY_TIME)) == [((0, 2**31 - 1 - 504), (1, 2**30 + 512))]


def test_a_great_tree_gives_its_first_ways_at_once() -> None:
    offers = [(position, legal(2, 1, 2, 1)) for position in range(1000)]
    ways = divisions(1001, offers, ANY_TIME)
    assert [len(way) for way, _ in zip(ways, range(3), strict=False)] == [501, 501, 501]


@pytest.mark.parametrize("last", [legal(64, 2, 64, 2), legal(64, 3, 64, 3)])
def test_like_inventories_that_cannot_give_an_amount_are_not_tried_again(last: range) -> None:
    offers = [*((position, legal(64, 2, 64, 2)) for position in range(40)), (40, last)]
    ways = divisions(1001, offers, Budget(5, "PATIENCE"))
    assert next(ways, None) == (None if last.step == 2 else (*((n, 64) for n in range(14)), (14, 60), (40, 45)))


def test_a_hopeless_division_stops_when_its_time_is_over() -> None:
    offers = [(position, range(30 + 2 * position, 31 + 2 * position)) for position in range(40)]
    with pytest.raises(TimeBudgetError):
        list(divisions(901, offers, Budget(0.05, "PATIENCE")))
