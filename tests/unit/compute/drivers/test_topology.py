"""hwloc's XML is read, and what is not hwloc's XML is refused."""

import pytest
from machine_files import MACHINES, xml_of

from graphplace.compute.drivers.topology import Cell, read_machine
from graphplace.errors import BadRequestError

ALL = 'cpuset="0xf...f" nodeset="0xf...f"'


def machine(inside: str, attributes: str = ALL, version: str = 'version="2.0"') -> bytes:
    """The XML of a machine."""
    return f'<topology {version}><object type="Machine" {attributes}>{inside}</object></topology>'.encode()


def pus(*numbers: int) -> str:
    return "".join(f'<object type="PU" os_index="{number}"/>' for number in numbers)


def node(number: int, cpus: int, memory: int = 2**30, more: str = "", inside: str = "") -> str:
    attributes = f'os_index="{number}" cpuset="{cpus:#x}" nodeset="{1 << number:#x}" local_memory="{memory}" {more}'
    return f'<object type="NUMANode" {attributes}>{inside}</object>'


def pci(kind: str = "0200 [8086:1521] [15d9:1521] 01", inside: str = "") -> str:
    return f'<object type="PCIDev" pci_busid="0000:01:00.0" pci_type="{kind}">{inside}</object>'


@pytest.mark.parametrize("name", MACHINES)
def test_every_processor_of_a_real_machine_is_in_one_cell(name: str) -> None:
    found = read_machine(xml_of(name))

    every = [cpu for cell in found.cells for cpu in cell.cpus]
    assert len(every) == len(set(every)) > 0
    assert all(cell.memory_mb > 900 for cell in found.cells)
    assert {device.cell for device in found.devices} <= {None, *(cell.number for cell in found.cells)}


def test_the_sizes_of_real_machines() -> None:
    sizes = {}
    for name in MACHINES:
        found = read_machine(xml_of(name))
        sizes[name] = (len(found.cells), sum(len(cell.cpus) for cell in found.cells), len(found.devices))
    assert sizes == {
        "128arm-2pa2n8cluster4co": (4, 128, 0),
        "192em64t-24n8c2t": (24, 384, 12),
        "24em64t-2n6c2t-pci": (2, 24, 9),
        "256ia64-64n2s2c": (64, 256, 0),
        "28intel64-2p2g7c-CoDgroups.v1tov2": (4, 28, 5),
        "32intel64-2p8co2t+8ve": (2, 32, 12),
        "64intel64-3g2n+2n-irregulargroups+pci": (2, 16, 8),  # of 8 nodes, the process was allowed 2
        "8em64t-2p2ca2co-nonodesets.v1tov2": (1, 8, 5),
        "96em64t-4n4d3ca2co-pci": (4, 96, 14),
        "nvidiaDGX2": (2, 4, 28),
        "power8gpudistances": (2, 16, 4),
    }


def test_memory_without_processors_of_its_own() -> None:
    found = read_machine(
        machine(
            node(0, 0b11) + node(1, 0b11, more='subtype="HBM"') + node(2, 0, more='subtype="GPUMemory"') + pus(0, 1)
        )
    )

    assert found.cells == (
        Cell(number=0, cpus=frozenset((0, 1)), memory_mb=1024),
        Cell(number=1, cpus=frozenset(), memory_mb=1024, kind="HBM"),
    )


def test_a_processor_belongs_to_the_node_that_is_next_to_the_fewest() -> None:
    found = read_machine(
        machine(node(0, 0b1111, more='subtype="CXL"') + node(1, 0b0011) + node(2, 0b1100) + pus(*range(4)))
    )

    assert [(cell.number, sorted(cell.cpus)) for cell in found.cells] == [(0, []), (1, [0, 1]), (2, [2, 3])]


def test_what_is_not_allowed_is_left_out() -> None:
    attributes = f'{ALL} allowed_cpuset="0x00000001,,0x00000005" allowed_nodeset="0x1"'
    text = machine(node(0, 0b111) + node(1, 0b1000) + pus(0, 1, 2, 3), attributes)

    assert read_machine(text).cells == (Cell(number=0, cpus=frozenset((0, 2)), memory_mb=1024),)


def test_hugepages_are_no_usual_memory() -> None:
    pages = (
        '<page_type size="4096" count="9"/><page_type size="2097152" count="256"/><page_type size="1048576" count="0"/>'
    )
    (cell,) = read_machine(machine(node(0, 1, inside=pages) + pus(0))).cells

    assert (cell.memory_mb, cell.hugepages) == (512, {2048: 256})


