"""Capacity: the whole part of (total - reserved) * allocation_ratio in exact decimals, without a database."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from graphplace.fields import MAX_AMOUNT
from graphplace.inventory import MAX_CAPACITY, MIN_CAPACITY, Inventory

amounts = st.integers(0, MAX_AMOUNT)


@given(total=amounts, percent=st.integers(0, 10_000))
def test_a_ratio_of_two_decimals_is_exact(total: int, percent: int) -> None:
    inventory = Inventory(total=total, allocation_ratio=float(f"{percent // 100}.{percent % 100:02}"))

    assert inventory.capacity == total * percent // 100


@given(total=amounts, reserved=amounts, ratio=st.floats(-3.4e38, 3.4e38, allow_nan=False))
def test_any_ratio_is_the_decimal_number_that_it_is_written_as(total: int, reserved: int, ratio: float) -> None:
    inventory = Inventory(total=total, reserved=reserved, allocation_ratio=ratio)
    exact = (total - reserved) * Fraction(repr(ratio))

    assert inventory.capacity == max(MIN_CAPACITY, min(int(exact), MAX_CAPACITY))


def test_what_floats_get_wrong() -> None:
    assert int(100 * 0.57) == 56
    assert Inventory(total=100, allocation_ratio=0.57).capacity == 57
