"""Real machines become trees, and a request for a device next to processors finds what their XML says."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from xml.etree.ElementTree import Element, fromstring

import pytest
from keystoneauth1.adapter import Adapter
from keystoneauth1.session import Session
from keystoneauth1.token_endpoint import Token
from machine_files import MACHINES, xml_of
from wire import Wire

from graphplace.compute.discovery import Discovered, discover
from graphplace.compute.drivers import driver_named
from graphplace.graph import schema
from graphplace.graph.database import Database

VCPUS, MEMORY_MB = 4, 8192
# What the first digits of a PCI class, or the vendor after it, make a device of the resource class.
KINDS = {"PCI_DEVICE": ("02", "0c06", "0b40"), "PGPU": ("0302", "0300 [10de")}
# How many pairs of a cell and a device there are, counted in the XML by hand.
PAIRS = {
    "PCI_DEVICE": {
        "192em64t-24n8c2t": 7,
        "24em64t-2n6c2t-pci": 3,
        "28intel64-2p2g7c-CoDgroups.v1tov2": 2,
        "32intel64-2p8co2t+8ve": 12,
        "64intel64-3g2n+2n-irregulargroups+pci": 2,
        "8em64t-2p2ca2co-nonodesets.v1tov2": 3,
        "96em64t-4n4d3ca2co-pci": 8,
    },
    "PGPU": {"24em64t-2n6c2t-pci": 3, "power8gpudistances": 4},
}


@pytest.fixture(scope="module")
def machines(connected: Database, endpoint: str) -> Wire:
    """A session with the API, over a graph that has all machines and nothing else."""
    schema.wipe(connected)
    return Wire(Adapter(Session(Token(endpoint, "admin")), service_type="placement", raise_exc=False))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the XML of each machine is."""
    made = tmp_path_factory.mktemp("machines")
    for machine in MACHINES:
        (made / f"{machine}.xml").write_bytes(xml_of(machine))
    return made


@pytest.fixture(scope="module")
def discovered(machines: Wire, folder: Path) -> dict[str, Discovered]:
    """What became of each machine."""
    return {machine: find(machines, folder, machine) for machine in MACHINES}


def find(wire: Wire, folder: Path, machine: str) -> Discovered:
    driver = driver_named("hwloc", {"xml": str(folder / f"{machine}.xml")})
    return discover(wire, driver, machine, dry_run=False)


def get(wire: Wire, path: str, **query: str) -> Any:
    headers = {"OpenStack-API-Version": "placement 1.39"}
    answer = wire.get(f"{path}?{urlencode(query)}", headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_every_machine_is_a_tree(machines: Wire, discovered: dict[str, Discovered]) -> None:
    assert len(discovered) >= 10
    everything = get(machines, "/resource_providers")["resource_providers"]
    names = {provider["uuid"]: provider["name"] for provider in everything}
    assert {names[provider["root_provider_uuid"]] for provider in everything} == set(MACHINES)
    for machine, found in discovered.items():
        assert found.written
        ours = {provider["name"] for provider in everything if names[provider["root_provider_uuid"]] == machine}
        assert ours == {provider.name for provider in found.providers}
        root = fromstring(xml_of(machine))  # noqa: S314  # of our own tests
        assert {f"{machine}_numa{number}" for number in cells(root)} == {one for one in ours if "_numa" in one}


@pytest.mark.parametrize("kind", KINDS)
def test_processors_memory_and_a_device_of_the_same_cell(
    machines: Wire, discovered: dict[str, Discovered], kind: str
) -> None:
    found = get(
        machines,
        "/allocation_candidates",
        resources_CELL=f"VCPU:{VCPUS},MEMORY_MB:{MEMORY_MB}",
        resources_DEVICE=f"{kind}:1",
        same_subtree="_CELL,_DEVICE",
        group_policy="none",
    )
    names = {provider.uuid: provider.name for one in discovered.values() for provider in one.providers}
    pairs = [
        tuple(names[uuid] for suffix in ("_CELL", "_DEVICE") for uuid in candidate["mappings"][suffix])
        for candidate in found["allocation_requests"]
    ]

    expected = {machine: set(pairs_of(machine, KINDS[kind])) for machine in MACHINES}
    assert {machine: len(some) for machine, some in expected.items() if some} == PAIRS[kind]
    assert sorted(pairs) == sorted(pair for some in expected.values() for pair in some)


def test_a_machine_that_has_not_changed_costs_no_write(
    machines: Wire, discovered: dict[str, Discovered], folder: Path
) -> None:
    machines.sent.clear()
    for machine in discovered:
        again = find(machines, folder, machine)
        assert (again.changed, again.written) == (False, False)
    assert machines.writes == []


def pairs_of(machine: str, kinds: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield each cell that is big enough with each device below it, as the places of objects in the XML tell."""
    root = fromstring(xml_of(machine))  # noqa: S314  # of our own tests
    above = {inner: outer for outer in root.iter() for inner in outer}
    sizes = cells(root)
    for device in root.iter("object"):
        if device.get("type") != "PCIDev" or not device.attrib["pci_type"].startswith(kinds):
            continue
        place = above[device]
        while not (near := [number for number in nodes_in(place) if number in sizes and sizes[number][0]]):
            if place.get("type") == "Machine" or nodes_in(place):
                break
            place = above[place]
        if len(near) == 1 and sizes[near[0]] >= (VCPUS, 0) and sizes[near[0]][1] >= MEMORY_MB:
            yield f"{machine}_numa{near[0]}", f"{machine}_pci_{device.attrib['pci_busid']}"


def nodes_in(place: Element) -> list[int]:
    return [int(one.attrib["os_index"]) for one in place.iter("object") if one.get("type") == "NUMANode"]


def cells(root: Element) -> dict[int, tuple[int, int]]:
    """Return by number of the NUMA node how many processors stand beside it, and its MiB in pages of the usual size."""
    top = root.find("object")
    assert top is not None
    cpus, nodes = (bits(top.attrib[name]) for name in ("allowed_cpuset", "allowed_nodeset"))
    found = {}
    for place in root.iter("object"):
        for node in place.findall("object[@type='NUMANode']"):
            number = int(node.attrib["os_index"])
            beside = {int(one.attrib["os_index"]) for one in place.iter("object") if one.get("type") == "PU"}
            pages = [(int(one.attrib["size"]), int(one.attrib["count"])) for one in node.findall("page_type")]
            size, count = min(pages, default=(int(node.attrib["local_memory"]), 1))
            if number in nodes:
                found[number] = (len(beside & cpus), size * count >> 20)
    return found


def bits(text: str) -> set[int]:
    whole = bin(int("".join(word.removeprefix("0x").zfill(8) for word in text.split(",")), 16))
    return {place for place, bit in enumerate(reversed(whole)) if bit == "1"}
