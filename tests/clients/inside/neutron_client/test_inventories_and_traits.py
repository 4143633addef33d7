"""Neutron's client: inventories, traits and resource classes, and its retries when a provider has changed."""

import uuid
from functools import partial

import pytest
from neutron_lib.exceptions import placement as exceptions
from neutron_lib.placement.client import GENERATION_CONFLICT_RETRIES, PlacementAPIClient
from service import Wire, bump, call, claim

EGRESS = "NET_BW_EGR_KILOBIT_PER_SEC"
INGRESS = "NET_BW_IGR_KILOBIT_PER_SEC"
WHOLE = {"total": 1000, "reserved": 0, "min_unit": 1, "max_unit": 1000, "step_size": 1, "allocation_ratio": 1.0}
UNKNOWN = str(uuid.uuid4())


@pytest.fixture
def device(client: PlacementAPIClient) -> str:
    """A provider, by its uuid."""
    found = str(uuid.uuid4())
    client.create_resource_provider({"uuid": found, "name": "device"})
    return found


def test_inventories(client: PlacementAPIClient, device: str) -> None:
    both = {EGRESS: WHOLE, INGRESS: WHOLE}

    assert client.update_resource_provider_inventories(device, both) == {
        "inventories": both,
        "resource_provider_generation": 1,
    }
    assert client.get_inventory(device, EGRESS) == WHOLE | {"resource_provider_generation": 1}
    more = WHOLE | {"total": 2000}
    assert client.update_resource_provider_inventory(device, dict(more), EGRESS) == more | {
        "resource_provider_generation": 2
    }
    client.delete_resource_provider_inventory(device, INGRESS)
    with pytest.raises(exceptions.PlacementInventoryNotFound):
        client.get_inventory(device, INGRESS)
    with pytest.raises(exceptions.PlacementInventoryNotFound):
        client.delete_resource_provider_inventory(device, INGRESS)
    client.delete_resource_provider_inventories(device)
    with pytest.raises(exceptions.PlacementInventoryNotFound):
        client.get_inventory(device, EGRESS)


def test_inventories_of_a_provider_that_is_not_there(client: PlacementAPIClient) -> None:
    with pytest.raises(exceptions.PlacementResourceProviderNotFound):
        client.update_resource_provider_inventories(UNKNOWN, {EGRESS: WHOLE}, 1)
    with pytest.raises(exceptions.PlacementResourceNotFound):
        client.update_resource_provider_inventory(UNKNOWN, dict(WHOLE), EGRESS, 1)
    with pytest.raises(exceptions.PlacementResourceProviderNotFound):
        client.get_inventory(UNKNOWN, EGRESS)
    with pytest.raises(exceptions.PlacementResourceProviderNotFound):
        client.delete_resource_provider_inventory(UNKNOWN, EGRESS)
    with pytest.raises(exceptions.PlacementResourceProviderNotFound):
        client.delete_resource_provider_inventories(UNKNOWN)


def test_a_lost_race_is_tried_again(client: PlacementAPIClient, device: str, wire: Wire) -> None:
    path = f"/resource_providers/{device}"
    wire.after(f"GET {path}", partial(bump, device), times=3)

    written = client.update_resource_provider_inventories(device, {EGRESS: WHOLE})

    assert written["resource_provider_generation"] == 4
    assert wire.sent == [f"GET {path}", f"PUT {path}/inventories"] * 4


def test_a_race_that_is_always_lost(client: PlacementAPIClient, device: str, wire: Wire) -> None:
    wire.after(f"GET /resource_providers/{device}", partial(bump, device), times=GENERATION_CONFLICT_RETRIES)

    with pytest.raises(exceptions.PlacementResourceProviderGenerationConflict):
        client.update_resource_provider_traits(device, ["HW_NUMA_ROOT"])
    assert len(wire.sent) == 2 * GENERATION_CONFLICT_RETRIES


def test_a_generation_of_the_caller_is_tried_once(client: PlacementAPIClient, device: str, wire: Wire) -> None:
    bump(device)

    with pytest.raises(exceptions.PlacementResourceProviderGenerationConflict):
        client.update_resource_provider_inventories(device, {EGRESS: WHOLE}, 0)
    with pytest.raises(exceptions.PlacementResourceProviderGenerationConflict):
        client.update_resource_provider_inventory(device, dict(WHOLE), EGRESS, 0)
    with pytest.raises(exceptions.PlacementResourceProviderGenerationConflict):
        client.update_resource_provider_traits(device, ["HW_NUMA_ROOT"], 0)
    assert len(wire.sent) == 3


