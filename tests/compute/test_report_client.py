"""The compute side's client: what it reads, and what it writes of a changed tree."""

from dataclasses import replace
from typing import Any

import pytest
from claims import consumer, generation, held_by, load, put, used
from cloud import uuid_of
from flask.testing import FlaskClient
from wire import Wire

from graphplace.compute.errors import (
    PlacementError,
    ReshapeFailed,
    ResourceProviderUpdateConflict,
    ResourceProviderUpdateFailed,
)
from graphplace.compute.placement import Placement
from graphplace.compute.provider_tree import ProviderData, ProviderTree
from graphplace.compute.reading import read_tree
from graphplace.compute.report_client import ReportClient
from graphplace.errors import Code

CN, NUMA, GPU, POOL, RACK = map(uuid_of, ("cn", "numa", "gpu", "pool", "rack"))
CLOUD = """
cn  VCPU:8(allocation_ratio=2.0)  MEMORY_MB:1024  HW_CPU_X86_AVX  @rack
  numa  VGPU:4
    gpu
pool  DISK_GB:100  MISC_SHARES_VIA_AGGREGATE  @rack
other  VCPU:8
"""


@pytest.fixture
def tree(client: FlaskClient, compute: ReportClient, wire: Wire) -> ProviderTree:
    """The cloud's host, as *compute* has read it."""
    load(client, CLOUD)
    tree = compute.get_provider_tree_and_ensure_root(None, CN)
    wire.sent.clear()
    return tree


def shape(tree: ProviderTree) -> dict[str, ProviderData]:
    """The providers of *tree* by uuid, but for their generations."""
    return {one.uuid: replace(one, generation=None) for one in tree}


def stored(wire: Wire) -> dict[str, ProviderData]:
    """What Placement has of the host, but for generations."""
    return shape(read_tree(Placement(wire), CN))


def put_inventory(client: FlaskClient, provider: str, **totals: int) -> None:
    """What another program writes."""
    body = {
        "inventories": {name: {"total": total} for name, total in totals.items()},
        "resource_provider_generation": generation(client, provider),
    }
    assert client.put(f"/resource_providers/{uuid_of(provider)}/inventories", json=body).status_code == 200


def test_a_tree_is_read_with_what_shares_with_it(tree: ProviderTree, client: FlaskClient) -> None:
    parents = {provider.name: provider.parent_uuid for provider in tree}
    assert list(parents.items()) == [("cn", None), ("numa", CN), ("gpu", NUMA), ("pool", None)]
    inventory = {"VCPU": {"total": 8, "allocation_ratio": 2}, "MEMORY_MB": {"total": 1024}}
    assert not tree.has_inventory_changed("cn", inventory)
    assert tree.data("cn").traits == {"HW_CPU_X86_AVX"}
    assert tree.data("cn").aggregates == tree.data("pool").aggregates == {RACK}
    assert {one.name: one.generation for one in tree} == {one.name: generation(client, one.name) for one in tree}


def test_a_root_that_is_not_there_is_made(compute: ReportClient, wire: Wire, client: FlaskClient) -> None:
    tree = compute.get_provider_tree_and_ensure_root(None, CN, name="cn")

    assert [(one.uuid, one.name, one.generation) for one in tree] == [(CN, "cn", 0)]
    assert wire.writes == ["POST /resource_providers"]
    assert client.get(f"/resource_providers/{CN}").json["name"] == "cn"


def test_a_root_that_somebody_else_makes_is_taken(compute: ReportClient, wire: Wire, client: FlaskClient) -> None:
    wire.before("POST /resource_providers", lambda: load(client, CLOUD))

    assert compute.get_provider_tree_and_ensure_root(None, CN, name="cn").exists("gpu")


