"""The tracker: the specification's sequence with a real API, and what else can happen at each step of it."""

import logging
from typing import Any

import pytest
from claims import consumer, generation, held_by, load, put, used
from cloud import uuid_of
from compute.gpus import AGGREGATE, VCPU, VGPU, Gpus, gpu_of
from flask.testing import FlaskClient
from together import together
from wire import CrashError, Wire, crash

from graphplace.compute.driver import Driver
from graphplace.compute.errors import (
    ReshapeFailed,
    ReshapeNeeded,
    ResourceProviderUpdateConflict,
    ResourceProviderUpdateFailed,
)
from graphplace.compute.provider_tree import ProviderTree
from graphplace.compute.reading import Allocations
from graphplace.compute.report_client import ReportClient
from graphplace.compute.reshapes import move_inventory
from graphplace.compute.resource_tracker import ResourceTracker
from graphplace.errors import Code

CN, GPU, POOL = uuid_of("cn"), gpu_of("cn"), uuid_of("pool")
C1, C2, C3 = map(uuid_of, ("c1", "c2", "c3"))
FLAT = "cn  VCPU:8  VGPU:4  @rack\npool  DISK_GB:100  MISC_SHARES_VIA_AGGREGATE  @rack"
WRITES = [
    "POST /resource_providers",
    f"PUT /resource_providers/{GPU}/traits",
    f"PUT /resource_providers/{GPU}/aggregates",
    "POST /reshaper",
]


@pytest.fixture
def flat(client: FlaskClient) -> FlaskClient:
    """A node whose VGPUs two consumers hold, one of them with a disk of a pool; a third holds a VCPU."""
    load(client, FLAT)
    for name, held in (
        ("c1", {"cn": {"VCPU": 1, "VGPU": 1}, "pool": {"DISK_GB": 5}}),
        ("c2", {"cn": {"VGPU": 2}}),
        ("c3", {"cn": {"VCPU": 1}}),
    ):
        assert put(client, name, held).status_code == 204
    return client


def tracker(wire: Wire, driver: Driver | None = None, *others: str) -> ResourceTracker:
    """The tracker of a compute service that starts."""
    return ResourceTracker(driver or Gpus(), ReportClient(wire), {one: uuid_of(one) for one in ("cn", *others)})


def reshaped(client: FlaskClient) -> bool:
    """Tell whether all of the node and its consumers is as the driver wants it; False if all is as it was."""
    parts = {
        tuple(client.get(f"/resource_providers/{CN}/inventories").json["inventories"]) == ("VCPU",),
        client.get(f"/resource_providers/{GPU}/inventories").json.get("inventories", {}).keys() == {"VGPU"},
        held_by(client, "c1") == {CN: {"VCPU": 1}, GPU: {"VGPU": 1}, POOL: {"DISK_GB": 5}},
        held_by(client, "c2") == {GPU: {"VGPU": 2}},
    }
    assert held_by(client, "c3") == {CN: {"VCPU": 1}}
    assert len(parts) == 1, "a part of the reshape is there"
    return parts.pop()


def finished(client: FlaskClient) -> bool:
    """Tell whether the node is reshaped, with its GPU's traits and aggregates."""
    traits = client.get(f"/resource_providers/{GPU}/traits").json["traits"]
    aggregates = client.get(f"/resource_providers/{GPU}/aggregates").json["aggregates"]
    return (reshaped(client), traits, aggregates) == (True, ["HW_GPU_API_VULKAN"], [AGGREGATE])


def test_the_sequence_of_the_specification(flat: FlaskClient, wire: Wire) -> None:
    driver = Gpus()
    tracker(wire, driver).update_available_resource(startup=True)

    assert driver.asked == ["cn", "cn"]
    reads = [
        f"/resource_providers/{one}/{what}" for one in (CN, POOL) for what in ("inventories", "traits", "aggregates")
    ]
    rack = uuid_of("rack")
    assert wire.sent == [
        f"GET /resource_providers?in_tree={CN}",
        *(f"GET {path}" for path in reads[:3]),
        f"GET /resource_providers?member_of=in%3A{rack}&required=MISC_SHARES_VIA_AGGREGATE",
        *(f"GET {path}" for path in reads[3:]),
        f"GET /resource_providers/{CN}/allocations",
        *(f"GET /allocations/{one}" for one in sorted((C1, C2, C3))),
        *WRITES,
    ]
    assert finished(flat)


