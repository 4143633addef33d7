"""Reshapes of live hosts, through the tracker: allocations move along, a shared disk stays, and all goes back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from claims import consumer, held_by, load, put, used
from cloud import uuid_of
from flask.testing import FlaskClient
from wire import Wire

from graphplace.compute.errors import ReshapeFailed, ReshapeNeeded
from graphplace.compute.provider_tree import ProviderTree
from graphplace.compute.reading import Allocations
from graphplace.compute.report_client import ReportClient
from graphplace.compute.reshapes import move_inventory, rename_class
from graphplace.compute.resource_tracker import ResourceTracker

FLAT = """
cn  VCPU:8  MEMORY_MB:64  SRIOV_NET_VF:4  VGPU:4  CUSTOM_FPGA:2  @rack
pool  DISK_GB:100  MISC_SHARES_VIA_AGGREGATE  @rack
"""
CELL = {"VCPU": {"total": 4}, "MEMORY_MB": {"total": 32}}
VFS = {"SRIOV_NET_VF": {"total": 2}}
GPU = {"VGPU": {"total": 2}}


@dataclass(frozen=True)
class Once:
    """A driver that changes a host's tree by ``reshape`` where that is ``needed``, and leaves it alone otherwise."""

    needed: Callable[[ProviderTree], bool]
    reshape: Callable[[ProviderTree, Allocations], None]

    def update_provider_tree(
        self, provider_tree: ProviderTree, nodename: str, allocations: Allocations | None = None
    ) -> None:
        if not self.needed(provider_tree):
            return
        if allocations is None:
            raise ReshapeNeeded(f"Node {nodename} is of an older release.")
        self.reshape(provider_tree, allocations)


def has(resource_class: str) -> Callable[[ProviderTree], bool]:
    return lambda tree: resource_class in tree.data("cn").inventory


def lacks(resource_class: str) -> Callable[[ProviderTree], bool]:
    return lambda tree: resource_class not in tree.data("cn").inventory


def children(tree: ProviderTree, parents: dict[str, str]) -> None:
    for name, parent in parents.items():
        tree.new_child(name, parent, uuid=uuid_of(name))


def to_gpus(tree: ProviderTree, allocations: Allocations) -> None:
    children(tree, {"gpu0": "cn", "gpu1": "cn"})
    move_inventory(tree, allocations, ["cn"], [{"gpu0": GPU}, {"gpu1": GPU}])


def from_gpus(tree: ProviderTree, allocations: Allocations) -> None:
    move_inventory(tree, allocations, ["gpu0", "gpu1"], [{"cn": {"VGPU": {"total": 4}}}])
    tree.remove("gpu0")
    tree.remove("gpu1")


def to_numa(tree: ProviderTree, allocations: Allocations) -> None:
    children(tree, {"numa0": "cn", "numa1": "cn", "nic0": "numa0", "nic1": "numa1"})
    move_inventory(tree, allocations, ["cn"], [{"numa0": CELL, "nic0": VFS}, {"numa1": CELL, "nic1": VFS}])


def from_numa(tree: ProviderTree, allocations: Allocations) -> None:
    flat = {"VCPU": {"total": 8}, "MEMORY_MB": {"total": 64}, "SRIOV_NET_VF": {"total": 4}}
    move_inventory(tree, allocations, ["numa0", "numa1", "nic0", "nic1"], [{"cn": flat}])
    tree.remove("numa0")
    tree.remove("numa1")


GPUS, NO_GPUS = Once(has("VGPU"), to_gpus), Once(lacks("VGPU"), from_gpus)
NUMA, NO_NUMA = Once(has("VCPU"), to_numa), Once(lacks("VCPU"), from_numa)
FPGA = Once(has("CUSTOM_FPGA"), lambda tree, held: rename_class(tree, held, "CUSTOM_FPGA", "FPGA"))
CUSTOM_FPGA = Once(lacks("CUSTOM_FPGA"), lambda tree, held: rename_class(tree, held, "FPGA", "CUSTOM_FPGA"))

HELD: dict[str, dict[str, dict[str, int]]] = {
    "c1": {"cn": {"VCPU": 3, "MEMORY_MB": 16, "SRIOV_NET_VF": 1, "VGPU": 2}, "pool": {"DISK_GB": 5}},
    "c2": {"cn": {"VCPU": 2, "MEMORY_MB": 16, "CUSTOM_FPGA": 1, "VGPU": 1}, "pool": {"DISK_GB": 5}},
    "c3": {"cn": {"VCPU": 1, "SRIOV_NET_VF": 1}},
    "c4": {"pool": {"DISK_GB": 5}},
}


