"""The compute side's picture of a host's tree."""

import copy
import sys
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from together import together

from graphplace.compute.provider_tree import ProviderTree

HOST, NUMA, GPU, POOL, AGGREGATE = (str(UUID(int=number)) for number in range(1, 6))
VCPU = {"VCPU": {"total": 8}}


@pytest.fixture
def tree() -> ProviderTree:
    """A host with a NUMA node that has a GPU, and a pool that shares with it."""
    tree = ProviderTree()
    tree.new_root("host", HOST, generation=3)
    tree.new_root("pool", POOL)
    tree.new_child("numa", "host", uuid=NUMA)
    tree.new_child("gpu", NUMA, uuid=GPU, generation=1)
    return tree


@pytest.fixture
def often_switched() -> Iterator[None]:
    """Let Python change threads a hundred times as often as it does."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(interval / 100)
    yield
    sys.setswitchinterval(interval)


def test_a_provider_is_found_by_name_and_by_uuid(tree: ProviderTree) -> None:
    assert tree.data("gpu") == tree.data(GPU)
    assert (tree.data(GPU).name, tree.data(GPU).parent_uuid, tree.data(GPU).generation) == ("gpu", NUMA, 1)
    assert tree.data("host").parent_uuid is None
    assert tree.exists("numa")
    assert tree.exists(NUMA)
    assert not tree.exists("nic")


def test_a_child_gets_a_uuid_of_its_own(tree: ProviderTree) -> None:
    made = tree.new_child("nic", "numa")

    assert str(UUID(made)) == made
    assert tree.data("nic").uuid == made
    assert tree.data("nic").generation is None


def test_what_is_not_there_or_there_already_is_refused(tree: ProviderTree) -> None:
    for call in (
        lambda: tree.data("nic"),
        lambda: tree.remove("nic"),
        lambda: tree.new_child("port", "nic"),
        lambda: tree.move("gpu", "nic"),
        lambda: tree.update_traits("nic", []),
        lambda: tree.get_provider_uuids("nic"),
    ):
        with pytest.raises(ValueError, match="Provider nic is not in the tree"):
            call()
    with pytest.raises(ValueError, match="Provider gpu is in the tree already"):
        tree.new_child("gpu", "host")
    with pytest.raises(ValueError, match=f"Provider {GPU} is in the tree already"):
        tree.new_root("other", GPU)


def test_providers_come_before_those_below_them(tree: ProviderTree) -> None:
    tree.new_child("numa1", "host")

    assert [provider.name for provider in tree] == ["host", "numa", "gpu", "numa1", "pool"]
    assert tree.get_provider_uuids("numa") == [NUMA, GPU]


def test_a_subtree_goes_as_a_whole(tree: ProviderTree) -> None:
    tree.remove("numa")

    assert [provider.name for provider in tree] == ["host", "pool"]


def test_a_subtree_moves_as_a_whole(tree: ProviderTree) -> None:
    tree.new_child("numa1", "host")
    tree.new_child("nic", "gpu")
    tree.move("gpu", "numa1")

    assert [provider.name for provider in tree] == ["host", "numa", "numa1", "gpu", "nic", "pool"]
    for below in ("gpu", "nic"):
        with pytest.raises(ValueError, match=f"Provider gpu cannot be below {below}"):
            tree.move("gpu", below)


def test_inventory_changes_when_a_field_or_a_class_does(tree: ProviderTree) -> None:
    assert tree.has_inventory_changed("host", VCPU)
    assert tree.update_inventory("host", VCPU)
    assert not tree.has_inventory_changed("host", VCPU)
    assert not tree.update_inventory("host", VCPU)

    assert not tree.has_inventory_changed("host", {"VCPU": {"total": 8, "allocation_ratio": 1, "reserved": 0}})
    assert tree.has_inventory_changed("host", {"VCPU": {"total": 8, "allocation_ratio": 16.0}})
    assert tree.has_inventory_changed("host", {"VCPU": {"total": 9}})
    assert tree.has_inventory_changed("host", {**VCPU, "VGPU": {"total": 1}})
    assert tree.has_inventory_changed("host", {})
    assert tree.update_inventory("host", {})


@pytest.mark.parametrize("fields", [{}, {"reserved": 1}, {"total": 8, "used": 1}])
def test_an_inventory_that_placement_would_refuse(tree: ProviderTree, fields: dict[str, Any]) -> None:
    for call in (tree.update_inventory, tree.has_inventory_changed):
        with pytest.raises(ValueError, match="Inventory of VCPU is"):
            call("host", {"VCPU": fields})


def test_traits_change_by_set(tree: ProviderTree) -> None:
    assert tree.update_traits("host", ["A", "B"])
    assert not tree.update_traits("host", ["B", "A", "A"])
    assert not tree.have_traits_changed("host", ("B", "A"))
    assert tree.have_traits_changed("host", ["A"])
    assert not tree.add_traits("host", "A")
    assert tree.add_traits("host", "B", "C")
    assert tree.remove_traits("host", "A", "X")
    assert not tree.remove_traits("host", "X")
    assert tree.data("host").traits == {"B", "C"}


def test_aggregates_change_by_set(tree: ProviderTree) -> None:
    assert tree.have_aggregates_changed("host", [AGGREGATE])
    assert tree.update_aggregates("host", [AGGREGATE])
    assert not tree.have_aggregates_changed("host", [AGGREGATE])
    assert not tree.add_aggregates("host", AGGREGATE)
    assert tree.add_aggregates("host", POOL)
    assert tree.remove_aggregates("host", AGGREGATE)
    assert tree.data("host").aggregates == {POOL}


def test_a_generation_is_noted(tree: ProviderTree) -> None:
    assert tree.update_generation("host", 4)
    assert not tree.update_generation("host", 4)
    assert tree.data("host").generation == 4


def test_what_a_tree_returns_is_a_copy(tree: ProviderTree) -> None:
    given: dict[str, dict[str, Any]] = {"VCPU": {"total": 8}}
    tree.update_inventory("host", given)
    given["VCPU"]["total"] = 9
    seen: Any = tree.data("host").inventory
    seen["VCPU"]["total"] = 10
    seen["VGPU"] = {"total": 1}

    assert not tree.has_inventory_changed("host", VCPU)


def test_a_deep_copy_is_another_tree(tree: ProviderTree) -> None:
    twin = copy.deepcopy(tree)
    assert list(twin) == list(tree)
    twin.remove("numa")
    twin.update_inventory("host", VCPU)
    twin.update_generation("host", 9)

    assert tree.exists("gpu")
    assert tree.data("host").inventory == {}
    assert tree.data("host").generation == 3


def test_what_was_removed_is_told_from_what_never_was(tree: ProviderTree) -> None:
    tree.remove("numa")
    tree.new_child("card", "host", uuid=GPU)

    assert tree.removed == copy.deepcopy(tree).removed == {NUMA, GPU}
    assert copy.deepcopy(tree).exists(GPU)


def test_threads_that_change_one_tree_lose_nothing(tree: ProviderTree) -> None:
    def add(thread: int) -> None:
        for number in range(50):
            tree.new_child(f"{thread}-{number}", "host")
            tree.add_traits("host", f"CUSTOM_{thread}_{number}")
            tree.remove_traits("numa", "CUSTOM_NONE")
            assert len(list(copy.deepcopy(tree))) > number

    together([lambda thread=thread: add(thread) for thread in range(4)])

    assert len(tree.get_provider_uuids("host")) == 1 + 1 + 1 + 200
    assert len(tree.data("host").traits) == 200


@pytest.mark.usefixtures("often_switched")
def test_a_thread_iterates_while_others_remove(tree: ProviderTree) -> None:
    cards = [f"card{number}" for number in range(20)]

    def change() -> None:
        for _ in range(100):
            for card in cards:
                tree.new_child(card, "gpu")
            for card in cards:
                tree.remove(card)

    def look() -> None:
        for _ in range(500):
            assert [one.name for one in tree if one.name not in cards] == ["host", "numa", "gpu", "pool"]

    together([change, look, look])


class TreeMachine(RuleBasedStateMachine):
    """Random changes, to a tree and to a plain dictionary of parents."""

    @initialize()
    def begin(self) -> None:
        self.tree = ProviderTree()
        self.tree.new_root("0", str(UUID(int=0)))
        self.parents: dict[int, int | None] = {0: None}
        self.made = 1

    def _below(self, top: int) -> set[int]:
        found = {top}
        while more := {one for one, parent in self.parents.items() if parent in found} - found:
            found |= more
        return found

    def _pick(self, data: st.DataObject) -> int:
        return data.draw(st.sampled_from(sorted(self.parents)))

    def _pick_below(self, data: st.DataObject) -> int:
        return data.draw(st.sampled_from(sorted(self.parents)[1:]))

    def _has_children(self) -> bool:
        return len(self.parents) > 1

    @rule(data=st.data())
    def add(self, data: st.DataObject) -> None:
        parent = self._pick(data)
        self.tree.new_child(str(self.made), str(parent), uuid=str(UUID(int=self.made)))
        self.parents[self.made] = parent
        self.made += 1

    @precondition(_has_children)
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        top = self._pick_below(data)
        self.tree.remove(str(UUID(int=top)))
        for one in self._below(top):
            del self.parents[one]

    @precondition(_has_children)
    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        moved, parent = self._pick_below(data), self._pick(data)
        if parent in self._below(moved):
            with pytest.raises(ValueError, match="cannot be below"):
                self.tree.move(str(moved), str(parent))
        else:
            self.tree.move(str(moved), str(UUID(int=parent)))
            self.parents[moved] = parent

    @invariant()
    def the_tree_is_that_of_the_dictionary(self) -> None:
        seen: list[str] = []
        for provider in copy.deepcopy(self.tree):
            assert provider.parent_uuid is None or provider.parent_uuid in seen
            seen.append(provider.uuid)
        parents = {
            UUID(one.uuid).int: None if one.parent_uuid is None else UUID(one.parent_uuid).int for one in self.tree
        }
        assert parents == self.parents
        for top in self.parents:
            assert {UUID(one).int for one in self.tree.get_provider_uuids(str(top))} == self._below(top)


TestRandomChanges = TreeMachine.TestCase
TestRandomChanges.settings = settings(max_examples=40, stateful_step_count=25)

amounts = st.fixed_dictionaries(
    {"total": st.integers(1, 3)},
    optional={"reserved": st.integers(0, 1), "allocation_ratio": st.sampled_from([1.0, 2.0]), "step_size": st.just(1)},
)
inventories = st.dictionaries(st.sampled_from(["VCPU", "VGPU"]), amounts)


@given(inventories, inventories)
def test_an_update_changes_what_has_changed(first: dict[str, Any], second: dict[str, Any]) -> None:
    tree = ProviderTree()
    tree.new_root("host", HOST)
    tree.update_inventory("host", first)
    changed = tree.has_inventory_changed("host", second)

    assert tree.update_inventory("host", second) == changed
    assert not tree.has_inventory_changed("host", second)
    assert not tree.has_inventory_changed("host", tree.data("host").inventory)
