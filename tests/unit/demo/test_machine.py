"""A machine read from /proc and /sys."""

from pathlib import Path
from typing import Any

import pytest

from graphplace.demo.machine import read_machine

CPUINFO = "processor\t: 0\nflags\t\t: fpu sse4_2 aes avx2 avx512f unheard_of\n\nprocessor\t: 1\nflags\t\t: fpu\n"


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A machine of which only /proc tells: two processors, 2 GiB."""
    write(tmp_path, {"proc/cpuinfo": CPUINFO, "proc/meminfo": "MemTotal:  2097152 kB\nMemFree: 1 kB\n"})
    return tmp_path


def write(root: Path, texts: dict[str, str]) -> None:
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def read(root: Path) -> dict[str, dict[str, Any]]:
    found = read_machine(name="box", proc=root / "proc", sys=root / "sys", disk=root)
    assert len({entry["uuid"] for entry in found}) == len(found)
    return {entry["name"]: entry for entry in found}


def amounts(entry: dict[str, Any]) -> dict[str, int]:
    return {name: inventory["total"] for name, inventory in entry["inventories"].items()}


def test_a_container_that_shows_no_devices(machine: Path) -> None:
    (host,) = read(machine).values()

    assert amounts(host) | {"DISK_GB": 1} == {"DISK_GB": 1, "VCPU": 2, "MEMORY_MB": 2048}
    assert host["traits"] == ["HW_CPU_X86_AESNI", "HW_CPU_X86_AVX2", "HW_CPU_X86_AVX512F", "HW_CPU_X86_SSE42"]


def test_numa_nodes_with_their_devices(machine: Path) -> None:
    node, pci = "sys/devices/system/node", "sys/bus/pci/devices"
    write(
        machine,
        {
            f"{node}/node0/cpulist": "0-3,8\n",
            f"{node}/node0/meminfo": "Node 0 MemTotal:  1048576 kB\n",
            f"{node}/node1/cpulist": "\n",
            f"{node}/node1/meminfo": "Node 1 MemTotal:  524288 kB\n",
            f"{pci}/0000:01:00.0/class": "0x020000\n",
            f"{pci}/0000:01:00.0/numa_node": "1\n",
            f"{pci}/0000:01:00.0/sriov_numvfs": "7\n",
            f"{pci}/0000:01:00.1/class": "0x020000\n",
            f"{pci}/0000:01:00.1/physfn/class": "0x020000\n",
            f"{pci}/0000:02:00.0/class": "0x030200\n",
            f"{pci}/0000:02:00.0/numa_node": "-1\n",
            f"{pci}/0000:03:00.0/class": "0x120000\n",
            f"{pci}/0000:04:00.0/class": "0x060400\n",
        },
    )

    found = read(machine)

    assert {name: (entry.get("parent"), amounts(entry)) for name, entry in found.items() if name != "box"} == {
        "box_numa0": ("box", {"VCPU": 5, "MEMORY_MB": 1024}),
        "box_numa1": ("box", {"MEMORY_MB": 512}),
        "box_pci_0000:01:00.0": ("box_numa1", {"SRIOV_NET_VF": 7}),
        "box_pci_0000:02:00.0": ("box", {"PGPU": 1}),
        "box_pci_0000:03:00.0": ("box", {"PCI_DEVICE": 1}),
    }
    assert list(amounts(found["box"])) == ["DISK_GB"]
    assert found["box"]["traits"] == []
    assert found["box_numa0"]["traits"][0] == "HW_NUMA_ROOT"
    assert found["box_numa1"]["traits"] == ["HW_NUMA_ROOT"]


def test_this_machine_is_the_same_at_every_look() -> None:
    found = read_machine()

    assert found == read_machine()
    assert any("VCPU" in entry["inventories"] for entry in found)
