"""A machine as hwloc sees it: what its XML of version 2 or 3 says that resource providers are made of."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from graphplace.errors import BadRequestError

KIB, MIB = 1024, 1024**2
# Objects that tell where something is attached, not where it is.
IO_TYPES = ("Bridge", "PCIDev", "OSDev", "Misc")
# The type of an OpenFabrics device: a number in version 2, and one bit of several in version 3.
RDMA_2, RDMA_3 = 3, 1 << 5
# Nodes that a GPU or another device has for itself.
DEVICE_MEMORY = ("GPUMemory",)
WORD_BITS = 32
INFINITE = "0xf...f"
CONVERT = "`lstopo --if xml -i OLD.xml --of xml NEW.xml` of hwloc 2 converts it"


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A NUMA node: its number, the numbers of its processors, and its memory.

    ``memory_mb`` is in MiB, without the huge pages that are set aside: ``hugepages`` has their number by size in KiB.
    ``kind`` is what hwloc calls memory that is not the usual one, such as ``HBM``; then there are no processors.
    """

    number: int
    cpus: frozenset[int]
    memory_mb: int
    hugepages: Mapping[int, int] = field(default_factory=dict)
    kind: str = ""


@dataclass(frozen=True, kw_only=True)
class Device:
    """A PCI device: its address such as ``0000:81:00.1``, and four hexadecimal digits of class, vendor and product.

    ``cell`` is the number of the only NUMA node with processors that it is next to, None if there are several.
    ``rdma`` tells whether it has an OpenFabrics device, ``virtual`` whether it is a function of another device.
    ``functions`` is the number of virtual functions that it is split into, and ``sriov`` whether it can be.
    """

    address: str
    pci_class: str
    vendor: str
    product: str
    cell: int | None
    rdma: bool = False
    virtual: bool = False
    sriov: bool = False
    functions: int = 0


@dataclass(frozen=True, kw_only=True)
class Machine:
    """A machine: its architecture as ``uname`` calls it, whether cores have several threads, its nodes and devices.

    hwloc does not tell ``cpu_traits``, the traits of what the processors can do.
    """

    architecture: str
    hyperthreading: bool
    cells: Sequence[Cell]
    devices: Sequence[Device]
    cpu_traits: Sequence[str] = ()


def read_machine(xml: bytes) -> Machine:
    """Read what ``lstopo --of xml`` writes. Raises BadRequestError for what is not that.

    What the process that wrote it may not use (``allowed_cpuset``, ``allowed_nodeset``) is left out. Even a machine
    that is not NUMA has one NUMA node there.
    """
    topology = _topology(xml)
    machine = topology.find("object[@type='Machine']")
    if machine is None:
        raise BadRequestError("hwloc's XML has no object of the type Machine.")
    allowed_nodes = _mask(machine, "allowed_nodeset", default=-1)
    allowed_cpus = _mask(machine, "allowed_cpuset", default=-1)
    objects = list(_objects(machine))
    cpus = {_number(one, "os_index") for one, _ in objects if one.get("type") == "PU"}
    usable = frozenset(cpu for cpu in cpus if allowed_cpus >> cpu & 1)
    nodes = [one for one, _ in objects if one.get("type") == "NUMANode"]
    cells = _cells([one for one in nodes if allowed_nodes >> _number(one, "os_index") & 1], usable)
    if not cells:
        raise BadRequestError(f"hwloc's XML has {len(nodes)} NUMA nodes, and none that may be used: it is not whole.")
    threads = [len(one.findall("object[@type='PU']")) for one, _ in objects if one.get("type") == "Core"]
    return Machine(
        # Version 2 has it here, version 3 there.
        architecture=_info(machine, "Architecture") or _info(topology, "Architecture"),
        hyperthreading=any(number > 1 for number in threads),
        cells=cells,
        devices=tuple(_device(one, nodes, cells) for one, nodes in objects if one.get("type") == "PCIDev"),
    )


def _topology(xml: bytes) -> Element:
    try:
        topology: Element = fromstring(xml)
    except DefusedXmlException as error:
        raise BadRequestError(f"The XML declares entities, which hwloc's does not: {error}.") from error
    except (ParseError, LookupError, ValueError) as error:  # the latter two are about its encoding
        raise BadRequestError(f"This is not XML: {error}.") from error
    if topology.tag != "topology":
        raise BadRequestError(f"This is not hwloc's XML: its root is <{topology.tag}>, not <topology>.")
    version = topology.get("version", "1")
    if version.partition(".")[0] not in ("2", "3"):
        raise BadRequestError(f"This is hwloc's XML of version {version}; 2 and 3 are accepted. {CONVERT}.")
    return topology