@pytest.mark.parametrize(
    ("version", "kind", "expected"), [("2.0", 3, True), ("2.0", 2, False), ("3.0", 48, True), ("3.0", 16, False)]
)
def test_rdma_in_both_versions(version: str, kind: int, *, expected: bool) -> None:
    device = pci(inside=f'<object type="OSDev" name="mlx5_0" osdev_type="{kind}"/>')
    (found,) = read_machine(machine(node(0, 1) + pus(0) + device, version=f'version="{version}"')).devices

    assert (found.rdma, found.cell) == (expected, 0)


def test_a_machine_that_is_greater_than_any() -> None:
    """512 nodes with 8 processors and a card each, whose sets have 128 words."""
    parts = []
    for number in range(512):
        cpus = hwloc_set(0xFF << 8 * number)
        attributes = f'os_index="{number}" cpuset="{cpus}" nodeset="{hwloc_set(1 << number)}" local_memory="{2**40}"'
        inside = f'<object type="NUMANode" {attributes}/>{pus(*range(8 * number, 8 * number + 8))}{pci()}'
        parts.append(f'<object type="Package" nodeset="{hwloc_set(1 << number)}">{inside}</object>')
    found = read_machine(machine("".join(parts)))

    assert [cell.cpus for cell in found.cells] == [frozenset(range(8 * one, 8 * one + 8)) for one in range(512)]
    assert {cell.memory_mb for cell in found.cells} == {2**20}
    assert [device.cell for device in found.devices] == list(range(512))


def hwloc_set(bits: int) -> str:
    """Write a set as hwloc does: 32 bits at a time, and nothing for 32 that are not set."""
    words = [bits >> shift & 0xFFFFFFFF for shift in range(0, max(bits.bit_length(), 1), 32)]
    return ",".join(f"0x{word:08x}" if word else "" for word in reversed(words)) or "0x0"


def test_where_a_device_is() -> None:
    cells = node(0, 0b01) + node(1, 0b10) + pus(0, 1)
    bridge = f'<object type="Bridge"><object type="Bridge">{pci()}</object></object>'
    near = f'<object type="Package" nodeset="0x2">{bridge}</object>'

    assert [one.cell for one in read_machine(machine(cells + near + pci())).devices] == [1, None]


@pytest.mark.parametrize(
    ("xml", "message"),
    [
        (b"", "This is not XML: no element found"),
        (xml_of("power8gpudistances")[:5000], "This is not XML: unclosed token"),
        (b'<?xml version="1.0" encoding="klingon"?><topology/>', "This is not XML: unknown encoding: klingon"),
        (
            b'<?xml version="1.0" encoding="big5"?><topology/>',
            "This is not XML: multi-byte encodings are not supported",
        ),
        (b'<!DOCTYPE t [<!ENTITY a "b">]><t>&a;</t>', "The XML declares entities"),
        (b"<svg/>", "its root is <svg>, not <topology>"),
        (machine(pus(0), version=""), "of version 1; 2 and 3 are accepted. `lstopo --if xml"),
        (machine(pus(0)), "hwloc's XML has 0 NUMA nodes, and none that may be used"),
        (machine(node(0, 1) + pus(0), f'{ALL} allowed_nodeset="0x2"'), "has 1 NUMA nodes, and none that may be used"),
        (machine("", version='version="4.1"'), "of version 4.1; 2 and 3 are accepted"),
        (b'<topology version="2.0"/>', "no object of the type Machine"),
        (machine('<object type="PU"/>'), "os_index of <PU> in hwloc's XML is None; it has to be a number"),
        (machine(node(0, 1).replace("1073741824", "much")), "local_memory of <NUMANode> in hwloc's XML is 'much'"),
        (machine('<object type="Core" nodeset="all"/>'), "nodeset in hwloc's XML is 'all'; it has to be a set"),
        (machine(node(0, 1) + pci("0200 8086:1521")), "pci_type of the PCI device 0000:01:00.0 is '0200 8086:1521'"),
        (machine(node(0, 1) + pci("wxyz [8086:1521]")), "pci_type of the PCI device 0000:01:00.0 is 'wxyz"),
    ],
)
def test_what_is_not_accepted(xml: bytes, message: str) -> None:
    with pytest.raises(BadRequestError) as refused:
        read_machine(xml)
    assert message in str(refused.value)