def test_inventory_in_use_is_no_lost_race(client: PlacementAPIClient, device: str, wire: Wire) -> None:
    client.update_resource_provider_inventories(device, {EGRESS: WHOLE})
    call("PUT", f"/allocations/{uuid.uuid4()}", claim({device: {EGRESS: 100}}))
    wire.sent.clear()

    with pytest.raises(exceptions.PlacementClientError, match=r"placement\.inventory\.inuse"):
        client.update_resource_provider_inventories(device, {INGRESS: WHOLE})
    assert wire.sent == [f"GET /resource_providers/{device}", f"PUT /resource_providers/{device}/inventories"]
    with pytest.raises(exceptions.PlacementClientError, match=r"placement\.inventory\.inuse"):
        client.delete_resource_provider_inventories(device)


def test_traits_of_a_provider(client: PlacementAPIClient, device: str) -> None:
    client.update_trait("CUSTOM_PHYSNET_PUBLIC")

    written = client.update_resource_provider_traits(device, ["CUSTOM_PHYSNET_PUBLIC", "HW_NUMA_ROOT"])

    assert (sorted(written["traits"]), written["resource_provider_generation"]) == (
        ["CUSTOM_PHYSNET_PUBLIC", "HW_NUMA_ROOT"],
        1,
    )
    listed = client.list_resource_provider_traits(device)
    assert sorted(listed["traits"]) == ["CUSTOM_PHYSNET_PUBLIC", "HW_NUMA_ROOT"]
    client.delete_resource_provider_traits(device)
    assert client.list_resource_provider_traits(device) == {"traits": [], "resource_provider_generation": 2}
    with pytest.raises(exceptions.PlacementTraitNotFound):
        client.update_resource_provider_traits(device, ["CUSTOM_NEVER_MADE"])
    with pytest.raises(exceptions.PlacementResourceProviderNotFound):
        client.update_resource_provider_traits(UNKNOWN, [], 0)
    with pytest.raises(exceptions.PlacementResourceProviderNotFound):
        client.list_resource_provider_traits(UNKNOWN)
    with pytest.raises(exceptions.PlacementResourceProviderNotFound):
        client.delete_resource_provider_traits(UNKNOWN)


def test_traits(client: PlacementAPIClient, device: str) -> None:
    name = "CUSTOM_VNIC_TYPE_NORMAL"

    with pytest.raises(exceptions.PlacementTraitNotFound):
        client.get_trait(name)
    assert client.update_trait(name).status_code == 201
    assert client.update_trait(name).status_code == 204
    assert client.get_trait(name)
    assert {name, "HW_NUMA_ROOT"} <= set(client.list_traits()["traits"])
    client.update_resource_provider_traits(device, [name])
    with pytest.raises(exceptions.PlacementClientError, match="is in use by a resource provider"):
        client.delete_trait(name)
    client.update_resource_provider_traits(device, [])
    client.delete_trait(name)
    with pytest.raises(exceptions.PlacementTraitNotFound):
        client.delete_trait(name)


def test_resource_classes(client: PlacementAPIClient) -> None:
    client.create_resource_class("CUSTOM_ONE")
    client.update_resource_class("CUSTOM_TWO")
    client.update_resource_class("CUSTOM_TWO")

    names = {entry["name"] for entry in client.list_resource_classes()["resource_classes"]}
    assert {"CUSTOM_ONE", "CUSTOM_TWO", EGRESS} <= names
    assert client.get_resource_class("CUSTOM_ONE")["name"] == "CUSTOM_ONE"
    with pytest.raises(exceptions.PlacementClientError, match="already exists"):
        client.create_resource_class("CUSTOM_ONE")
    with pytest.raises(exceptions.PlacementClientError, match="Cannot delete standard resource class"):
        client.delete_resource_class("VCPU")
    client.delete_resource_class("CUSTOM_ONE")
    with pytest.raises(exceptions.PlacementResourceClassNotFound):
        client.get_resource_class("CUSTOM_ONE")
    with pytest.raises(exceptions.PlacementResourceClassNotFound):
        client.delete_resource_class("CUSTOM_ONE")
