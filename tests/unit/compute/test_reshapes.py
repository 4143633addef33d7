"""What consumers hold is divided among new providers."""

from itertools import product
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphplace.compute.errors import ReshapeFailed
from graphplace.compute.provider_tree import ProviderTree
from graphplace.compute.reading import Allocations
from graphplace.compute.reshapes import move_inventory, rename_class

HOST, CELL0, CELL1, NIC, POOL = (str(UUID(int=number)) for number in range(1, 6))


@pytest.fixture
def tree() -> ProviderTree:
    """A flat host with two cells that have nothing yet, one with a NIC, and a pool that shares with it."""
    return host({"VCPU": {"total": 8}, "MEMORY_MB": {"total": 100}, "SRIOV_NET_VF": {"total": 4}})


def host(inventory: dict[str, Any]) -> ProviderTree:
    tree = ProviderTree()
    tree.new_root("host", HOST)
    tree.new_child("cell0", HOST, uuid=CELL0)
    tree.new_child("cell1", HOST, uuid=CELL1)
    tree.new_child("nic", CELL1, uuid=NIC)
    tree.new_root("pool", POOL)
    tree.update_inventory(HOST, inventory)
    tree.update_inventory(POOL, {"DISK_GB": {"total": 100}})
    return tree


def cell(vcpus: int, memory: int = 50) -> dict[str, Any]:
    return {"VCPU": {"total": vcpus}, "MEMORY_MB": {"total": memory}}


def holding(**held: dict[str, dict[str, int]]) -> Allocations:
    return {
        consumer: {"allocations": {uuid: {"resources": amounts} for uuid, amounts in entries.items()}}
        for consumer, entries in held.items()
    }


def held(allocations: Allocations) -> dict[str, dict[str, dict[str, int]]]:
    return {
        consumer: {uuid: entry["resources"] for uuid, entry in record["allocations"].items()}
        for consumer, record in allocations.items()
    }


def test_what_a_consumer_holds_goes_to_one_cell(tree: ProviderTree) -> None:
    allocations = holding(
        a={HOST: {"VCPU": 3, "MEMORY_MB": 10}, POOL: {"DISK_GB": 5}},
        b={HOST: {"VCPU": 2, "MEMORY_MB": 10, "SRIOV_NET_VF": 1}},
        c={POOL: {"DISK_GB": 1}},
    )
    nic = {"SRIOV_NET_VF": {"total": 4}}
    move_inventory(tree, allocations, ["host"], [{"cell0": cell(4)}, {"cell1": cell(4), "nic": nic}])

    assert held(allocations) == {
        "a": {CELL0: {"VCPU": 3, "MEMORY_MB": 10}, POOL: {"DISK_GB": 5}},
        "b": {CELL1: {"VCPU": 2, "MEMORY_MB": 10}, NIC: {"SRIOV_NET_VF": 1}},
        "c": {POOL: {"DISK_GB": 1}},
    }
    assert tree.data(HOST).inventory == {}
    assert not tree.has_inventory_changed(CELL1, cell(4))
    assert not tree.has_inventory_changed(NIC, nic)


def test_other_classes_stay(tree: ProviderTree) -> None:
    allocations = holding(a={HOST: {"VCPU": 3, "MEMORY_MB": 10}})
    tree.update_inventory("cell0", {"VGPU": {"total": 1}})
    move_inventory(tree, allocations, [HOST], [{"cell0": {"VCPU": {"total": 8}}}])

    assert held(allocations) == {"a": {HOST: {"MEMORY_MB": 10}, CELL0: {"VCPU": 3}}}
    assert tree.data(HOST).inventory.keys() == {"MEMORY_MB", "SRIOV_NET_VF"}
    assert tree.data(CELL0).inventory.keys() == {"VGPU", "VCPU"}


def test_all_goes_back_to_the_host(tree: ProviderTree) -> None:
    allocations = holding(
        a={CELL0: {"VCPU": 3}, HOST: {"MEMORY_MB": 5}}, b={CELL1: {"VCPU": 2}, NIC: {"SRIOV_NET_VF": 1}}
    )
    flat = {"VCPU": {"total": 8}, "SRIOV_NET_VF": {"total": 4}}
    move_inventory(tree, allocations, [CELL0, CELL1, NIC], [{HOST: flat}])

    assert held(allocations) == {
        "a": {HOST: {"VCPU": 3, "MEMORY_MB": 5}},
        "b": {HOST: {"VCPU": 2, "SRIOV_NET_VF": 1}},
    }
    assert tree.data(HOST).inventory.keys() == {"VCPU", "MEMORY_MB", "SRIOV_NET_VF"}


def test_what_is_held_of_a_place_already_counts(tree: ProviderTree) -> None:
    allocations = holding(a={CELL0: {"VCPU": 3}}, b={HOST: {"VCPU": 2}})
    move_inventory(tree, allocations, [HOST], [{CELL0: cell(4)}, {CELL1: cell(4)}])

    assert held(allocations)["b"] == {CELL1: {"VCPU": 2}}


def test_a_division_is_found_that_first_fit_misses(tree: ProviderTree) -> None:
    """Big consumers first into the first cell leave 2 of it, and 3 do not fit the other."""
    amounts = {"a": 4, "b": 4, "c": 3, "d": 3, "e": 3, "f": 3}
    allocations = holding(**{name: {HOST: {"VCPU": amount}} for name, amount in amounts.items()})
    move_inventory(tree, allocations, [HOST], [{CELL0: cell(10)}, {CELL1: cell(10)}])

    sums = {
        uuid: sum(one.get(uuid, {"VCPU": 0})["VCPU"] for one in held(allocations).values()) for uuid in (CELL0, CELL1)
    }
    assert sums == {CELL0: 10, CELL1: 10}