def test_a_node_that_needs_no_reshape(client: FlaskClient, wire: Wire) -> None:
    driver = Gpus()
    service = tracker(wire, driver)
    service.update_available_resource(startup=True)

    assert driver.asked == ["cn"]
    assert wire.writes == [
        "POST /resource_providers",
        "POST /resource_providers",
        f"PUT /resource_providers/{GPU}/traits",
        f"PUT /resource_providers/{GPU}/aggregates",
        f"PUT /resource_providers/{CN}/inventories",
        f"PUT /resource_providers/{GPU}/inventories",
    ]
    assert client.get(f"/resource_providers/{GPU}").json["root_provider_uuid"] == CN

    wire.sent.clear()
    service.update_available_resource()
    service.update_available_resource()
    assert wire.writes == []
    assert len([line for line in wire.sent if "in_tree" in line]) == 1, "it reads after it has written"


def test_a_reshape_is_done_once(flat: FlaskClient, wire: Wire) -> None:
    tracker(wire).update_available_resource(startup=True)
    before = consumer(flat, "c1"), generation(flat, "cn")
    wire.sent.clear()

    tracker(wire).update_available_resource(startup=True)

    assert wire.writes == []
    assert (consumer(flat, "c1"), generation(flat, "cn")) == before


def test_a_service_that_runs_does_not_reshape(flat: FlaskClient, wire: Wire, caplog: pytest.LogCaptureFixture) -> None:
    tracker(wire, None, "cn2").update_available_resource()

    assert not reshaped(flat)
    (record,) = [one for one in caplog.records if one.levelno == logging.ERROR]
    assert "node cn have to be reshaped" in record.message
    assert "restart it" in record.message
    assert used(flat, "cn2 gpu") == {"VGPU": 0}, "the other node is up to date"


def test_all_nodes_of_a_host(flat: FlaskClient, wire: Wire) -> None:
    driver = Gpus()
    tracker(wire, driver, "cn2", "cn3").update_available_resource(startup=True)

    assert driver.asked == ["cn", "cn", "cn2", "cn3"]
    assert finished(flat)
    assert used(flat, "cn3 gpu") == {"VGPU": 0}


def bump(client: FlaskClient, *providers: str) -> None:
    """Write to providers what they have, so that their generations are other ones."""
    for uuid in providers:
        path = f"/resource_providers/{uuid}"
        body = client.get(f"{path}/aggregates").json
        if "aggregates" in body:
            assert client.put(f"{path}/aggregates", json=body).status_code == 200


@pytest.mark.parametrize("write", range(len(WRITES)))
def test_somebody_is_quicker_at_any_write(flat: FlaskClient, wire: Wire, write: int) -> None:
    wire.before("^(POST|PUT)", lambda: bump(flat, CN, GPU), skip=write)

    tracker(wire).update_available_resource(startup=True)

    assert finished(flat)
    assert len([line for line in wire.sent if "in_tree" in line]) == 2, "everything is decided anew"


@pytest.mark.parametrize("write", range(len(WRITES)))
def test_a_claim_during_a_reshape_moves_along(flat: FlaskClient, wire: Wire, write: int) -> None:
    wire.before("^(POST|PUT)", lambda: put(flat, "c4", {"cn": {"VCPU": 1, "VGPU": 1}}), skip=write)

    tracker(wire).update_available_resource(startup=True)

    assert finished(flat)
    assert held_by(flat, "c4") == {CN: {"VCPU": 1}, GPU: {"VGPU": 1}}


def test_a_release_during_a_reshape(flat: FlaskClient, wire: Wire) -> None:
    wire.before("POST /reshaper", lambda: flat.delete(f"/allocations/{C2}"))

    tracker(wire).update_available_resource(startup=True)

    assert held_by(flat, "c2") == {}
    assert used(flat, "cn gpu") == {"VGPU": 1}