def _objects(machine: Element) -> Iterator[tuple[Element, int]]:
    """Yield all objects in their order, with the set of the nodes that each is next to."""
    left = [(machine, _mask(machine, "nodeset"))]
    while left:
        element, nodes = left.pop()
        yield element, nodes
        inside = element.findall("object")
        left.extend((one, nodes if one.get("type") in IO_TYPES else _mask(one, "nodeset")) for one in reversed(inside))


def _cells(nodes: list[Element], usable: frozenset[int]) -> tuple[Cell, ...]:
    """Return the nodes in the order of their numbers.

    Of several nodes that are next to a processor, such as one with usual and one with fast memory, the processor
    belongs to the one that is next to the fewest, and of these to the first.
    """
    taken: frozenset[int] = frozenset()
    cells = []
    masks = {_number(node, "os_index"): _mask(node, "cpuset") for node in nodes}
    by_number = {_number(node, "os_index"): node for node in nodes}
    for number in sorted(by_number, key=lambda one: (_size(masks[one], usable), one)):
        node = by_number[number]
        kind = node.get("subtype", "")
        if kind in DEVICE_MEMORY:
            continue
        cpus = frozenset(cpu for cpu in usable - taken if masks[number] >> cpu & 1)
        taken |= cpus
        pages = {_number(page, "size"): _number(page, "count") for page in node.findall("page_type")}
        huge = {size: count for size, count in pages.items() if size != min(pages) and count}
        plain = _number(node, "local_memory", default=0) - sum(size * count for size, count in huge.items())
        cells.append(
            Cell(
                number=number,
                cpus=cpus,
                memory_mb=max(plain, 0) // MIB,
                hugepages={size // KIB: count for size, count in huge.items()},
                kind="" if cpus else kind,
            )
        )
    return tuple(sorted(cells, key=lambda cell: cell.number))


def _size(mask: int, usable: frozenset[int]) -> int:
    """Return how many processors a node is next to; a node without any comes last."""
    return sum(mask >> cpu & 1 for cpu in usable) or len(usable) + 1


def _device(element: Element, nodes: int, cells: Sequence[Cell]) -> Device:
    near = [cell for cell in cells if nodes >> cell.number & 1]
    near = [cell for cell in near if cell.cpus] or near
    pci_class, vendor, product = _pci_type(element)
    return Device(
        address=element.get("pci_busid", ""),
        pci_class=pci_class,
        vendor=vendor,
        product=product,
        cell=near[0].number if len(near) == 1 else None,
        rdma=any(_is_rdma(one) for one in element.findall("object[@type='OSDev']")),
        virtual="Virtual Function" in _info(element, "PCIDevice"),
    )


def _pci_type(element: Element) -> tuple[str, str, str]:
    """Return class, vendor and product of ``0200 [8086:1521] [15d9:1521] 01``."""
    text = element.get("pci_type", "")
    pci_class, _, rest = text.partition(" ")
    vendor, _, product = rest[1:10].partition(":")
    try:
        for part in (pci_class, vendor, product):
            bytes.fromhex(part)
    except ValueError:
        product = ""
    if not (len(pci_class) == len(vendor) == len(product) == 4):  # noqa: PLR2004  # hexadecimal digits
        busid = element.get("pci_busid")
        raise BadRequestError(f"pci_type of the PCI device {busid} is {text!r}; it begins as in '0200 [8086:1521]'.")
    return pci_class.lower(), vendor.lower(), product.lower()


def _is_rdma(device: Element) -> bool:
    kind = _number(device, "osdev_type", default=0)
    return kind == RDMA_2 or bool(kind & RDMA_3)


def _info(element: Element, name: str) -> str:
    values: list[Any] = [info.get("value") for info in element.findall("info") if info.get("name") == name]
    return str(values[0]) if values else ""


def _number(element: Element, name: str, default: int | None = None) -> int:
    text = element.get(name)
    if text is None and default is not None:
        return default
    if text is None or not text.isdecimal():
        what = f"{element.get('type', element.tag)} {element.get('name', '')}".strip()
        raise BadRequestError(f"{name} of <{what}> in hwloc's XML is {text!r}; it has to be a number.")
    return int(text)


def _mask(element: Element, name: str, default: int = 0) -> int:
    """Return a set as the bits of a number; one that ends nowhere is negative.

    hwloc writes 32 bits at a time, the highest first, and nothing for 32 that are not set: ``0x00000003,,0x0000ffff``.
    """
    text = element.get(name)
    if text is None:
        return default
    bits = 0
    for word in text.split(","):
        try:
            bits = -1 if word == INFINITE else bits << WORD_BITS | int(word or "0", 16)
        except ValueError:
            raise BadRequestError(
                f"{name} in hwloc's XML is {text!r}; it has to be a set such as 0x0000000f."
            ) from None
    return bits
