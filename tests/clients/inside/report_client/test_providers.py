"""Nova's client: the tree of a compute node, which the client keeps a copy of and flushes."""

import uuid
from functools import partial
from typing import Any

import pytest
from nova import exception
from nova.cmd import status
from nova.compute.provider_tree import ProviderTree
from nova.context import RequestContext
from nova.objects import ComputeNode
from nova.scheduler.client.report import SchedulerReportClient
from service import Wire, bump, call, claim

NODE, NUMA, POOL, AGGREGATE, INSTANCE = (str(uuid.uuid4()) for _ in range(5))


def inventory(total: int, **fields: Any) -> dict[str, Any]:
    defaults = {"reserved": 0, "min_unit": 1, "max_unit": total, "step_size": 1, "allocation_ratio": 1.0}
    return {"total": total, **defaults, **fields}


def refreshed(admin: RequestContext) -> ProviderTree:
    """The tree as somebody reads it who has seen nothing yet."""
    return SchedulerReportClient().get_provider_tree_and_ensure_root(admin, NODE, name="node")


def flushed(client: SchedulerReportClient, admin: RequestContext) -> ProviderTree:
    """Write a node with one NUMA node below it, and return the tree as *client* has it then."""
    tree = client.get_provider_tree_and_ensure_root(admin, NODE, name="node")
    tree.new_child("numa", NODE, uuid=NUMA)
    tree.update_inventory(NODE, {"MEMORY_MB": inventory(1024)})
    tree.update_inventory(NUMA, {"VCPU": inventory(8, allocation_ratio=16.0), "CUSTOM_THING": inventory(2)})
    tree.update_traits(NODE, ["COMPUTE_STATUS_DISABLED", "CUSTOM_RACK_1"])
    tree.update_aggregates(NODE, [AGGREGATE])
    client.update_from_provider_tree(admin, tree)
    return client.get_provider_tree_and_ensure_root(admin, NODE)


def test_a_node_is_made_on_first_sight(client: SchedulerReportClient, admin: RequestContext, wire: Wire) -> None:
    tree = client.get_provider_tree_and_ensure_root(admin, NODE, name="node")

    assert tree.get_provider_uuids() == [NODE]
    assert (tree.data(NODE).name, tree.data(NODE).generation, tree.data(NODE).parent_uuid) == ("node", 0, None)
    assert wire.sent == [f"GET /resource_providers?in_tree={NODE}", "POST /resource_providers"]
    assert client.get_provider_by_name(admin, "node")["uuid"] == NODE
    with pytest.raises(exception.ResourceProviderNotFound):
        client.get_provider_by_name(admin, "other")


def test_a_tree_is_flushed(client: SchedulerReportClient, admin: RequestContext) -> None:
    flushed(client, admin)

    tree = refreshed(admin)
    assert tree.get_provider_uuids() == [NODE, NUMA]
    node, numa = tree.data(NODE), tree.data(NUMA)
    assert numa.parent_uuid == NODE
    assert node.inventory == {"MEMORY_MB": inventory(1024)}
    assert numa.inventory == {"VCPU": inventory(8, allocation_ratio=16.0), "CUSTOM_THING": inventory(2)}
    assert (node.traits, numa.traits) == ({"COMPUTE_STATUS_DISABLED", "CUSTOM_RACK_1"}, set())
    assert (node.aggregates, numa.aggregates) == ({AGGREGATE}, set())


def test_what_has_not_changed_is_not_written(client: SchedulerReportClient, admin: RequestContext, wire: Wire) -> None:
    tree = flushed(client, admin)
    wire.sent.clear()

    client.update_from_provider_tree(admin, tree)

    assert wire.sent == []


def test_all_is_taken_away_again(client: SchedulerReportClient, admin: RequestContext) -> None:
    tree = flushed(client, admin)
    tree.remove(NUMA)
    tree.update_inventory(NODE, {})
    tree.update_traits(NODE, [])
    tree.update_aggregates(NODE, [])

    client.update_from_provider_tree(admin, tree)

    tree = refreshed(admin)
    assert tree.get_provider_uuids() == [NODE]
    node = tree.data(NODE)
    assert (node.inventory, node.traits, node.aggregates) == ({}, set(), set())


def test_a_provider_in_use_stays(client: SchedulerReportClient, admin: RequestContext) -> None:
    tree = flushed(client, admin)
    call("PUT", f"/allocations/{INSTANCE}", claim({NUMA: {"VCPU": 1}}))
    tree.remove(NUMA)

    with pytest.raises(exception.ResourceProviderSyncFailed):
        client.update_from_provider_tree(admin, tree)
    with pytest.raises(exception.ResourceProviderInUse):
        client._delete_provider(NUMA)  # noqa: SLF001  # what the line above hides
    assert refreshed(admin).get_provider_uuids() == [NODE, NUMA]


def test_deleting_a_provider_that_is_gone_is_no_failure(client: SchedulerReportClient) -> None:
    client._delete_provider(str(uuid.uuid4()))  # noqa: SLF001  # Nova has no public way to one provider


def test_deleting_a_node_deletes_what_is_below_it(client: SchedulerReportClient, admin: RequestContext) -> None:
    flushed(client, admin)

    client.delete_resource_provider(admin, ComputeNode(uuid=NODE, host="host", hypervisor_hostname="node"))

    assert client.get_providers_in_tree(admin, NODE) == []


