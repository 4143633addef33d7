"""What the hwloc driver makes of a machine, and of a tree that has something already."""

from pathlib import Path

import pytest
from machine_files import xml_of

from graphplace.compute.drivers import driver_named, driver_names
from graphplace.compute.drivers.hwloc import wanted
from graphplace.compute.drivers.linux import read_this_machine
from graphplace.compute.errors import ReshapeFailed, ReshapeNeeded
from graphplace.compute.provider_tree import ProviderTree
from graphplace.compute.reading import Allocations
from graphplace.errors import BadRequestError

HOST = "9f0f9d6e-6b3c-4d1a-8f2e-0a1b2c3d4e5f"
ENGINES = "32intel64-2p8co2t+8ve"


@pytest.fixture
def tree() -> ProviderTree:
    found = ProviderTree()
    found.new_root("box", HOST)
    return found


def find(
    tree: ProviderTree, folder: Path, machine: str, allocations: Allocations | None = None, **options: str
) -> None:
    """Let the driver bring the tree to a machine."""
    path = folder / "machine.xml"
    path.write_bytes(xml_of(machine))
    driver_named("hwloc", {"xml": str(path), **options}).update_provider_tree(tree, "box", allocations)


def totals(tree: ProviderTree, name: str) -> dict[str, int]:
    return {resource_class: given["total"] for resource_class, given in tree.data(name).inventory.items()}


def children(tree: ProviderTree, name: str) -> set[str]:
    uuid = tree.data(name).uuid
    return {one.name for one in tree if one.parent_uuid == uuid}


def test_a_machine_with_network_cards_and_vector_engines(tree: ProviderTree, tmp_path: Path) -> None:
    find(tree, tmp_path, ENGINES)

    assert totals(tree, "box") == {}
    assert children(tree, "box") == {"box_numa0", "box_numa1"}
    assert totals(tree, "box_numa0") == {"VCPU": 16, "MEMORY_MB": 42706, "CUSTOM_HUGEPAGES_2048KB": 2048}
    assert tree.data("box_numa0").traits == {"HW_NUMA_ROOT", "HW_ARCH_X86_64", "HW_CPU_HYPERTHREADING"}
    assert len(children(tree, "box_numa0")) == 12
    assert totals(tree, "box_pci_0000:1b:00.0") == {"PCI_DEVICE": 1}
    assert tree.data("box_pci_0000:1b:00.0").traits == {"CUSTOM_PCI_1BCF_001C"}


def test_gpus_consoles_and_infiniband(tree: ProviderTree, tmp_path: Path) -> None:
    find(tree, tmp_path, "24em64t-2n6c2t-pci")

    gpus = {one.name for one in tree if "PGPU" in one.inventory}
    assert gpus == {"box_pci_0000:06:00.0", "box_pci_0000:11:00.0", "box_pci_0000:14:00.0"}
    assert not tree.exists("box_pci_0000:01:03.0"), "the console's ES1000"
    assert not tree.exists("box_pci_0000:00:1f.2"), "the disks"
    assert tree.data("box_pci_0000:05:00.0").traits == {"CUSTOM_PCI_15B3_6746", "HW_NIC_OFFLOAD_RDMA"}


def test_dedicated_processors(tree: ProviderTree, tmp_path: Path) -> None:
    find(tree, tmp_path, "power8gpudistances", dedicated_cpus="0,8-9,104")

    cells = [totals(tree, name) for name in sorted(children(tree, "box"))]
    assert sum(cell.get("PCPU", 0) for cell in cells) == 4
    assert sum(cell["VCPU"] for cell in cells) == 12


def test_dedicated_processors_that_are_not_there(tree: ProviderTree, tmp_path: Path) -> None:
    with pytest.raises(BadRequestError, match="does not have, or may not use, 7, 10"):
        find(tree, tmp_path, "power8gpudistances", dedicated_cpus="7-10")