@pytest.mark.parametrize(
    ("inventory", "amount"),
    [
        ({"total": 4}, 5),
        ({"total": 8, "reserved": 4}, 5),
        ({"total": 2, "allocation_ratio": 2.0}, 5),
        ({"total": 8, "max_unit": 4}, 5),
        ({"total": 8, "min_unit": 6}, 5),
        ({"total": 8, "step_size": 2}, 5),
    ],
)
def test_a_consumer_that_fits_no_cell_is_named(tree: ProviderTree, inventory: dict[str, int], amount: int) -> None:
    allocations = holding(a={HOST: {"VCPU": amount}})

    with pytest.raises(ReshapeFailed, match="Consumer a holds 5 VCPU, which fits no single one"):
        move_inventory(tree, allocations, [HOST], [{CELL0: {"VCPU": inventory}}, {CELL1: {"VCPU": inventory}}])


def test_a_consumer_whose_classes_are_apart_fits_no_cell(tree: ProviderTree) -> None:
    allocations = holding(a={HOST: {"VCPU": 1, "MEMORY_MB": 1}})

    with pytest.raises(ReshapeFailed, match="Consumer a holds 1 MEMORY_MB, 1 VCPU"):
        move_inventory(
            tree, allocations, [HOST], [{CELL0: {"VCPU": {"total": 8}}}, {CELL1: {"MEMORY_MB": {"total": 8}}}]
        )


def test_consumers_that_do_not_fit_together(tree: ProviderTree) -> None:
    allocations = holding(**{name: {HOST: {"VCPU": 3}} for name in "abc"})

    with pytest.raises(ReshapeFailed, match="What 3 consumers hold does not fit"):
        move_inventory(tree, allocations, [HOST], [{CELL0: cell(5)}, {CELL1: cell(5)}])


def test_a_search_without_end_is_ended(tree: ProviderTree) -> None:
    allocations = holding(**{f"c{number}": {HOST: {"VCPU": 2}} for number in range(60)})

    with pytest.raises(ReshapeFailed, match="does not fit"):
        move_inventory(tree, allocations, [HOST], [{CELL0: cell(59)}, {CELL1: cell(61)}])


def test_a_class_twice_in_a_place_is_refused(tree: ProviderTree) -> None:
    with pytest.raises(ValueError, match="VCPU is twice in a place: at nic and at cell1"):
        move_inventory(tree, {}, [HOST], [{"cell1": {"VCPU": {"total": 1}}, "nic": {"VCPU": {"total": 1}}}])


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=5),
    st.lists(st.tuples(st.integers(1, 7), st.integers(1, 7)), min_size=2, max_size=2),
)
def test_a_division_is_found_where_there_is_one(wanted: list[tuple[int, int]], cells: list[tuple[int, int]]) -> None:
    tree = host({"VCPU": {"total": 99}, "MEMORY_MB": {"total": 99}})
    amounts = [
        {name: amount for name, amount in zip(("VCPU", "MEMORY_MB"), one, strict=True) if amount} for one in wanted
    ]
    allocations = holding(**{f"c{number}": {HOST: dict(one)} if one else {} for number, one in enumerate(amounts)})
    possible = any(
        all(
            sum(one[index] for one, at in zip(wanted, division, strict=True) if at == number) <= room[index]
            for number, room in enumerate(cells)
            for index in (0, 1)
        )
        for division in product((0, 1), repeat=len(wanted))
    )
    places = [{uuid: cell(*room)} for uuid, room in zip((CELL0, CELL1), cells, strict=True)]
    if not possible:
        with pytest.raises(ReshapeFailed):
            move_inventory(tree, allocations, [HOST], places)
        return
    move_inventory(tree, allocations, [HOST], places)

    for number, one in enumerate(amounts):
        ((uuid, resources),) = held(allocations)[f"c{number}"].items() or [(CELL0, {})]
        assert uuid in (CELL0, CELL1)
        assert resources == one
    for uuid, room in zip((CELL0, CELL1), cells, strict=True):
        for index, name in enumerate(("VCPU", "MEMORY_MB")):
            used = sum(one.get(uuid, {}).get(name, 0) for one in held(allocations).values())
            assert used <= room[index]


def test_a_class_gets_another_name_and_back(tree: ProviderTree) -> None:
    fields = {"total": 4, "reserved": 1}
    tree.update_inventory("host", {"VCPU": {"total": 8}, "CUSTOM_FPGA": fields})
    tree.update_inventory("pool", {"CUSTOM_FPGA": fields})
    allocations = holding(a={HOST: {"VCPU": 1, "CUSTOM_FPGA": 2}, POOL: {"CUSTOM_FPGA": 1}}, b={HOST: {"VCPU": 1}})
    rename_class(tree, allocations, "CUSTOM_FPGA", "FPGA")

    assert held(allocations) == {
        "a": {HOST: {"VCPU": 1, "FPGA": 2}, POOL: {"CUSTOM_FPGA": 1}},
        "b": {HOST: {"VCPU": 1}},
    }
    assert not tree.has_inventory_changed("host", {"VCPU": {"total": 8}, "FPGA": fields})
    assert tree.data("pool").inventory.keys() == {"CUSTOM_FPGA"}
    rename_class(tree, allocations, "FPGA", "CUSTOM_FPGA")
    assert held(allocations)["a"][HOST] == {"VCPU": 1, "CUSTOM_FPGA": 2}


def test_a_name_that_is_there_already(tree: ProviderTree) -> None:
    with pytest.raises(ValueError, match="Provider host has VCPU beside MEMORY_MB already"):
        rename_class(tree, {}, "MEMORY_MB", "VCPU")
