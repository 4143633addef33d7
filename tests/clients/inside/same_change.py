"""Changes of hosts that Nova's client and graphplace's make alike: the trees of both have the same methods."""

from collections.abc import Callable
from typing import Any
from uuid import NAMESPACE_DNS, uuid5

# Of each consumer, by uuid, what GET /allocations/{consumer} answers.
Held = dict[str, dict[str, Any]]


def uuid_of(name: str) -> str:
    """Return the uuid that a name stands for."""
    return str(uuid5(NAMESPACE_DNS, name))


def inventory(total: int, **fields: Any) -> dict[str, Any]:
    """Return an inventory with all fields, which Nova's drivers give."""
    defaults = {"reserved": 0, "min_unit": 1, "max_unit": total, "step_size": 1, "allocation_ratio": 1.0}
    return {"total": total, **defaults, **fields}


def move_vgpus(tree: Any, held: Held) -> None:
    """Move the VGPUs of the host to two GPUs, which are new, and let consumers follow to the first."""
    for gpu in ("gpus_gpu0", "gpus_gpu1"):
        tree.new_child(gpu, "gpus", uuid=uuid_of(gpu))
        tree.update_inventory(gpu, {"VGPU": inventory(4)})
        tree.update_traits(gpu, ["HW_GPU_API_VULKAN", "CUSTOM_GPU"])
        tree.update_aggregates(gpu, [uuid_of("gpu aggregate")])
    tree.update_inventory("gpus", {"VCPU": inventory(8, allocation_ratio=4.0)})
    for record in held.values():
        record["allocations"][uuid_of("gpus_gpu0")] = record["allocations"].pop(uuid_of("gpus"))


def flatten(tree: Any, held: Held) -> None:
    """Move all that a NUMA cell has to its host, and remove the cell."""
    tree.update_inventory("cells", {"VCPU": inventory(8), "MEMORY_MB": inventory(1024)})
    tree.remove("cells_numa0")
    for record in held.values():
        record["allocations"][uuid_of("cells")] = record["allocations"].pop(uuid_of("cells_numa0"))


def rename(tree: Any, held: Held) -> None:
    """Exchange a custom resource class for a standard one."""
    tree.update_inventory("renamed", {"FPGA": inventory(2)})
    for record in held.values():
        record["allocations"][uuid_of("renamed")]["resources"] = {"FPGA": 1}


def add(tree: Any, _held: Held) -> None:
    """Give the host a child, classes and traits that nobody had, and other aggregates."""
    tree.new_child("plain_nic", "plain", uuid=uuid_of("plain_nic"))
    tree.update_inventory("plain_nic", {"SRIOV_NET_VF": inventory(8), "CUSTOM_QUEUE": inventory(2)})
    tree.update_traits("plain_nic", ["HW_NIC_SRIOV", "CUSTOM_PHYSNET"])
    tree.update_inventory("plain", {"VCPU": inventory(16)})
    tree.update_aggregates("plain", [uuid_of("rack"), uuid_of("zone")])
    tree.update_traits("plain", [])


def take_away(tree: Any, _held: Held) -> None:
    """Remove a child, and all inventory."""
    tree.remove("fewer_child")
    tree.update_inventory("fewer", {})


def overreach(tree: Any, _held: Held) -> None:
    """Take away what a consumer holds, which is refused."""
    tree.update_inventory("refused", {})


def forget(tree: Any, _held: Held) -> None:
    """Move inventory and not what a consumer holds of it, which is refused."""
    tree.new_child("forgotten_gpu", "forgotten", uuid=uuid_of("forgotten_gpu"))
    tree.update_inventory("forgotten_gpu", {"VGPU": inventory(4)})
    tree.update_inventory("forgotten", {})


def nothing(_tree: Any, _held: Held) -> None:
    """Change nothing."""


# The hosts before, as tests/cloud.py writes them: "used" is held by a consumer.
CLOUD = """
gpus  VCPU:8(allocation_ratio=4.0)  VGPU:8(used=3)  @rack
cells
  cells_numa0  VCPU:8(used=2)  MEMORY_MB:1024
renamed  CUSTOM_FPGA:2(used=1)
plain  VCPU:8(used=1)  HW_CPU_X86_AVX  @rack
fewer  VCPU:8
  fewer_child  VGPU:1
refused  VCPU:8(used=1)
forgotten  VGPU:4(used=1)
same  VCPU:8(used=1)  HW_CPU_X86_AVX  @rack
pool  DISK_GB:100  MISC_SHARES_VIA_AGGREGATE  @rack
"""
# For each host, the change, and whether it is a reshape.
CHANGES: dict[str, tuple[Callable[[Any, Held], None], bool]] = {
    "gpus": (move_vgpus, True),
    "cells": (flatten, True),
    "renamed": (rename, True),
    "plain": (add, False),
    "fewer": (take_away, False),
    "refused": (overreach, False),
    "forgotten": (forget, True),
    "same": (nothing, False),
}


def make_all(
    start: Callable[[], Any], context: Any, read_held: Callable[[Any, str], Held], *refusals: type[Exception]
) -> dict[str, str]:
    """Make all changes, each host with a client of its own; return for which hosts that was refused, and why.

    *start* returns a client, *read_held* returns by a client what is held of the tree of a host, and *refusals* are
    what clients raise.
    """
    refused = {}
    for host, (change, reshape) in CHANGES.items():
        client = start()
        tree = client.get_provider_tree_and_ensure_root(context, uuid_of(host), name=host)
        held = read_held(client, host) if reshape else None
        change(tree, held or {})
        try:
            client.update_from_provider_tree(context, tree, allocations=held)
        except refusals as error:
            refused[host] = str(error)
    return refused