def test_a_root_whose_name_is_taken_is_an_error(compute: ReportClient, client: FlaskClient) -> None:
    load(client, CLOUD)

    with pytest.raises(PlacementError, match="other") as raised:
        compute.get_provider_tree_and_ensure_root(None, uuid_of("new"), name="other")
    assert (raised.value.status, raised.value.code) == (409, Code.DUPLICATE_NAME)


def test_a_tree_is_read_once_and_again_when_it_is_old(wire: Wire, client: FlaskClient) -> None:
    load(client, CLOUD)
    for seconds, reads in ((300, 1), (0, 2)):
        wire.sent.clear()
        compute = ReportClient(wire, refresh_seconds=seconds)
        first = compute.get_provider_tree_and_ensure_root(None, CN)
        first.remove("numa")
        assert compute.get_provider_tree_and_ensure_root(None, CN).exists("numa"), "each caller has a tree of its own"
        assert len([line for line in wire.sent if "in_tree" in line]) == reads


def test_a_tree_that_is_as_it_was_is_not_written(compute: ReportClient, tree: ProviderTree, wire: Wire) -> None:
    compute.update_from_provider_tree(None, tree)

    assert wire.sent == []


def test_what_changed_is_written_and_nothing_else(compute: ReportClient, tree: ProviderTree, wire: Wire) -> None:
    tree.new_child("nic", "numa", uuid=uuid_of("nic"))
    tree.update_inventory("nic", {"CUSTOM_QUEUE": {"total": 2}, "SRIOV_NET_VF": {"total": 8}})
    tree.update_traits("nic", ["HW_NIC_SRIOV", "CUSTOM_PHYSNET"])
    tree.update_inventory("cn", {"VCPU": {"total": 9}})
    tree.update_aggregates("numa", [RACK])
    tree.update_inventory("pool", {"DISK_GB": {"total": 200}})

    compute.update_from_provider_tree(None, tree)

    nic = f"/resource_providers/{uuid_of('nic')}"
    assert wire.sent == [
        "POST /resource_providers",
        f"PUT /resource_providers/{NUMA}/aggregates",
        "PUT /traits/CUSTOM_PHYSNET",
        f"PUT {nic}/traits",
        f"PUT /resource_providers/{CN}/inventories",
        "PUT /resource_classes/CUSTOM_QUEUE",
        f"PUT {nic}/inventories",
        f"PUT /resource_providers/{POOL}/inventories",
    ]
    assert stored(wire) == shape(tree)
    assert shape(compute.get_provider_tree_and_ensure_root(None, CN)) == shape(tree), "it has noticed itself"


def test_all_of_a_provider_can_be_taken_away(compute: ReportClient, tree: ProviderTree, wire: Wire) -> None:
    tree.update_inventory("cn", {})
    tree.update_traits("cn", [])
    tree.update_aggregates("cn", [])

    compute.update_from_provider_tree(None, tree)

    tree.remove("pool")
    assert stored(wire) == shape(tree)


def test_providers_change_places(compute: ReportClient, tree: ProviderTree, wire: Wire) -> None:
    """Each is moved when its new parent is in its place, so that no step closes a ring."""
    tree.move("gpu", "cn")
    tree.move("numa", "gpu")

    compute.update_from_provider_tree(None, tree)

    assert wire.writes == [f"PUT /resource_providers/{GPU}", f"PUT /resource_providers/{NUMA}"]
    assert stored(wire) == shape(tree)


def test_providers_are_deleted_from_the_leaves_up(compute: ReportClient, tree: ProviderTree, wire: Wire) -> None:
    tree.remove("numa")

    compute.update_from_provider_tree(None, tree)

    assert wire.sent == [f"DELETE /resource_providers/{GPU}", f"DELETE /resource_providers/{NUMA}"]
    assert stored(wire) == shape(tree)


def test_a_name_is_given_to_another_provider(compute: ReportClient, tree: ProviderTree, wire: Wire) -> None:
    tree.remove("gpu")
    tree.new_child("gpu", "cn")

    compute.update_from_provider_tree(None, tree)

    assert stored(wire) == shape(tree)