@pytest.fixture
def live(client: FlaskClient) -> FlaskClient:
    """A flat host that consumers hold something of, most of them together with a disk of a pool."""
    load(client, FLAT)
    for name, held in HELD.items():
        assert put(client, name, held).status_code == 204
    return client


def start(wire: Wire, driver: Once) -> None:
    """Start the compute service."""
    ResourceTracker(driver, ReportClient(wire), {"cn": uuid_of("cn")}).update_available_resource(startup=True)


def tree_of(client: FlaskClient) -> dict[str, Any]:
    """The classes of each provider of the host by its name."""
    providers = client.get(f"/resource_providers?in_tree={uuid_of('cn')}").json["resource_providers"]
    return {
        one["name"]: client.get(f"/resource_providers/{one['uuid']}/inventories").json["inventories"]
        for one in providers
    }


@pytest.mark.parametrize(
    ("there", "back", "moved"),
    [
        (
            GPUS,
            NO_GPUS,
            {
                "c1": {"cn": {"VCPU": 3, "MEMORY_MB": 16, "SRIOV_NET_VF": 1}, "gpu0": {"VGPU": 2}},
                "c2": {"cn": {"VCPU": 2, "MEMORY_MB": 16, "CUSTOM_FPGA": 1}, "gpu1": {"VGPU": 1}},
                "c3": {"cn": {"VCPU": 1, "SRIOV_NET_VF": 1}},
            },
        ),
        (
            NUMA,
            NO_NUMA,
            {
                "c1": {"cn": {"VGPU": 2}, "numa0": {"VCPU": 3, "MEMORY_MB": 16}, "nic0": {"SRIOV_NET_VF": 1}},
                "c2": {"cn": {"VGPU": 1, "CUSTOM_FPGA": 1}, "numa1": {"VCPU": 2, "MEMORY_MB": 16}},
                "c3": {"numa0": {"VCPU": 1}, "nic0": {"SRIOV_NET_VF": 1}},
            },
        ),
        (
            FPGA,
            CUSTOM_FPGA,
            {
                "c1": {"cn": HELD["c1"]["cn"]},
                "c2": {"cn": {"VCPU": 2, "MEMORY_MB": 16, "FPGA": 1, "VGPU": 1}},
                "c3": {"cn": HELD["c3"]["cn"]},
            },
        ),
    ],
    ids=["gpus", "numa", "class"],
)
def test_there_and_back(live: FlaskClient, wire: Wire, *, there: Once, back: Once, moved: dict[str, Any]) -> None:
    before, disks = tree_of(live), used(live, "pool")
    start(wire, there)

    for name, held in moved.items():
        disk = {"pool": HELD[name]["pool"]} if "pool" in HELD[name] else {}
        assert held_by(live, name) == {uuid_of(one): amounts for one, amounts in (held | disk).items()}
        assert consumer(live, name)["consumer_type"] == "INSTANCE"
    assert tree_of(live) != before
    assert held_by(live, "c4") == {uuid_of("pool"): {"DISK_GB": 5}}
    assert consumer(live, "c4")["consumer_generation"] == 1, "it holds nothing of the host"
    assert used(live, "pool") == disks
    wire.sent.clear()
    start(wire, there)
    assert wire.writes == [], "it is done once"

    start(wire, back)

    assert tree_of(live) == before
    for name, held in HELD.items():
        assert held_by(live, name) == {uuid_of(one): amounts for one, amounts in held.items()}
    assert used(live, "pool") == disks


def test_one_after_the_other(live: FlaskClient, wire: Wire) -> None:
    before = tree_of(live)
    for driver in (GPUS, NUMA, FPGA):
        start(wire, driver)
    assert held_by(live, "c2") == {
        uuid_of("cn"): {"FPGA": 1},
        uuid_of("gpu1"): {"VGPU": 1},
        uuid_of("numa1"): {"VCPU": 2, "MEMORY_MB": 16},
        uuid_of("pool"): {"DISK_GB": 5},
    }

    for driver in (NO_NUMA, CUSTOM_FPGA, NO_GPUS):
        start(wire, driver)

    assert tree_of(live) == before


def test_a_consumer_that_fits_no_cell_stops_the_start(live: FlaskClient, wire: Wire) -> None:
    put(live, "c1", {"cn": {"VCPU": 5}}, 1)
    before = tree_of(live)

    with pytest.raises(ReshapeFailed, match=f"Consumer {uuid_of('c1')} holds 5 VCPU, which fits no single one"):
        start(wire, NUMA)

    assert wire.writes == []
    assert tree_of(live) == before
