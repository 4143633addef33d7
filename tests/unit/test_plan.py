"""Granting claims, decided without a database."""

import pytest

from graphplace.allocations.claim import Claim
from graphplace.allocations.held import Consumer, Held, Room
from graphplace.allocations.plan import Changes, NewAllocation, Owner, grant, misfits, stale_consumers
from graphplace.errors import ConcurrentUpdateError, ConflictError, raise_first
from graphplace.locks import LockedProvider

KEY = ("rp", "VCPU")


def claim(consumer: str, generation: int | None = None, project: str = "p", **resources: int) -> Claim:
    return Claim(
        consumer_uuid=consumer,
        consumer_generation=generation,
        project_id=project,
        user_id="u",
        consumer_type="INSTANCE",
        allocations={"rp": resources} if resources else {},
    )


def held(capacity: int, *, by: dict[str, int], used: int | None = None, **limits: int) -> Held:
    """One provider of VCPU, and consumers that each hold an amount of it; others may hold more."""
    room = Room(
        capacity=capacity,
        used=sum(by.values()) if used is None else used,
        **({"min_unit": 1, "max_unit": 100, "step_size": 1} | limits),
    )
    return Held(
        consumers={uuid: Consumer(1, "p", "u", "INSTANCE") for uuid in by},
        allocations={uuid: {KEY: amount} for uuid, amount in by.items()},
        providers={"rp": LockedProvider("rp", "rp", 7)},
        inventories={KEY: room},
    )


def test_a_first_claim_creates_its_consumer() -> None:
    changes = grant(held(4, by={}), [claim("a", VCPU=3)])

    assert changes == Changes(
        created=["a"],
        owners=[Owner("a", "p", "u", "INSTANCE")],
        allocations=[NewAllocation("a", "rp", "VCPU", 3)],
        used={KEY: 3},
        touched=frozenset({"rp"}),
    )


def test_a_second_claim_replaces_the_first_and_leaves_the_owner_alone() -> None:
    changes = grant(held(4, by={"a": 3}), [claim("a", 1, VCPU=4)])

    assert (changes.created, changes.kept, changes.owners, changes.used) == ([], ["a"], [], {KEY: 4})


def test_another_project_is_another_owner() -> None:
    changes = grant(held(4, by={"a": 3}), [claim("a", 1, project="q", VCPU=3)])

    assert changes.owners == [Owner("a", "q", "u", "INSTANCE")]


def test_a_claim_without_a_type_keeps_the_type() -> None:
    untyped = Claim(
        consumer_uuid="a",
        consumer_generation=1,
        project_id="q",
        user_id="u",
        consumer_type=None,
        allocations={"rp": {"VCPU": 1}},
    )

    assert grant(held(4, by={"a": 3}), [untyped]).owners == [Owner("a", "q", "u", "INSTANCE")]


def test_an_empty_claim_ends_its_consumer_and_touches_what_it_held() -> None:
    changes = grant(held(4, by={"a": 3}), [claim("a", 1)])

    assert changes == Changes(deleted=["a"], used={KEY: 0}, touched=frozenset({"rp"}))


def test_an_empty_claim_of_nobody_changes_nothing() -> None:
    assert grant(held(4, by={}), [claim("a")]) == Changes(used={})


def test_sums_are_over_all_claims() -> None:
    """LP 1778743."""
    claims = [claim(name, VCPU=1) for name in "abc"]

    assert grant(held(3, by={}), claims).used == {KEY: 3}
    assert not list(misfits(held(3, by={}), claims))
    with pytest.raises(ConflictError, match="exceed the capacity: 3 of 2"):
        raise_first(misfits(held(2, by={}), claims))


@pytest.mark.parametrize("order", [1, -1])
def test_a_full_provider_is_handed_over_in_either_order(order: int) -> None:
    claims = [claim("a", 1), claim("b", VCPU=4)][::order]
    changes = grant(held(4, by={"a": 4}), claims)

    assert (changes.deleted, changes.created, changes.used) == (["a"], ["b"], {KEY: 4})


@pytest.mark.parametrize(("amount", "allowed"), [(5, True), (6, True), (7, False)])
def test_an_overfull_provider_takes_what_leaves_it_no_fuller(amount: int, *, allowed: bool) -> None:
    overfull, claims = held(4, by={"a": 6}, used=9), [claim("a", 1, VCPU=amount)]
    assert grant(overfull, claims).used == {KEY: 3 + amount}
    if allowed:
        assert not list(misfits(overfull, claims))
    else:
        with pytest.raises(ConflictError, match="exceed the capacity"):
            raise_first(misfits(overfull, claims))


@pytest.mark.parametrize(("amount", "allowed"), [(64, 0), (128, 1), (130, 0), (256, 1), (512, 1), (640, 0)])
def test_units_and_steps(amount: int, allowed: int) -> None:
    """LP 1623545."""
    provider = held(1000, by={}, min_unit=128, max_unit=512, step_size=128)
    if allowed:
        assert not list(misfits(provider, [claim("a", VCPU=amount)]))
    else:
        with pytest.raises(ConflictError, match="violate inventory constraints"):
            raise_first(misfits(provider, [claim("a", VCPU=amount)]))


def test_a_class_that_the_provider_lacks() -> None:
    """LP 1704574."""
    with pytest.raises(ConflictError, match="Inventory for 'DISK_GB' on resource provider 'rp' does not exist"):
        raise_first(misfits(held(4, by={}), [claim("a", VCPU=1, DISK_GB=1)]))


@pytest.mark.parametrize(("given", "stored"), [(None, {"a": 1}), (2, {"a": 1}), (1, {})])
def test_the_consumer_is_at_the_generation_of_its_claim(given: int | None, stored: dict[str, int]) -> None:
    with pytest.raises(ConcurrentUpdateError, match="consumer generation conflict - expected"):
        raise_first(stale_consumers(held(4, by=stored), [claim("a", given, VCPU=1)]))


def test_a_missing_generation_is_called_null() -> None:
    with pytest.raises(ConcurrentUpdateError, match="expected null but got 5"):
        raise_first(stale_consumers(held(4, by={}), [claim("a", 5, VCPU=1)]))