def test_a_release_while_allocations_are_read(flat: FlaskClient, wire: Wire) -> None:
    wire.before(f"GET /allocations/{C2}", lambda: flat.delete(f"/allocations/{C2}"))

    tracker(wire).update_available_resource(startup=True)

    assert wire.sent.count("POST /reshaper") == 1
    assert used(flat, "cn gpu") == {"VGPU": 1}


@pytest.mark.parametrize("write", range(len(WRITES)))
def test_a_service_that_crashes_before_any_write_starts_again(flat: FlaskClient, wire: Wire, write: int) -> None:
    wire.before("^(POST|PUT)", crash, skip=write)
    with pytest.raises(CrashError):
        tracker(wire).update_available_resource(startup=True)
    assert not reshaped(flat)

    tracker(wire).update_available_resource(startup=True)

    assert finished(flat)


def test_a_service_that_crashes_after_the_reshape_starts_again(flat: FlaskClient, wire: Wire) -> None:
    tracker(wire).update_available_resource(startup=True)
    wire.before("GET", crash)
    with pytest.raises(CrashError):
        tracker(wire).update_available_resource(startup=True)

    tracker(wire).update_available_resource(startup=True)

    assert finished(flat)
    assert wire.sent.count("POST /reshaper") == 1


@pytest.mark.parametrize("startup", [True, False])
def test_somebody_is_always_quicker(
    client: FlaskClient, wire: Wire, caplog: pytest.LogCaptureFixture, *, startup: bool
) -> None:
    load(client, "cn")
    wire.before(f"PUT .*{CN}/inventories", lambda: bump(client, CN), times=4)
    service = tracker(wire)

    if startup:
        with pytest.raises(ResourceProviderUpdateConflict):
            service.update_available_resource(startup=True)
    else:
        service.update_available_resource()
        assert "Others wrote to its providers 4 times in between. The next update tries again." in caplog.text
    assert wire.sent.count(f"PUT /resource_providers/{CN}/inventories") == 4

    service.update_available_resource()
    assert client.get(f"/resource_providers/{CN}/inventories").json["inventories"].keys() == {"VCPU"}


class Fewer:
    """Takes away what consumers hold."""

    def update_provider_tree(
        self, provider_tree: ProviderTree, nodename: str, allocations: Allocations | None = None
    ) -> None:
        assert allocations is None
        provider_tree.update_inventory(nodename, VGPU if nodename == "cn" else VCPU)


def test_a_failed_update_is_fatal_at_startup(flat: FlaskClient, wire: Wire) -> None:
    with pytest.raises(ResourceProviderUpdateFailed, match="Inventory of provider cn is not as it should be") as raised:
        tracker(wire, Fewer(), "cn2").update_available_resource(startup=True)

    assert raised.value.code is Code.INVENTORY_IN_USE
    assert not reshaped(flat)


