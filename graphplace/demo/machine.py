"""The machine that this runs on as a host: what Linux tells of it in /proc and /sys, for ``graphplace load``."""

import platform
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_DNS, uuid5

from graphplace.cpus import read_cpu_list, read_cpu_traits

PROC = Path("/proc")
SYS = Path("/sys")
KIB_PER_MIB = 1024
BYTES_PER_GIB = 1024**3

# The first two digits of a PCI class: network, display, processing accelerator.
NETWORK, DISPLAY = "02", "03"
OFFERED = (NETWORK, DISPLAY, "12")

Entry = dict[str, Any]


def read_machine(*, name: str = "", proc: Path = PROC, sys: Path = SYS, disk: Path = Path("/")) -> list[Entry]:
    """Return the provider entries of this machine: the host, its NUMA nodes and its PCI devices, parents first.

    The host is called *name*, by default its host name, and has DISK_GB, the size of the file system at *disk*. VCPU
    and MEMORY_MB are on the NUMA nodes or, where the kernel tells of none, on the host. Network cards give
    SRIOV_NET_VF when virtual functions are set up and PCI_DEVICE otherwise, GPUs give PGPU, accelerators PCI_DEVICE;
    they stand below the NUMA node that they are attached to. The uuids follow from the names.
    """
    name = name or platform.node() or "this-machine"
    traits = read_cpu_traits(proc / "cpuinfo")
    host = _entry(name, None, {"DISK_GB": max(1, shutil.disk_usage(disk).total // BYTES_PER_GIB)})
    nodes = {int(path.name.removeprefix("node")): path for path in (sys / "devices/system/node").glob("node[0-9]*")}
    cells = [_cell(f"{name}_numa{number}", name, path, traits) for number, path in sorted(nodes.items())]
    if not cells:
        cpus = len(re.findall(r"^processor\b", (proc / "cpuinfo").read_text(), re.MULTILINE))
        host["inventories"] |= _totals({"VCPU": cpus, "MEMORY_MB": _memory(proc / "meminfo")})
        host["traits"] = traits
    devices = [_device(name, path, nodes) for path in sorted((sys / "bus/pci/devices").glob("*")) if _is_offered(path)]
    return [host, *cells, *devices]


def _cell(name: str, host: str, path: Path, traits: list[str]) -> Entry:
    cpus = len(read_cpu_list(_text(path / "cpulist")))
    resources = {"VCPU": cpus, "MEMORY_MB": _memory(path / "meminfo")}
    return _entry(name, host, resources, ["HW_NUMA_ROOT", *(traits if cpus else ())])


def _device(host: str, path: Path, nodes: Iterable[int]) -> Entry:
    functions = int(_text(path / "sriov_numvfs") or 0)
    match _pci_class(path):
        case kind if kind == NETWORK and functions:
            resources, traits = {"SRIOV_NET_VF": functions}, ["HW_NIC_SRIOV"]
        case kind if kind == DISPLAY:
            resources, traits = {"PGPU": 1}, []
        case _:
            resources, traits = {"PCI_DEVICE": 1}, []
    node = int(_text(path / "numa_node") or -1)
    return _entry(f"{host}_pci_{path.name}", f"{host}_numa{node}" if node in nodes else host, resources, traits)


def _is_offered(path: Path) -> bool:
    # A virtual function is counted on the device that it is a function of.
    return _pci_class(path) in OFFERED and not (path / "physfn").exists()


def _pci_class(path: Path) -> str:
    return _text(path / "class").removeprefix("0x")[:2]


def _entry(name: str, parent: str | None, resources: dict[str, int], traits: Iterable[str] = ()) -> Entry:
    entry = {
        "uuid": str(uuid5(NAMESPACE_DNS, f"{name}.machine.graphplace")),
        "name": name,
        "inventories": _totals(resources),
        "traits": list(traits),
    }
    return entry if parent is None else entry | {"parent": parent}


def _totals(resources: dict[str, int]) -> dict[str, dict[str, int]]:
    return {resource_class: {"total": total} for resource_class, total in resources.items() if total > 0}


def _memory(meminfo: Path) -> int:
    """Return the MemTotal of a meminfo file in MiB."""
    total = re.search(r"MemTotal:\s*(\d+) kB", _text(meminfo))
    return int(total[1]) // KIB_PER_MIB if total else 0


def _text(path: Path) -> str:
    """Return the text of a file that a container or an older kernel may not show; then it is empty."""
    try:
        return path.read_text().strip()
    except OSError:
        return ""
