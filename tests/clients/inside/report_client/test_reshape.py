"""Nova's client: a driver moves inventory to new providers below a node, with what instances hold of it."""

import uuid
from functools import partial
from typing import Any

import pytest
from nova import exception
from nova.compute.provider_tree import ProviderTree
from nova.context import RequestContext
from nova.scheduler.client.report import SchedulerReportClient
from service import Wire, bump, call, claim, touch

NODE, GPU, INSTANCE = (str(uuid.uuid4()) for _ in range(3))
PATH = f"/resource_providers/{NODE}"


def inventory(total: int) -> dict[str, Any]:
    return {"total": total, "reserved": 0, "min_unit": 1, "max_unit": total, "step_size": 1, "allocation_ratio": 1.0}


@pytest.fixture(autouse=True)
def _flat_node(_empty_service: None) -> None:
    call("POST", "/resource_providers", {"uuid": NODE, "name": "node"})
    inventories = {"VCPU": inventory(8), "VGPU": inventory(4)}
    call("PUT", f"{PATH}/inventories", {"inventories": inventories, "resource_provider_generation": 0})
    call("PUT", f"/allocations/{INSTANCE}", claim({NODE: {"VCPU": 2, "VGPU": 1}}))


def nested(client: SchedulerReportClient, admin: RequestContext) -> tuple[ProviderTree, dict[str, Any]]:
    """Read the node and what is held of it, and move its VGPUs to a provider below it."""
    tree = client.get_provider_tree_and_ensure_root(admin, NODE)
    held = client.get_allocations_for_provider_tree(admin, "node")
    assert held.keys() == {INSTANCE}
    tree.new_child("gpu", NODE, uuid=GPU)
    tree.update_inventory(GPU, {"VGPU": inventory(4)})
    tree.update_inventory(NODE, {"VCPU": inventory(8)})
    held[INSTANCE]["allocations"] = {NODE: {"resources": {"VCPU": 2}}, GPU: {"resources": {"VGPU": 1}}}
    return tree, held


def resources() -> dict[str, dict[str, int]]:
    found = call("GET", f"/allocations/{INSTANCE}")["allocations"]
    return {provider: entry["resources"] for provider, entry in found.items()}


def classes(provider: str) -> set[str]:
    return set(call("GET", f"/resource_providers/{provider}/inventories")["inventories"])


def test_there_and_back(client: SchedulerReportClient, admin: RequestContext) -> None:
    tree, held = nested(client, admin)
    client.update_from_provider_tree(admin, tree, allocations=held)
    assert resources() == {NODE: {"VCPU": 2}, GPU: {"VGPU": 1}}
    assert (classes(NODE), classes(GPU)) == ({"VCPU"}, {"VGPU"})

    tree = client.get_provider_tree_and_ensure_root(admin, NODE)
    held = client.get_allocations_for_provider_tree(admin, "node")
    tree.remove(GPU)
    tree.update_inventory(NODE, {"VCPU": inventory(8), "VGPU": inventory(4)})
    held[INSTANCE]["allocations"] = {NODE: {"resources": {"VCPU": 2, "VGPU": 1}}}
    client.update_from_provider_tree(admin, tree, allocations=held)
    assert resources() == {NODE: {"VCPU": 2, "VGPU": 1}}
    assert client.get_provider_tree_and_ensure_root(admin, NODE).get_provider_uuids() == [NODE]


@pytest.mark.parametrize("somebody", [partial(bump, NODE), partial(touch, INSTANCE)], ids=["provider", "consumer"])
def test_a_lost_race_leaves_all_as_it_was(
    client: SchedulerReportClient, admin: RequestContext, wire: Wire, somebody: partial[None]
) -> None:
    tree, held = nested(client, admin)
    wire.after("POST /resource_providers", somebody)

    with pytest.raises(exception.PlacementReshapeConflict):
        client.update_from_provider_tree(admin, tree, allocations=held)

    assert resources() == {NODE: {"VCPU": 2, "VGPU": 1}}
    assert (classes(NODE), classes(GPU)) == ({"VCPU", "VGPU"}, set())


def test_what_the_driver_forgot_is_fatal(client: SchedulerReportClient, admin: RequestContext) -> None:
    tree, held = nested(client, admin)
    held[INSTANCE]["allocations"] = {NODE: {"resources": {"VCPU": 2, "VGPU": 1}}}

    with pytest.raises(exception.ReshapeFailed):
        client.update_from_provider_tree(admin, tree, allocations=held)

    assert resources() == {NODE: {"VCPU": 2, "VGPU": 1}}
