"""The driver that reads a machine with hwloc: NUMA nodes, network cards, GPUs, accelerators.

docs/discover.md has the table of what becomes what.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import os_traits

from graphplace.compute.drivers.linux import read_this_machine
from graphplace.compute.drivers.topology import Cell, Device, Machine, read_machine
from graphplace.compute.drivers.wanted import Wanted, bring
from graphplace.compute.provider_tree import ProviderData, ProviderTree
from graphplace.compute.reading import Allocations
from graphplace.cpus import read_cpu_list
from graphplace.errors import BadRequestError

# Classes of PCI devices. Storage is not offered: the host's own disks are among it.
NETWORK = ("02", "0c06")  # 0c06 is InfiniBand
ACCELERATOR = ("12", "0b40")
GPU = ("0302",)
# A display adapter is a GPU if one of these made it, and else a server's console, as those named below are.
DISPLAY, GPU_VENDORS = ("03",), ("10de", "1002", "8086")
CONSOLES = ("1002:4752", "1002:515e")  # ATI Rage XL, ES1000

HUGEPAGES = "CUSTOM_HUGEPAGES_"
PCI_TRAIT = "CUSTOM_PCI_"
MEMORY_TRAIT = "CUSTOM_MEMORY_"
OWN_CLASSES = ("VCPU", "PCPU", "MEMORY_MB", "SRIOV_NET_VF", "PGPU", "PCI_DEVICE", HUGEPAGES)
OWN_TRAITS = ("HW_ARCH_", "HW_CPU_", "HW_NUMA_ROOT", "HW_NIC_SRIOV", "HW_NIC_OFFLOAD_RDMA", PCI_TRAIT, MEMORY_TRAIT)


class HwlocDriver:
    """Tells what hwloc finds in a machine: in the file *xml*, or else in the one that this runs on.

    The processors in the list *dedicated_cpus*, such as ``2-15,18``, are PCPU, others VCPU.

    Its own are the providers called after the host and ``_numa`` or ``_pci_``; of these and the host the resource
    classes and traits that it knows; and of inventories ``total`` and ``max_unit``. All else of the tree stays.

    Raises BadRequestError for a list that is none.
    """

    def __init__(self, xml: str | None = None, dedicated_cpus: str = "") -> None:
        self._xml = xml
        self._dedicated = read_cpu_list(dedicated_cpus)

    def update_provider_tree(
        self, provider_tree: ProviderTree, nodename: str, allocations: Allocations | None = None
    ) -> None:
        """Bring the tree to what hwloc finds; see :class:`graphplace.compute.driver.Driver`."""
        providers = [_beside(provider_tree, one) for one in wanted(self._machine(), nodename, self._dedicated)]
        prefixes = (f"{nodename}_numa", f"{nodename}_pci_")
        bring(
            provider_tree, nodename, providers, allocations, is_own=lambda provider: provider.name.startswith(prefixes)
        )

    def _machine(self) -> Machine:
        if self._xml is None:
            return read_this_machine()
        try:
            data = Path(self._xml).read_bytes()
        except OSError as error:
            raise BadRequestError(f"{self._xml} cannot be read: {error.strerror}.") from error
        try:
            return read_machine(data)
        except BadRequestError as error:
            raise BadRequestError(f"{self._xml}: {error}") from error


def wanted(machine: Machine, host: str, dedicated: frozenset[int] = frozenset()) -> Iterator[Wanted]:
    """Yield the host *machine*, its NUMA nodes and its devices, parents first. Processors *dedicated* are PCPU.

    Raises BadRequestError for processors to be dedicated that the machine does not have.
    """
    missing = dedicated.difference(*(cell.cpus for cell in machine.cells))
    if missing:
        numbers = ", ".join(map(str, sorted(missing)))
        raise BadRequestError(f"Of the dedicated processors the machine does not have, or may not use, {numbers}.")
    yield Wanted(name=host, inventories={}, traits=frozenset())
    for cell in machine.cells:
        amounts = {
            "VCPU": len(cell.cpus - dedicated),
            "PCPU": len(cell.cpus & dedicated),
            "MEMORY_MB": cell.memory_mb,
        } | {f"{HUGEPAGES}{size}KB": count for size, count in cell.hugepages.items()}
        yield Wanted(
            name=f"{host}_numa{cell.number}",
            parent=host,
            inventories=_totals(amounts),
            traits=frozenset(_cell_traits(machine, cell)),
        )
    for device in machine.devices:
        amounts = _device_amounts(device)
        if amounts:
            yield Wanted(
                name=f"{host}_pci_{device.address}",
                parent=host if device.cell is None else f"{host}_numa{device.cell}",
                inventories=_totals(amounts),
                traits=frozenset(_device_traits(device)),
            )


def _cell_traits(machine: Machine, cell: Cell) -> Iterator[str]:
    yield "HW_NUMA_ROOT"
    if cell.kind:
        yield MEMORY_TRAIT + "".join(letter if letter.isalnum() else "_" for letter in cell.kind.upper())
    if cell.cpus:
        yield from machine.cpu_traits
        architecture = f"HW_ARCH_{machine.architecture.upper()}"
        if architecture in os_traits.get_traits("HW_ARCH_"):
            yield architecture
        if machine.hyperthreading:
            yield "HW_CPU_HYPERTHREADING"


def _device_amounts(device: Device) -> dict[str, int]:
    """Return what a device gives: nothing if it is none that is handed out."""
    model = f"{device.vendor}:{device.product}"
    if device.pci_class.startswith(NETWORK):
        functions = 1 if device.virtual else device.functions
        return {"SRIOV_NET_VF": functions} if functions else {"PCI_DEVICE": 1}
    if device.pci_class.startswith(ACCELERATOR):
        return {"PCI_DEVICE": 1}
    graphics = device.pci_class.startswith(DISPLAY) and device.vendor in GPU_VENDORS and model not in CONSOLES
    return {"PGPU": 1} if graphics or device.pci_class.startswith(GPU) else {}


def _device_traits(device: Device) -> Iterator[str]:
    yield f"{PCI_TRAIT}{device.vendor}_{device.product}".upper()
    if device.sriov or device.virtual:
        yield "HW_NIC_SRIOV"
    if device.rdma:
        yield "HW_NIC_OFFLOAD_RDMA"


def _totals(amounts: Mapping[str, int]) -> dict[str, dict[str, int]]:
    return {name: {"total": amount, "max_unit": amount} for name, amount in amounts.items() if amount > 0}


def _beside(tree: ProviderTree, one: Wanted) -> Wanted:
    """Return *one* with all that its provider has from others: classes, traits, fields such as ``reserved``.

    Of a class that is new to it the ``allocation_ratio`` is that of the nearest provider above that has the class.
    """
    above = list(_present(tree, one))
    stored = above[0] if above and above[0].name == one.name else None
    inventories: dict[str, Mapping[str, Any]] = {}
    traits: Iterable[str] = ()
    if stored is not None:
        inventories |= {name: given for name, given in stored.inventory.items() if not name.startswith(OWN_CLASSES)}
        traits = (trait for trait in stored.traits if not trait.startswith(OWN_TRAITS))
    for name, given in (one.inventories or {}).items():
        found = next((provider for provider in above if name in provider.inventory), None)
        kept: Mapping[str, Any] = {}
        if found is not None:
            fields = found.inventory[name]
            kept = fields if found is stored else {"allocation_ratio": fields["allocation_ratio"]}
        inventories[name] = {**kept, **given}
    return Wanted(
        name=one.name, parent=one.parent, inventories=inventories, traits=(one.traits or frozenset()).union(traits)
    )


def _present(tree: ProviderTree, one: Wanted) -> Iterator[ProviderData]:
    """Yield the provider, if the tree has it, and all above it, or above where it shall be."""
    name = one.name if tree.exists(one.name) else one.parent
    while name is not None and tree.exists(name):
        provider = tree.data(name)
        yield provider
        name = provider.parent_uuid