def test_a_provider_gets_another_name(compute: ReportClient, tree: ProviderTree, wire: Wire) -> None:
    tree.remove("gpu")
    tree.new_child("gpu1", "numa", uuid=GPU)
    tree.update_inventory("gpu1", {"VGPU": {"total": 1}})

    compute.update_from_provider_tree(None, tree)

    assert wire.writes == [f"PUT /resource_providers/{GPU}", f"PUT /resource_providers/{GPU}/inventories"]
    assert stored(wire) == shape(tree)


def test_what_moves_out_of_a_provider_outlives_it(compute: ReportClient, tree: ProviderTree, wire: Wire) -> None:
    tree.move("gpu", "cn")
    tree.remove("numa")

    compute.update_from_provider_tree(None, tree)

    assert wire.writes == [f"PUT /resource_providers/{GPU}", f"DELETE /resource_providers/{NUMA}"]
    assert stored(wire) == shape(tree)


def test_what_is_gone_already_is_deleted(
    compute: ReportClient, tree: ProviderTree, wire: Wire, client: FlaskClient
) -> None:
    tree.remove("gpu")
    wire.before("DELETE", lambda: client.delete(f"/resource_providers/{GPU}"))

    compute.update_from_provider_tree(None, tree)

    assert stored(wire) == shape(tree)


def test_what_is_refused_keeps_nothing_else_from_being_written(
    compute: ReportClient, tree: ProviderTree, wire: Wire, client: FlaskClient
) -> None:
    put(client, "c1", {"numa": {"VGPU": 1}, "cn": {"VCPU": 1}})
    tree = ReportClient(wire).get_provider_tree_and_ensure_root(None, CN)
    tree.update_inventory("cn", {"MEMORY_MB": {"total": 1024}})
    tree.update_traits("cn", ["NO_SUCH_TRAIT"])
    tree.remove("numa")
    tree.new_child("nic", "cn")
    tree.update_inventory("nic", {"SRIOV_NET_VF": {"total": 8}})

    with pytest.raises(ResourceProviderUpdateFailed) as raised:
        compute.update_from_provider_tree(None, tree)

    message = str(raised.value)
    assert "Provider numa cannot be deleted" in message
    assert "Traits of provider cn are not as they should be" in message
    assert "Inventory of provider cn is not as it should be" in message
    assert "NO_SUCH_TRAIT" in message
    now = {one.name: one for one in stored(wire).values()}
    assert now["nic"].inventory.keys() == {"SRIOV_NET_VF"}
    assert "numa" in now
    assert "gpu" not in now, "nobody holds anything of it"


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (lambda tree: tree.update_inventory("cn", {}), Code.INVENTORY_IN_USE, "Inventory of provider cn"),
        (lambda tree: tree.remove("numa"), Code.PROVIDER_IN_USE, "Provider numa cannot be deleted"),
        (lambda tree: tree.new_child("other", "cn"), Code.DUPLICATE_NAME, "Provider other cannot be made"),
        (lambda tree: tree.update_traits("cn", ["CUSTOM_x"]), Code.UNDEFINED, "Traits of provider cn"),
    ],
)
def test_a_refusal_says_what_and_why(
    tree: ProviderTree, wire: Wire, client: FlaskClient, *, change: Any, code: Code, words: str
) -> None:
    put(client, "c1", {"numa": {"VGPU": 1}, "cn": {"VCPU": 1}})
    compute = ReportClient(wire)
    tree = compute.get_provider_tree_and_ensure_root(None, CN)
    change(tree)

    with pytest.raises(ResourceProviderUpdateFailed, match=words) as raised:
        compute.update_from_provider_tree(None, tree)
    assert raised.value.code == code
    assert not isinstance(raised.value, ResourceProviderUpdateConflict)


