"""Clouds to measure on, as documents of the load format: one definition, which feeds every server."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any
from uuid import NAMESPACE_DNS, uuid5

TREES_AT_ONCE = 1000
SHARED = "MISC_SHARES_VIA_AGGREGATE"
RARE_TRAIT = "HW_CPU_X86_SGX"
RARE = 5
ZONES = 5
CONSUMERS_AT_ONCE = 10_000

Document = dict[str, Any]


def uuid_of(name: str) -> str:
    """Return the uuid that a name stands for."""
    return str(uuid5(NAMESPACE_DNS, name))


def flat(
    trees: int, *, every_second_full: bool = False, zones: int = ZONES, at_once: int = TREES_AT_ONCE
) -> Iterator[Document]:
    """Yield hosts that have everything themselves, in so many zones.

    Of five zones, one of ten hosts is in zone 0 and has the trait HW_CPU_X86_AVX2.
    """
    for numbers in batches(trees, at_once):
        full = numbers[::2] if every_second_full else []
        yield document(
            [
                provider(
                    f"host{number}",
                    inventories={
                        "VCPU": {"total": 32},
                        "MEMORY_MB": {"total": 131_072, "reserved": 512},
                        "DISK_GB": {"total": 2000},
                    },
                    traits=["COMPUTE_NODE", *(["HW_CPU_X86_AVX2"] if number % 2 == 0 else [])],
                    aggregates=[uuid_of(f"zone{number % zones}")],
                )
                for number in numbers
            ],
            [consumer(f"filler{number}", {f"host{number}": {"VCPU": 32}}) for number in full],
        )


def nested(trees: int, *, at_once: int = TREES_AT_ONCE) -> Iterator[Document]:
    """Yield the trees of Placement's own nested perfload, each with an agent for its network cards beside the cells.

    host ─┬─ numa0 ─┬─ fpga0_0    DISK_GB on the host, VCPU and MEMORY_MB on the cells, FPGA and VGPU below them,
          │         └─ pgpu0_0    SRIOV_NET_VF on the cards
          ├─ numa1 ─┬─ fpga1_0
          │         └─ fpga1_1
          └─ agent ─┬─ card0
                    └─ card1

    Of the disk and the VGPUs each tree has either much or little, so that every class fits somewhere and both nowhere.
    """
    rare = range(0, trees, trees // RARE)
    for numbers in batches(trees, at_once):
        yield document(one for number in numbers for one in nested_tree(number, rare=number in rare))


def nested_tree(number: int, *, rare: bool) -> Iterator[Document]:
    """Yield the providers of one tree."""
    host = f"host{number}"
    odd = number % 2
    yield provider(
        host,
        inventories={"DISK_GB": {"total": 2048 if odd else 20_480}},
        traits=["COMPUTE_VOLUME_MULTI_ATTACH", *([RARE_TRAIT] if rare else [])],
    )
    yield provider(
        f"{host}_numa0",
        parent=host,
        inventories={
            "VCPU": {"total": 4, "reserved": 2},
            "MEMORY_MB": {"total": 2048, "min_unit": 512, "step_size": 256},
        },
        traits=["HW_NUMA_ROOT"],
    )
    yield provider(
        f"{host}_numa1",
        parent=host,
        inventories={"VCPU": {"total": 4}, "MEMORY_MB": {"total": 2048, "min_unit": 256, "max_unit": 1024}},
        traits=["HW_NUMA_ROOT", "CUSTOM_FOO"],
    )
    yield provider(f"{host}_fpga0_0", parent=f"{host}_numa0", inventories={"FPGA": {"total": 1}})
    yield provider(f"{host}_pgpu0_0", parent=f"{host}_numa0", inventories={"VGPU": {"total": 16 if odd else 8}})
    yield provider(f"{host}_fpga1_0", parent=f"{host}_numa1", inventories={"FPGA": {"total": 1}})
    yield provider(f"{host}_fpga1_1", parent=f"{host}_numa1", inventories={"FPGA": {"total": 1}})
    yield provider(f"{host}_agent", parent=host)
    for card in range(2):
        yield provider(
            f"{host}_card{card}",
            parent=f"{host}_agent",
            inventories={"SRIOV_NET_VF": {"total": 8}},
            traits=["HW_NIC_SRIOV"],
        )


def small(trees: int) -> Iterator[Document]:
    """Yield hosts with devices below their cells, and twelve that are wide.

    host ─┬─ numa0 ─┬─ nic0     DISK_GB on the host, VCPU and MEMORY_MB on the cells, SRIOV_NET_VF and FPGA below them;
          │         └─ fpga0    of the disk and the memory each tree has either much or little
          └─ numa1 ─┬─ nic1
                    └─ fpga1
    """
    rare = range(0, trees, trees // RARE)
    for numbers in batches(trees):
        yield document(one for number in numbers for one in small_tree(number, rare=number in rare))
    yield document(one for number in range(10) for one in wide_tree(f"wide{number}", 16, 1, "CUSTOM_PCI"))
    yield document([*wide_tree("tight", 8, 6, "CUSTOM_TIGHT"), *wide_tree("hole", 12, 3, "CUSTOM_HOLE")])


def small_tree(number: int, *, rare: bool) -> Iterator[Document]:
    """Yield the providers of one tree."""
    host = f"host{number}"
    odd = number % 2
    yield provider(
        host,
        inventories={"DISK_GB": {"total": 2000 if odd else 1000}},
        traits=["COMPUTE_NODE", *([RARE_TRAIT] if rare else [])],
        aggregates=[uuid_of(f"zone{number % ZONES}")],
    )
    for cell in range(2):
        numa = f"{host}_numa{cell}"
        cpus = {"VCPU": {"total": 16}, "MEMORY_MB": {"total": 32_768 if odd else 65_536}}
        yield provider(numa, parent=host, inventories=cpus, traits=["HW_NUMA_ROOT"])
        cards = {"SRIOV_NET_VF": {"total": 8}}
        yield provider(f"{host}_nic{cell}", parent=numa, inventories=cards, traits=["HW_NIC_SRIOV"])
        yield provider(f"{host}_fpga{cell}", parent=numa, inventories={"FPGA": {"total": 1}})


def sharing(trees: int, *, pools: int, cpus: int = 32, every_second_full: bool = True) -> Iterator[Document]:
    """Yield hosts with CPUs and memory, of which every second may be full, and pools of disk that all of them share."""
    row = [uuid_of("row")]
    pool = [
        provider(f"pool{number}", inventories={"DISK_GB": {"total": 1_000_000}}, traits=[SHARED], aggregates=row)
        for number in range(pools)
    ]
    hosts = [
        provider(
            f"host{number}",
            inventories={"VCPU": {"total": cpus}, "MEMORY_MB": {"total": 4096 * cpus}},
            aggregates=row,
        )
        for number in range(trees)
    ]
    full = range(0, trees if every_second_full else 0, 2)
    fillers = [consumer(f"filler{number}", {f"host{number}": {"VCPU": cpus}}) for number in full]
    yield document([*pool, *hosts], fillers)


def wide(trees: int, *, devices: int, units: int, of: str) -> Iterator[Document]:
    """Yield hosts with like devices below them, each with *units* of a resource class."""
    yield document(one for number in range(trees) for one in wide_tree(f"host{number}", devices, units, of))


def wide_tree(name: str, devices: int, units: int, of: str) -> Iterator[Document]:
    """Yield a host with its devices."""
    yield provider(name)
    for device in range(devices):
        yield provider(f"{name}_device{device}", parent=name, inventories={of: {"total": units}})


def one_project(consumers: int) -> Iterator[Document]:
    """Yield hosts with 1,000 consumers each, all of one project."""
    each = 1000
    for numbers in batches(consumers, CONSUMERS_AT_ONCE):
        hosts = range(numbers[0] // each, numbers[-1] // each + 1)
        inventories = {"VCPU": {"total": 2000}, "MEMORY_MB": {"total": 2_000_000}}
        yield document(
            [provider(f"host{number}", inventories=inventories) for number in hosts],
            [
                consumer(f"instance{number}", {f"host{number // each}": {"VCPU": 1, "MEMORY_MB": 1024}})
                for number in numbers
            ],
        )


def held(trees: int, *, consumers: int) -> Iterator[Document]:
    """Yield hosts with an empty NUMA cell each, and consumers that hold CPUs of the host."""
    for numbers in batches(trees):
        names = [f"host{number}" for number in numbers]
        yield document(
            [
                one
                for host in names
                for one in (
                    provider(host, inventories={"VCPU": {"total": 64}, "MEMORY_MB": {"total": 131_072}}),
                    provider(f"{host}_numa0", parent=host),
                )
            ],
            [
                consumer(f"{host}_instance{number}", {host: {"VCPU": 2}})
                for host in names
                for number in range(consumers)
            ],
        )


def batches(number: int, at_once: int = TREES_AT_ONCE) -> Iterator[range]:
    """Yield the numbers up to *number* in as many ranges as one transaction each can load."""
    for first in range(0, number, at_once):
        yield range(first, min(first + at_once, number))


def document(providers: Iterable[Document], consumers: Iterable[Document] = ()) -> Document:
    """Return a document of *providers* and *consumers*."""
    return {
        "version": 1,
        "resource_classes": ["CUSTOM_TIGHT", "CUSTOM_HOLE", "CUSTOM_PCI"],
        "traits": ["CUSTOM_FOO"],
        "providers": list(providers),
        "consumers": list(consumers),
    }


def provider(name: str, **rest: Any) -> Document:
    """Return one provider of a document."""
    return {"uuid": uuid_of(name), "name": name, **rest}


def consumer(name: str, allocations: dict[str, dict[str, int]]) -> Document:
    """Return one consumer of a document."""
    return {
        "uuid": uuid_of(name),
        "type": "INSTANCE",
        "project_id": "project",
        "user_id": "user",
        "allocations": allocations,
    }


CLOUDS: dict[str, Callable[[], Iterator[Document]]] = {
    "100 flat": lambda: flat(100),
    "1000 flat": lambda: flat(1000),
    "10000 flat": lambda: flat(10_000),
    "10000 flat, half full": lambda: flat(10_000, every_second_full=True),
    "100 nested": lambda: nested(100),
    "1000 nested": lambda: nested(1000),
    "10000 nested": lambda: nested(10_000),
    "1000 small": lambda: small(1000),
    "10000 small": lambda: small(10_000),
    "500 sharing 3 pools": lambda: sharing(500, pools=3),
    "10 with 16 PCI devices": lambda: wide(10, devices=16, units=1, of="CUSTOM_PCI"),
    "10 with 16 cards of 8 VFs": lambda: wide(10, devices=16, units=8, of="SRIOV_NET_VF"),
    "12 devices of 3 units": lambda: wide(1, devices=12, units=3, of="CUSTOM_HOLE"),
    "8 devices of 6 units": lambda: wide(1, devices=8, units=6, of="CUSTOM_TIGHT"),
    "100000 consumers": lambda: one_project(100_000),
    "1000 with a pool": lambda: sharing(1000, pools=1, cpus=1000, every_second_full=False),
    "6 small": lambda: flat(6),
    "empty": lambda: iter(()),
    "1000 with 10 consumers": lambda: held(1000, consumers=10),
}