def test_inventory_in_use(client: SchedulerReportClient, admin: RequestContext) -> None:
    flushed(client, admin)
    call("PUT", f"/allocations/{INSTANCE}", claim({NUMA: {"VCPU": 1}}))
    client.clear_provider_cache()
    client.get_provider_tree_and_ensure_root(admin, NODE)

    with pytest.raises(exception.InventoryInUse, match=f"VCPU.*{NUMA}"):
        client.set_inventory_for_provider(admin, NUMA, {"CUSTOM_THING": inventory(2)})


@pytest.mark.parametrize(
    ("update", "differs", "value"),
    [
        ("update_inventory", "has_inventory_changed", {"MEMORY_MB": inventory(2048)}),
        ("update_traits", "have_traits_changed", ["CUSTOM_RACK_2"]),
        ("update_aggregates", "have_aggregates_changed", [str(uuid.uuid4())]),
    ],
)
def test_a_changed_provider_is_a_conflict_to_read_and_try_again(
    client: SchedulerReportClient, admin: RequestContext, update: str, differs: str, value: Any
) -> None:
    tree = flushed(client, admin)
    getattr(tree, update)(NODE, value)
    bump(NODE)
    with pytest.raises(exception.ResourceProviderUpdateConflict):
        client.update_from_provider_tree(admin, tree)

    tree = client.get_provider_tree_and_ensure_root(admin, NODE)
    getattr(tree, update)(NODE, value)
    client.update_from_provider_tree(admin, tree)
    assert not getattr(refreshed(admin), differs)(NODE, value)


def test_reserved_may_be_all_there_is(client: SchedulerReportClient, admin: RequestContext) -> None:
    flushed(client, admin)

    client.set_inventory_for_provider(admin, NODE, {"MEMORY_MB": inventory(1024, reserved=1024)})

    assert refreshed(admin).data(NODE).inventory["MEMORY_MB"]["reserved"] == 1024


def test_a_name_that_is_taken(client: SchedulerReportClient, admin: RequestContext) -> None:
    call("POST", "/resource_providers", {"name": "node"})

    with pytest.raises(exception.ResourceProviderCreationFailed):
        client.get_provider_tree_and_ensure_root(admin, NODE, name="node")


def test_somebody_else_makes_the_node_at_the_same_time(
    client: SchedulerReportClient, admin: RequestContext, wire: Wire
) -> None:
    others = {"uuid": NODE, "name": "made by another"}
    wire.after(f"GET /resource_providers?in_tree={NODE}", lambda: call("POST", "/resource_providers", others))

    tree = client.get_provider_tree_and_ensure_root(admin, NODE, name="node")

    assert tree.data(NODE).name == "made by another"


def test_names_that_are_not_allowed(client: SchedulerReportClient, admin: RequestContext) -> None:
    flushed(client, admin)

    with pytest.raises(exception.InvalidResourceClass):
        client.set_inventory_for_provider(admin, NODE, {"CUSTOM_lower": inventory(1)})
    with pytest.raises(exception.TraitCreationFailed):
        client.set_traits_for_provider(admin, NODE, ["NOT_A_STANDARD_TRAIT"])
    with pytest.raises(exception.ResourceProviderUpdateFailed):
        client.set_inventory_for_provider(admin, NODE, {"NOT_A_STANDARD_CLASS": inventory(1)})


def test_sharing_providers_are_part_of_the_tree(client: SchedulerReportClient, admin: RequestContext) -> None:
    call("POST", "/resource_providers", {"uuid": POOL, "name": "pool"})
    for field, value in (
        ("inventories", {"DISK_GB": inventory(100)}),
        ("traits", ["MISC_SHARES_VIA_AGGREGATE"]),
        ("aggregates", [AGGREGATE]),
    ):
        path = f"/resource_providers/{POOL}"
        generation = call("GET", path)["generation"]
        call("PUT", f"{path}/{field}", {field: value, "resource_provider_generation": generation})
    flushed(client, admin)

    tree = refreshed(admin)

    assert set(tree.get_provider_uuids()) == {NODE, NUMA, POOL}
    assert tree.data(POOL).inventory == {"DISK_GB": inventory(100)}
    assert tree.has_sharing_provider("DISK_GB")


def test_a_provider_that_is_not_there(client: SchedulerReportClient, admin: RequestContext) -> None:
    unknown = str(uuid.uuid4())

    with pytest.raises(exception.ResourceProviderTraitRetrievalFailed):
        client.get_provider_traits(admin, unknown)
    with pytest.raises(exception.ResourceProviderNotFound):
        client.get_resource_provider_name(admin, unknown)
    with pytest.raises(exception.ResourceProviderAllocationRetrievalFailed):
        client.get_allocations_for_resource_provider(admin, unknown)


def test_host_aggregates_are_mirrored(client: SchedulerReportClient, admin: RequestContext, wire: Wire) -> None:
    flushed(client, admin)
    other = str(uuid.uuid4())
    path = f"/resource_providers/{NODE}/aggregates"
    wire.after(f"GET {path}", partial(bump, NODE), times=2)
    wire.sent.clear()

    client.aggregate_add_host(admin, other, host_name="node")

    assert wire.sent == ["GET /resource_providers?name=node", f"GET {path}", f"PUT {path}"] * 3
    assert set(call("GET", path)["aggregates"]) == {AGGREGATE, other}
    client.aggregate_add_host(admin, other, host_name="node")
    client.aggregate_remove_host(admin, AGGREGATE, "node")
    assert call("GET", path)["aggregates"] == [other]
    with pytest.raises(exception.ResourceProviderNotFound):
        client.aggregate_add_host(admin, other, host_name="other")


def test_nova_status_finds_the_service_new_enough() -> None:
    assert status.UpgradeCommands()._check_placement().code == status.upgradecheck.Code.SUCCESS  # noqa: SLF001