def test_a_name_that_is_still_taken_is_told_with_the_reason(
    compute: ReportClient, tree: ProviderTree, client: FlaskClient
) -> None:
    put(client, "c1", {"numa": {"VGPU": 1}})
    tree.remove("numa")
    tree.new_child("numa", "cn")

    with pytest.raises(ResourceProviderUpdateFailed) as raised:
        compute.update_from_provider_tree(None, tree)
    assert "Provider numa cannot be deleted" in str(raised.value)
    assert "Provider numa cannot be made" in str(raised.value)


@pytest.mark.parametrize(
    ("request_line", "change"),
    [
        (f"PUT .*{CN}/inventories", lambda tree: tree.update_inventory("cn", {"VCPU": {"total": 9}})),
        (f"PUT .*{CN}/traits", lambda tree: tree.update_traits("cn", [])),
        (f"PUT .*{CN}/aggregates", lambda tree: tree.update_aggregates("cn", [RACK, uuid_of("zone")])),
    ],
)
def test_a_lost_race_is_told_from_other_refusals(
    compute: ReportClient, tree: ProviderTree, wire: Wire, client: FlaskClient, *, request_line: str, change: Any
) -> None:
    change(tree)
    wire.before(request_line, lambda: put_inventory(client, "cn", VCPU=16))

    with pytest.raises(ResourceProviderUpdateConflict):
        compute.update_from_provider_tree(None, tree)

    tree = compute.get_provider_tree_and_ensure_root(None, CN)
    assert not tree.has_inventory_changed("cn", {"VCPU": {"total": 16}}), "it was read again"
    change(tree)
    compute.update_from_provider_tree(None, tree)
    assert stored(wire) == shape(tree)


def test_a_provider_that_vanishes_is_a_lost_race(
    compute: ReportClient, tree: ProviderTree, wire: Wire, client: FlaskClient
) -> None:
    tree.update_inventory("gpu", {"VGPU": {"total": 1}})
    wire.before(f"PUT .*{GPU}", lambda: client.delete(f"/resource_providers/{GPU}"))

    with pytest.raises(ResourceProviderUpdateConflict):
        compute.update_from_provider_tree(None, tree)


def test_a_provider_that_somebody_else_makes_is_a_lost_race(
    compute: ReportClient, tree: ProviderTree, wire: Wire, client: FlaskClient
) -> None:
    body = {"name": "nic", "uuid": uuid_of("nic"), "parent_provider_uuid": CN}
    tree.new_child("nic", "cn", uuid=uuid_of("nic"))
    wire.before("POST", lambda: client.post("/resource_providers", json=body))

    with pytest.raises(ResourceProviderUpdateConflict, match="Provider nic was made by somebody else"):
        compute.update_from_provider_tree(None, tree)
    assert compute.get_provider_tree_and_ensure_root(None, CN).exists("nic")


@pytest.mark.parametrize(
    "change", [lambda tree: tree.new_child("nic", "gpu"), lambda tree: tree.move("other", "gpu")], ids=["made", "moved"]
)
def test_a_parent_that_vanishes_is_a_lost_race(
    compute: ReportClient, wire: Wire, client: FlaskClient, change: Any
) -> None:
    load(client, CLOUD)
    body = {"name": "other", "parent_provider_uuid": CN}
    assert client.put(f"/resource_providers/{uuid_of('other')}", json=body).status_code == 200
    tree = compute.get_provider_tree_and_ensure_root(None, CN)
    change(tree)
    wire.before(f"POST|PUT .*{uuid_of('other')}", lambda: client.delete(f"/resource_providers/{GPU}"))

    with pytest.raises(ResourceProviderUpdateConflict, match="is gone"):
        compute.update_from_provider_tree(None, tree)


