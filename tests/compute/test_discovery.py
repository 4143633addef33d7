"""What is discovered at a host is written to a real API: what is different, all of it or nothing."""

from pathlib import Path
from typing import Any

import pytest
from claims import held_by, load, put
from cloud import uuid_of
from flask.testing import FlaskClient
from machine_files import xml_of
from wire import Wire

from graphplace.compute.difference import Change, ConsumerChange, Exchange, Pair
from graphplace.compute.discovery import Discovered, discover
from graphplace.compute.drivers import driver_named
from graphplace.compute.errors import ReshapeFailed, ResourceProviderUpdateConflict
from graphplace.errors import BadRequestError

MACHINE = "power8gpudistances"
CELL0, CELL1 = "box_numa0", "box_numa1"
GPU0, GPU1 = "box_pci_0002:01:00.0", "box_pci_000b:01:00.0"


@pytest.fixture
def xml(tmp_path: Path) -> Path:
    """The file that the driver reads: two cells with two GPUs each."""
    path = tmp_path / "box.xml"
    path.write_bytes(xml_of(MACHINE))
    return path


def find(wire: Wire, xml: Path, *, dry_run: bool = False, uuid: str | None = None) -> Discovered:
    wire.sent.clear()
    return discover(wire, driver_named("hwloc", {"xml": str(xml)}), "box", dry_run=dry_run, uuid=uuid)


def change(xml: Path, old: str, new: str) -> None:
    """Let the machine be another one."""
    text = xml.read_text()
    assert old in text
    xml.write_text(text.replace(old, new))


def lose_gpu(xml: Path) -> None:
    change(xml, 'pci_busid="000b:01:00.0" pci_type="0302', 'pci_busid="000b:01:00.0" pci_type="0604')


def changed(found: Discovered) -> dict[str, Change]:
    return {provider.name: provider.change for provider in found.providers if provider.change is not Change.SAME}


def uuids(found: Discovered) -> dict[str, str]:
    return {provider.name: provider.uuid for provider in found.providers}


def claim(client: FlaskClient, consumer: str, held: dict[str, dict[str, int]]) -> None:
    """Let a consumer hold something of providers by uuid."""
    body = {"allocations": {uuid: {"resources": one} for uuid, one in held.items()}, "consumer_generation": None}
    owner = {"project_id": "p", "user_id": "u", "consumer_type": "INSTANCE"}
    assert client.put(f"/allocations/{uuid_of(consumer)}", json=body | owner).status_code == 204


def test_a_new_host(client: FlaskClient, wire: Wire, xml: Path) -> None:
    before = find(wire, xml, dry_run=True)
    assert wire.writes == []
    found = find(wire, xml, uuid=uuid_of("box"))

    assert set(changed(before).values()) == set(changed(found).values()) == {Change.ADDED}
    assert changed(before).keys() == changed(found).keys()
    assert [(one.name, one.depth) for one in found.providers][:4] == [
        ("box", 0),
        (CELL0, 1),
        (GPU0, 2),
        ("box_pci_0003:01:00.0", 2),
    ]
    assert (before.written, found.written) == (False, True)
    listed: Any = client.get(f"/resource_providers?in_tree={uuid_of('box')}").json["resource_providers"]
    assert {provider["uuid"]: provider["name"] for provider in listed} == {
        one.uuid: one.name for one in found.providers
    }
    assert len(listed) == 7


def test_only_what_changed_is_written(wire: Wire, xml: Path, client: FlaskClient) -> None:
    first = uuids(find(wire, xml))
    assert not find(wire, xml).changed
    assert wire.writes == []

    change(xml, 'local_memory="68556816384"', 'local_memory="137113632768"')
    found = find(wire, xml)
    assert changed(found) == {CELL0: Change.CHANGED}
    (memory,) = [one.inventories for one in found.providers if one.name == CELL0]
    assert memory.keys() == {"MEMORY_MB"}
    assert (memory["MEMORY_MB"].before["total"], memory["MEMORY_MB"].after["total"]) == (65380, 130761)
    assert wire.writes == [f"PUT /resource_providers/{first[CELL0]}/inventories"]

    lose_gpu(xml)
    assert changed(find(wire, xml)) == {GPU1: Change.REMOVED}
    assert wire.writes == [f"DELETE /resource_providers/{first[GPU1]}"]

    change(xml, 'pci_busid="000b:01:00.0" pci_type="0604', 'pci_busid="000b:01:00.0" pci_type="0200')
    found = find(wire, xml)
    assert changed(found) == {GPU1: Change.ADDED}, "a network card is there instead"
    card = uuids(found)[GPU1]
    assert wire.writes == [
        "POST /resource_providers",
        "PUT /traits/CUSTOM_PCI_10DE_15F9",
        f"PUT /resource_providers/{card}/traits",
        f"PUT /resource_providers/{card}/inventories",
    ]
    assert client.get(f"/resource_providers/{card}/inventories").json["inventories"].keys() == {"PCI_DEVICE"}


def test_a_device_that_moved_to_another_cell(wire: Wire, xml: Path) -> None:
    names = uuids(find(wire, xml))
    change(xml, 'pci_busid="000b:01:00.0"', 'pci_busid="0002:01:00.0_"')
    change(xml, 'pci_busid="0002:01:00.0"', 'pci_busid="000b:01:00.0"')
    change(xml, 'pci_busid="0002:01:00.0_"', 'pci_busid="0002:01:00.0"')
    found = find(wire, xml)

    assert changed(found) == {GPU0: Change.CHANGED, GPU1: Change.CHANGED}
    assert {one.name: one.parent for one in found.providers if one.parent} == {
        GPU0: Pair(CELL0, CELL1),
        GPU1: Pair(CELL1, CELL0),
    }
    assert sorted(wire.writes) == sorted(f"PUT /resource_providers/{names[name]}" for name in (GPU0, GPU1))