def test_a_failed_update_is_logged_when_the_service_runs(
    flat: FlaskClient, wire: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    tracker(wire, Fewer(), "cn2").update_available_resource()

    (record,) = [one for one in caplog.records if one.levelno == logging.ERROR]
    assert "Node cn is not up to date" in record.message
    assert "move or delete them" in record.message
    assert "VCPU" in caplog.text
    assert used(flat, "cn2") == {"VCPU": 0}


def unreachable() -> None:
    raise ConnectionError("connection refused")


@pytest.mark.parametrize("request_line", [f"GET .*{CN}/allocations", f"GET /allocations/{C1}", "POST /reshaper"])
def test_no_answer_to_a_reshape_is_fatal_at_startup(flat: FlaskClient, wire: Wire, request_line: str) -> None:
    wire.before(request_line, unreachable)

    with pytest.raises(ResourceProviderUpdateFailed, match="connection refused"):
        tracker(wire).update_available_resource(startup=True)
    assert not reshaped(flat)


@pytest.mark.parametrize("startup", [True, False])
def test_a_tree_that_cannot_be_read_is_logged(wire: Wire, caplog: pytest.LogCaptureFixture, *, startup: bool) -> None:
    wire.before("GET", unreachable)

    tracker(wire).update_available_resource(startup=startup)

    assert "Node cn is not up to date in Placement; the next update tries again." in caplog.text
    assert "connection refused" in caplog.text
    assert wire.writes == []


class Forgetful(Gpus):
    """Does not move what consumers hold, or asks for it again and again."""

    def __init__(self, *, asks: bool) -> None:
        super().__init__()
        self._asks = asks

    def update_provider_tree(
        self, provider_tree: ProviderTree, nodename: str, allocations: Allocations | None = None
    ) -> None:
        given: Any = None if self._asks or allocations is None else {}
        super().update_provider_tree(provider_tree, nodename, given)


@pytest.mark.parametrize(
    ("asks", "words"), [(True, "The driver was given what consumers hold of node cn"), (False, "cannot be moved")]
)
def test_a_reshape_that_fails_is_fatal(flat: FlaskClient, wire: Wire, words: str, *, asks: bool) -> None:
    with pytest.raises(ReshapeFailed, match=words):
        tracker(wire, Forgetful(asks=asks)).update_available_resource(startup=True)
    assert wire.sent.count("POST /reshaper") == (0 if asks else 1), "another try would not help"


def test_a_reshape_of_what_nobody_holds(client: FlaskClient, wire: Wire) -> None:
    load(client, FLAT)

    tracker(wire).update_available_resource(startup=True)

    assert wire.writes == WRITES
    assert used(client, "cn gpu") == {"VGPU": 0}


def test_a_provider_vanishes_while_allocations_are_read(flat: FlaskClient, wire: Wire) -> None:
    body = {"name": "old", "uuid": uuid_of("old"), "parent_provider_uuid": CN}
    assert flat.post("/resource_providers", json=body).status_code == 200
    path = f"/resource_providers/{uuid_of('old')}"
    wire.before(f"GET {path}/allocations", lambda: flat.delete(path))

    tracker(wire).update_available_resource(startup=True)

    assert finished(flat)
    assert len([line for line in wire.sent if "in_tree" in line]) == 2, "everything is decided anew"


def test_threads_share_a_client(client: FlaskClient, wire: Wire) -> None:
    """Hosts whose consumers hold something of one pool are reshaped at the same time."""
    names = [f"cn{number}" for number in range(4)]
    load(client, "\n".join([*(f"{one}  VCPU:8  VGPU:4  @rack" for one in names), FLAT.splitlines()[1]]))
    for one in names:
        assert put(client, f"c {one}", {one: {"VGPU": 1}, "pool": {"DISK_GB": 5}}).status_code == 204
    shared = ReportClient(wire)
    trackers = [ResourceTracker(Gpus(), shared, {one: uuid_of(one)}) for one in names]

    together([lambda one=one: one.update_available_resource(startup=True) for one in trackers])

    for one in names:
        assert held_by(client, f"c {one}") == {gpu_of(one): {"VGPU": 1}, POOL: {"DISK_GB": 5}}


class NoGpus:
    """Moves VGPUs from the GPU back to the node, and has no GPU then."""

    def update_provider_tree(
        self, provider_tree: ProviderTree, nodename: str, allocations: Allocations | None = None
    ) -> None:
        if not provider_tree.exists(GPU):
            return
        if provider_tree.data(GPU).inventory:
            if allocations is None:
                raise ReshapeNeeded(nodename)
            move_inventory(provider_tree, allocations, [GPU], [{nodename: VGPU}])
        provider_tree.remove(GPU)


def test_a_crash_between_the_reshape_and_the_deletion(flat: FlaskClient, wire: Wire) -> None:
    tracker(wire).update_available_resource(startup=True)
    wire.before("DELETE", crash)
    with pytest.raises(CrashError):
        tracker(wire, NoGpus()).update_available_resource(startup=True)
    assert held_by(flat, "c2") == {CN: {"VGPU": 2}}
    assert flat.get(f"/resource_providers/{GPU}").status_code == 200

    tracker(wire, NoGpus()).update_available_resource(startup=True)

    assert flat.get(f"/resource_providers/{GPU}").status_code == 404
    assert wire.sent.count("POST /reshaper") == 2
    assert not reshaped(flat)