def test_what_others_make_and_delete_outlives_an_old_tree(wire: Wire, client: FlaskClient) -> None:
    """The driver took so long that the tree is read again when its changes are to be written."""
    load(client, CLOUD)
    compute = ReportClient(wire, refresh_seconds=0)
    tree = compute.get_provider_tree_and_ensure_root(None, CN)
    load(client, "pool2  DISK_GB:5  MISC_SHARES_VIA_AGGREGATE  @rack")
    body = {"name": "port", "uuid": uuid_of("port"), "parent_provider_uuid": NUMA}
    assert client.post("/resource_providers", json=body).status_code == 200
    tree.update_inventory("gpu", {"VGPU": {"total": 1}})
    compute.update_from_provider_tree(None, tree)
    assert {one.name for one in stored(wire).values()} == {"cn", "numa", "gpu", "port", "pool", "pool2"}

    tree = compute.get_provider_tree_and_ensure_root(None, CN)
    assert client.delete(f"/resource_providers/{uuid_of('port')}").status_code == 204
    with pytest.raises(ResourceProviderUpdateConflict, match="Provider port was deleted by somebody else"):
        compute.update_from_provider_tree(None, tree)
    assert client.get(f"/resource_providers/{uuid_of('port')}").status_code == 404


def test_an_old_tree_never_overwrites_a_newer_one(
    compute: ReportClient, tree: ProviderTree, wire: Wire, client: FlaskClient
) -> None:
    put_inventory(client, "cn", VCPU=16)
    tree.update_inventory("cn", {"VCPU": {"total": 9}})

    with pytest.raises(ResourceProviderUpdateConflict):
        ReportClient(wire).update_from_provider_tree(None, tree)


def test_who_holds_something_of_a_tree(compute: ReportClient, tree: ProviderTree, client: FlaskClient) -> None:
    put(client, "c1", {"cn": {"VCPU": 1}, "pool": {"DISK_GB": 5}})
    put(client, "c2", {"numa": {"VGPU": 1}, "cn": {"VCPU": 2}})
    put(client, "c3", {"other": {"VCPU": 1}, "pool": {"DISK_GB": 5}})
    put(client, "c4", {"pool": {"DISK_GB": 5}})

    held = compute.get_allocations_for_provider_tree(None, CN)

    assert held.keys() == {uuid_of("c1"), uuid_of("c2")}
    record = held[uuid_of("c1")]
    assert record == compute.get_allocations_for_consumer(None, uuid_of("c1"))
    assert record.keys() == {"allocations", "project_id", "user_id", "consumer_generation"}
    assert {one: entry["resources"] for one, entry in record["allocations"].items()} == {
        CN: {"VCPU": 1},
        POOL: {"DISK_GB": 5},
    }
    assert compute.get_allocations_for_consumer(None, uuid_of("c9")) == {"allocations": {}}


def moved(tree: ProviderTree, held: dict[str, Any]) -> None:
    """Move VGPUs from the NUMA node to the GPU below it."""
    tree.update_inventory("gpu", {"VGPU": {"total": 4}})
    tree.update_inventory("numa", {})
    for record in held.values():
        if NUMA in record["allocations"]:
            record["allocations"][GPU] = record["allocations"].pop(NUMA)


def test_a_reshape_moves_inventory_and_what_is_held_of_it(tree: ProviderTree, wire: Wire, client: FlaskClient) -> None:
    put(client, "c1", {"numa": {"VGPU": 1}, "cn": {"VCPU": 2}, "pool": {"DISK_GB": 5}})
    compute = ReportClient(wire)
    tree = compute.get_provider_tree_and_ensure_root(None, CN)
    held = compute.get_allocations_for_provider_tree(None, CN)
    moved(tree, held)
    wire.sent.clear()

    compute.update_from_provider_tree(None, tree, held)

    assert wire.sent == ["POST /reshaper"]
    assert held_by(client, "c1") == {GPU: {"VGPU": 1}, CN: {"VCPU": 2}, POOL: {"DISK_GB": 5}}
    assert consumer(client, "c1")["consumer_type"] == "INSTANCE", "it keeps what the client does not know"
    assert stored(wire) == shape(tree)