def test_what_others_have_set_stays(tree: ProviderTree, tmp_path: Path) -> None:
    find(tree, tmp_path, "power8gpudistances")
    tree.update_inventory("box", {"DISK_GB": {"total": 9}})
    cell = tree.data("box_numa0")
    tree.update_inventory(cell.uuid, {"VCPU": {"total": 3, "reserved": 1, "allocation_ratio": 4.0}})
    tree.add_traits(cell.uuid, "CUSTOM_RACK_7", "HW_CPU_X86_AVX")
    tree.update_aggregates(cell.uuid, [HOST])
    tree.new_child("box_port", cell.uuid)

    find(tree, tmp_path, "power8gpudistances")

    assert totals(tree, "box") == {"DISK_GB": 9}
    after = tree.data(cell.uuid)
    vcpu = after.inventory["VCPU"]
    assert (vcpu["total"], vcpu["reserved"], vcpu["allocation_ratio"], vcpu["max_unit"]) == (8, 1, 4.0, 8)
    assert after.traits == cell.traits | {"CUSTOM_RACK_7"}
    assert after.aggregates == {HOST}
    assert tree.exists("box_port")


def test_a_machine_that_lost_its_devices(tree: ProviderTree, tmp_path: Path) -> None:
    find(tree, tmp_path, "power8gpudistances")
    find(tree, tmp_path, "128arm-2pa2n8cluster4co")

    assert {one.name for one in tree} == {"box", *(f"box_numa{number}" for number in range(4))}


def test_what_is_below_a_device_that_is_gone(tree: ProviderTree, tmp_path: Path) -> None:
    find(tree, tmp_path, "power8gpudistances")
    tree.new_child("mine", "box_pci_0002:01:00.0")

    with pytest.raises(BadRequestError, match=r"box_pci_0002:01:00.0 is to go, but mine below it is not"):
        find(tree, tmp_path, "128arm-2pa2n8cluster4co")


def test_a_flat_host_becomes_cells(tree: ProviderTree, tmp_path: Path) -> None:
    flat = {"VCPU": {"total": 32, "allocation_ratio": 2.0}, "MEMORY_MB": {"total": 90000}, "DISK_GB": {"total": 5}}
    tree.update_inventory("box", flat)
    with pytest.raises(ReshapeNeeded, match="MEMORY_MB, VCPU of box move"):
        find(tree, tmp_path, ENGINES)
    assert len(list(tree)) == 1, "nothing is changed without the allocations"

    held = {"VCPU": 15, "MEMORY_MB": 40000, "DISK_GB": 1}
    allocations = {name: {"allocations": {HOST: {"resources": dict(held)}}} for name in ("a", "b")}
    find(tree, tmp_path, ENGINES, allocations)

    cells = {tree.data(name).uuid for name in ("box_numa0", "box_numa1")}
    used = set()
    for record in allocations.values():
        assert record["allocations"].pop(HOST)["resources"] == {"DISK_GB": 1}
        ((cell, entry),) = record["allocations"].items()
        assert entry["resources"] == {"VCPU": 15, "MEMORY_MB": 40000}
        used.add(cell)
    assert used == cells
    assert totals(tree, "box") == {"DISK_GB": 5}
    assert tree.data("box_numa1").inventory["VCPU"]["allocation_ratio"] == 2.0


def test_a_consumer_that_fits_no_cell(tree: ProviderTree, tmp_path: Path) -> None:
    tree.update_inventory("box", {"VCPU": {"total": 32}})
    with pytest.raises(ReshapeFailed, match="holds 17 VCPU"):
        find(tree, tmp_path, ENGINES, {"a": {"allocations": {HOST: {"resources": {"VCPU": 17}}}}})


