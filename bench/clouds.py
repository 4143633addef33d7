"""Clouds to measure on, as documents of the load format.

Every topology has resource classes or traits of its own, so that one graph can hold all of them and a request meets
only one of them.
"""

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import NAMESPACE_DNS, uuid5

RARE_TRAIT = "HW_CPU_X86_SGX"
RARE = 5
TREES_AT_ONCE = 1000

Document = dict[str, Any]


def uuid_of(name: str) -> str:
    """Return the uuid that a name stands for."""
    return str(uuid5(NAMESPACE_DNS, name))


def cloud(trees: int) -> Iterator[Document]:
    """Yield *trees* nested trees, and the few wide ones, as documents that one transaction each can load."""
    for first in range(0, trees, TREES_AT_ONCE):
        numbers = range(first, min(first + TREES_AT_ONCE, trees))
        yield document(one for number in numbers for one in nested(number, rare=number % (trees // RARE) == 0))
    yield document(one for number in range(10) for one in wide(f"wide{number}", devices=16, units=1, of="PGPU"))
    yield document(wide("tight", devices=8, units=6, of="CUSTOM_TIGHT"))
    yield document(wide("pigeonholes", devices=12, units=3, of="CUSTOM_HOLE"))


def document(providers: Iterable[Document]) -> Document:
    """Return a document of *providers*."""
    return {
        "version": 1,
        "resource_classes": ["CUSTOM_TIGHT", "CUSTOM_HOLE"],
        "traits": ["CUSTOM_PHYSNET_A", "CUSTOM_PHYSNET_B"],
        "providers": list(providers),
    }


def nested(number: int, *, rare: bool) -> Iterator[Document]:
    """Yield a host of seven providers.

    host ─┬─ numa0 ─┬─ nic0     DISK_GB on the host, VCPU and MEMORY_MB on the cells,
          │         └─ fpga0    SRIOV_NET_VF on the cards, FPGA on the others
          └─ numa1 ─┬─ nic1
                    └─ fpga1
    """
    host = f"host{number}"
    traits = ["COMPUTE_NODE", "COMPUTE_VOLUME_ATTACH", "HW_CPU_X86_AVX2", "HW_CPU_X86_SSE"]
    yield provider(
        host,
        inventories={"DISK_GB": {"total": 1000 + number % 7}},
        traits=[*traits, RARE_TRAIT] if rare else traits,
        aggregates=[uuid_of(f"zone{number % 3}"), uuid_of(f"rack{number // 40}")],
    )
    for cell in "01":
        numa = f"{host}_numa{cell}"
        inventories = {"VCPU": {"total": 16 + number % 5}, "MEMORY_MB": {"total": 32768 + 1024 * (number % 8)}}
        yield provider(numa, parent=host, inventories=inventories, traits=["HW_NUMA_ROOT"])
        yield provider(
            f"{host}_nic{cell}",
            parent=numa,
            inventories={"SRIOV_NET_VF": {"total": 8}},
            traits=["HW_NIC_SRIOV", f"CUSTOM_PHYSNET_{'AB'[int(cell)]}"],
        )
        yield provider(f"{host}_fpga{cell}", parent=numa, inventories={"FPGA": {"total": 1}})


def wide(name: str, *, devices: int, units: int, of: str) -> Iterator[Document]:
    """Yield a host with like devices below it, each with *units* of a resource class."""
    yield provider(name)
    for device in range(devices):
        yield provider(f"{name}_device{device}", parent=name, inventories={of: {"total": units}})


def provider(name: str, **rest: Any) -> Document:
    """Return one provider of a document."""
    return {"uuid": uuid_of(name), "name": name, **rest}