def test_a_device_that_is_gone_and_held(client: FlaskClient, wire: Wire, xml: Path) -> None:
    gpu = uuids(find(wire, xml))[GPU1]
    claim(client, "c1", {gpu: {"PGPU": 1}})
    lose_gpu(xml)
    change(xml, 'local_memory="68556816384"', 'local_memory="137113632768"')

    for dry_run in (True, False):
        found = find(wire, xml, dry_run=dry_run)
        assert found.conflicts == [f"Consumer {uuid_of('c1')} holds 1 PGPU of {GPU1}, which is no longer there."]
        assert changed(found) == {CELL0: Change.CHANGED, GPU1: Change.REMOVED}
        assert (found.written, wire.writes) == (False, []), "nothing is half written"
    client.delete(f"/allocations/{uuid_of('c1')}")
    assert find(wire, xml).written


def test_a_flat_host_becomes_cells_with_its_consumers(client: FlaskClient, wire: Wire, xml: Path) -> None:
    load(client, "box  VCPU:16  MEMORY_MB:120000  DISK_GB:9  PGPU:4")
    held = {"VCPU": 5, "MEMORY_MB": 1000, "DISK_GB": 2}
    for name in ("c1", "c2"):
        assert put(client, name, {"box": held}).status_code == 204
    assert put(client, "c3", {"box": {"PGPU": 1}}).status_code == 204

    found = find(wire, xml)

    names = uuids(found)
    assert found.written
    assert [line for line in wire.writes if "reshaper" in line or "allocations" in line] == ["POST /reshaper"]
    cells = {frozenset(held_by(client, name)) - {names["box"]} for name in ("c1", "c2")}
    assert cells == {frozenset([names[CELL0]]), frozenset([names[CELL1]])}
    assert held_by(client, "c1")[names["box"]] == {"DISK_GB": 2}
    ((gpu, amounts),) = held_by(client, "c3").items()
    assert (amounts, gpu in [names[GPU0], names["box_pci_0003:01:00.0"]]) == ({"PGPU": 1}, True)
    assert ConsumerChange(uuid_of("c3"), {names["box"]: {"PGPU": 1}}, {gpu: {"PGPU": 1}}) in found.consumers
    assert len(found.consumers) == 3
    assert not find(wire, xml).changed


def test_a_consumer_that_fits_no_cell(client: FlaskClient, wire: Wire, xml: Path) -> None:
    load(client, "box  VCPU:16")
    assert put(client, "c1", {"box": {"VCPU": 9}}).status_code == 204
    with pytest.raises(ReshapeFailed, match="holds 9 VCPU, which fits no single one"):
        find(wire, xml)
    assert wire.writes == []


def test_what_others_gave_the_host_stays(client: FlaskClient, wire: Wire, xml: Path) -> None:
    names = uuids(find(wire, xml))
    load(client, "port  NET_BW_EGR_KILOBIT_PER_SEC:9")
    moved = {"name": "port", "parent_provider_uuid": names[CELL0]}
    assert client.put(f"/resource_providers/{uuid_of('port')}", json=moved).status_code == 200
    body = {"traits": ["CUSTOM_RACK_1", "HW_NUMA_ROOT"], "resource_provider_generation": None}
    body["resource_provider_generation"] = client.get(f"/resource_providers/{names[CELL0]}").json["generation"]
    client.put("/traits/CUSTOM_RACK_1")
    assert client.put(f"/resource_providers/{names[CELL0]}/traits", json=body).status_code == 200

    found = find(wire, xml)
    assert {one.name: one.traits for one in found.providers if one.change is not Change.SAME} == {
        CELL0: Exchange(("HW_ARCH_PPC64LE", "HW_CPU_HYPERTHREADING"))
    }
    assert "port" in uuids(found)


def test_somebody_else_writes_in_between(client: FlaskClient, wire: Wire, xml: Path) -> None:
    cell = uuids(find(wire, xml))[CELL0]
    change(xml, 'local_memory="68556816384"', 'local_memory="137113632768"')
    consumers = iter(["c1", "c2", "c3", "c4"])
    wire.before(f"PUT .*{cell}", lambda: claim(client, next(consumers), {cell: {"VCPU": 1}}), times=1)

    assert find(wire, xml).written
    assert wire.writes == [f"PUT /resource_providers/{cell}/inventories"] * 2

    change(xml, 'local_memory="137113632768"', 'local_memory="68556816384"')
    wire.before(f"PUT .*{cell}", lambda: claim(client, uuid_of(str(len(wire.sent))), {cell: {"VCPU": 1}}), times=4)
    with pytest.raises(ResourceProviderUpdateConflict, match="Inventory of provider box_numa0 is not as it should be"):
        find(wire, xml)


def test_a_host_that_is_none(client: FlaskClient, wire: Wire, xml: Path) -> None:
    load(client, "rack  VCPU:1\n  box  VCPU:1")
    with pytest.raises(BadRequestError, match="The provider box is no node: it is below"):
        find(wire, xml)
    assert wire.writes == []


def test_a_uuid_that_another_provider_has(client: FlaskClient, wire: Wire, xml: Path) -> None:
    load(client, "rack  VCPU:1")
    with pytest.raises(BadRequestError, match=f"The host box cannot get the uuid {uuid_of('rack')}: rack has it."):
        find(wire, xml, uuid=uuid_of("rack"))
    assert wire.writes == []