def test_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "machine.xml").write_bytes(xml_of(ENGINES))
    command = tmp_path / "lstopo"
    command.write_text(f'#!/bin/sh\n[ "$*" = "--of xml" ] && exec /bin/cat {tmp_path}/machine.xml\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    devices = tmp_path / "devices"
    for path, text in {"0000:1a:00.0/sriov_totalvfs": "8", "0000:1a:00.0/sriov_numvfs": "4"}.items():
        (devices / path).parent.mkdir(parents=True, exist_ok=True)
        (devices / path).write_text(f"{text}\n")
    (devices / "0000:3e:00.0" / "physfn").mkdir(parents=True)
    (tmp_path / "cpuinfo").write_text("flags : avx2\n")

    found = {one.name: one for one in wanted(read_this_machine(devices, tmp_path / "cpuinfo"), "box")}

    assert found["box_numa1"].traits == {
        "HW_NUMA_ROOT",
        "HW_ARCH_X86_64",
        "HW_CPU_HYPERTHREADING",
        "HW_CPU_X86_AVX2",
    }
    card, other = found["box_pci_0000:1a:00.0"], found["box_pci_0000:60:00.0"]
    assert (card.inventories, card.traits) == (
        {"SRIOV_NET_VF": {"total": 4, "max_unit": 4}},
        {"CUSTOM_PCI_15B3_1013", "HW_NIC_SRIOV"},
    )
    assert (other.inventories, other.traits) == (
        {"PCI_DEVICE": {"total": 1, "max_unit": 1}},
        {"CUSTOM_PCI_8086_37D2"},
    )
    assert "box_pci_0000:3e:00.0" not in found, "a virtual function is counted at its device"
    assert len(found) == 3 + 11


def test_virtual_functions_by_their_names(tree: ProviderTree, tmp_path: Path) -> None:
    name = b'<info name="PCIDevice" value="Ethernet Virtual Function 700 Series"/>'
    device = b'<object type="PCIDev" pci_busid="0000:05:02.0" pci_type="0200 [8086:154c] [8086:0] 02">%b</object>'
    node = b'<object type="NUMANode" os_index="0" cpuset="0x0" nodeset="0x1"/>'
    machine = b'<object type="Machine" nodeset="0x1">%b%b</object>' % (node, device % name)
    (tmp_path / "box.xml").write_bytes(b'<topology version="2.0">%b</topology>' % machine)
    driver_named("hwloc", {"xml": str(tmp_path / "box.xml")}).update_provider_tree(tree, "box")

    function = tree.data("box_pci_0000:05:02.0")
    assert totals(tree, function.name) == {"SRIOV_NET_VF": 1}
    assert function.traits == {"CUSTOM_PCI_8086_154C", "HW_NIC_SRIOV"}


@pytest.mark.parametrize(
    ("script", "message"),
    [(None, "hwloc is not installed here"), ("echo no sysfs >&2; exit 3", "failed with exit status 3: no sysfs")],
)
def test_hwloc_that_is_missing_or_fails(
    script: str | None, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    if script is not None:
        (tmp_path / "lstopo").write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "lstopo").chmod(0o755)
    with pytest.raises(BadRequestError, match=message):
        read_this_machine()


def test_drivers_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "others-1.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1\n")
    (package / "entry_points.txt").write_text("[graphplace.drivers]\nbare = others:Bare\nhwloc = others:Bare\n")
    (tmp_path / "others.py").write_text("class Bare:\n    def __init__(self, metal='tin'):\n        self.metal = metal")
    monkeypatch.syspath_prepend(str(tmp_path))

    assert driver_names() == ["bare", "file", "hwloc"]
    assert vars(driver_named("bare", {"metal": "lead"})) == {"metal": "lead"}
    assert type(driver_named("hwloc", {})).__name__ == "HwlocDriver", "graphplace's own wins"


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("libvirt", {}, "There is no driver libvirt; there are file, hwloc."),
        ("hwloc", {"sysfs": "/"}, "The driver hwloc has no option sysfs; it has xml, dedicated_cpus."),
        ("file", {}, "The driver file needs the option path."),
        ("hwloc", {"dedicated_cpus": "1-x"}, "'1-x' is not a list of processors: '1-x' is neither"),
    ],
)
def test_drivers_that_cannot_be_made(name: str, options: dict[str, str], message: str) -> None:
    with pytest.raises(BadRequestError) as refused:
        driver_named(name, options)
    assert message in str(refused.value)


def test_a_file_that_cannot_be_read(tree: ProviderTree) -> None:
    with pytest.raises(BadRequestError, match=r"/nowhere.xml cannot be read: No such file"):
        driver_named("hwloc", {"xml": "/nowhere.xml"}).update_provider_tree(tree, "box")