def test_a_reshape_empties_what_goes(tree: ProviderTree, wire: Wire, client: FlaskClient) -> None:
    put(client, "c1", {"numa": {"VGPU": 1}})
    compute = ReportClient(wire)
    tree = compute.get_provider_tree_and_ensure_root(None, CN)
    held = compute.get_allocations_for_provider_tree(None, CN)
    tree.remove("numa")
    tree.update_inventory("cn", {"VGPU": {"total": 4}})
    allocations = held[uuid_of("c1")]["allocations"]
    allocations[CN] = allocations.pop(NUMA)
    wire.sent.clear()

    compute.update_from_provider_tree(None, tree, held)

    assert wire.sent == ["POST /reshaper", f"DELETE /resource_providers/{GPU}", f"DELETE /resource_providers/{NUMA}"]
    assert used(client, "cn") == {"VGPU": 1}
    assert stored(wire) == shape(tree)


def test_a_reshape_that_forgets_a_consumer_fails_for_good(tree: ProviderTree, wire: Wire, client: FlaskClient) -> None:
    put(client, "c1", {"numa": {"VGPU": 1}})
    compute = ReportClient(wire)
    tree = compute.get_provider_tree_and_ensure_root(None, CN)
    before = stored(wire)
    moved(tree, {})

    with pytest.raises(ReshapeFailed, match="VGPU") as raised:
        compute.update_from_provider_tree(None, tree, {})
    assert raised.value.code is Code.INVENTORY_IN_USE
    assert stored(wire) == before
    assert used(client, "numa") == {"VGPU": 1}


@pytest.mark.parametrize(
    "somebody",
    [
        lambda client: put(client, "c2", {"numa": {"VGPU": 1}}),
        lambda client: put(client, "c1", {"numa": {"VGPU": 2}}, 1),
        lambda client: client.delete(f"/allocations/{uuid_of('c1')}"),
        lambda client: put_inventory(client, "numa", VGPU=5),
        lambda client: client.delete(f"/resource_providers/{GPU}"),
    ],
    ids=["claim", "change", "release", "inventory", "deletion"],
)
def test_a_reshape_loses_a_race_as_a_whole(tree: ProviderTree, wire: Wire, client: FlaskClient, somebody: Any) -> None:
    put(client, "c1", {"numa": {"VGPU": 1}})
    compute = ReportClient(wire)
    tree = compute.get_provider_tree_and_ensure_root(None, CN)
    held = compute.get_allocations_for_provider_tree(None, CN)
    moved(tree, held)
    wire.before("POST /reshaper", lambda: somebody(client))

    with pytest.raises(ResourceProviderUpdateConflict):
        compute.update_from_provider_tree(None, tree, held)

    left = {one.name: set(one.inventory) for one in stored(wire).values()}
    assert left["numa"] == {"VGPU"}
    assert left.get("gpu", set()) == set()


def test_requests_name_the_operation_and_the_version(compute: ReportClient, wire: Wire) -> None:
    class Context:
        global_id = "req-0ab1c2d3-0000-4000-8000-000000000000"

    compute.get_allocations_for_consumer(Context(), uuid_of("c1"))
    assert wire.headers["X-Openstack-Request-Id"] == Context.global_id
    assert wire.headers["OpenStack-API-Version"] == "placement 1.37"
    compute.get_allocations_for_consumer(None, uuid_of("c1"))
    assert "X-Openstack-Request-Id" not in wire.headers


def test_no_answer_is_a_failed_update(compute: ReportClient, tree: ProviderTree, wire: Wire) -> None:
    def refuse() -> None:
        raise ConnectionError("connection refused")

    wire.before("PUT", refuse)
    tree.update_traits("cn", [])

    with pytest.raises(ResourceProviderUpdateFailed, match="connection refused"):
        compute.update_from_provider_tree(None, tree)
