"""Neutron's client: the minimum bandwidth of a port that an instance uses is changed."""

import uuid
from functools import partial

import pytest
from keystoneauth1 import exceptions as keystone
from neutron_lib.exceptions import placement as exceptions
from neutron_lib.placement.client import GENERATION_CONFLICT_RETRIES, PlacementAPIClient
from service import Wire, claim, touch

EGRESS = "NET_BW_EGR_KILOBIT_PER_SEC"
INGRESS = "NET_BW_IGR_KILOBIT_PER_SEC"
HOST, DEVICE, INSTANCE = (str(uuid.uuid4()) for _ in range(3))


@pytest.fixture(autouse=True)
def _instance(client: PlacementAPIClient) -> None:
    client.create_resource_provider({"uuid": HOST, "name": "host"})
    client.create_resource_provider({"uuid": DEVICE, "name": "device", "parent_provider_uuid": HOST})
    client.update_resource_provider_inventories(HOST, {"VCPU": {"total": 8}})
    client.update_resource_provider_inventories(DEVICE, {EGRESS: {"total": 1000}, INGRESS: {"total": 1000}})
    client.update_allocation(INSTANCE, claim({HOST: {"VCPU": 2}, DEVICE: {EGRESS: 100, INGRESS: 100}}))


def resources(client: PlacementAPIClient) -> dict[str, dict[str, int]]:
    found = client.list_allocations(INSTANCE)["allocations"]
    return {provider: entry["resources"] for provider, entry in found.items()}


def test_allocations_of_nobody(client: PlacementAPIClient) -> None:
    assert client.list_allocations(str(uuid.uuid4())) == {"allocations": {}}


def test_bandwidth_is_added_and_taken_away(client: PlacementAPIClient) -> None:
    client.update_qos_allocation(INSTANCE, {DEVICE: {EGRESS: 200, INGRESS: -50}})

    assert resources(client) == {HOST: {"VCPU": 2}, DEVICE: {EGRESS: 300, INGRESS: 50}}
    found = client.list_allocations(INSTANCE)
    assert (found["project_id"], found["user_id"], found["consumer_generation"]) == ("project", "user", 2)


def test_a_provider_is_left_out_when_nothing_is_left(client: PlacementAPIClient) -> None:
    client.update_qos_allocation(INSTANCE, {DEVICE: {EGRESS: -100, INGRESS: -100}})
    assert resources(client) == {HOST: {"VCPU": 2}}

    client.update_qos_allocation(INSTANCE, {HOST: {"VCPU": -2}})
    assert client.list_allocations(INSTANCE) == {"allocations": {}}
    with pytest.raises(exceptions.PlacementAllocationRemoved):
        client.update_qos_allocation(INSTANCE, {HOST: {"VCPU": 1}})


def test_a_provider_that_the_instance_does_not_use(client: PlacementAPIClient) -> None:
    with pytest.raises(exceptions.PlacementAllocationRpNotExists):
        client.update_qos_allocation(INSTANCE, {str(uuid.uuid4()): {EGRESS: 1}})


def test_a_changed_instance_is_tried_again(client: PlacementAPIClient, wire: Wire) -> None:
    wire.after(f"GET /allocations/{INSTANCE}", partial(touch, INSTANCE), times=2)

    client.update_qos_allocation(INSTANCE, {DEVICE: {EGRESS: 1}})

    assert wire.sent == [f"GET /allocations/{INSTANCE}", f"PUT /allocations/{INSTANCE}"] * 3
    assert resources(client)[DEVICE][EGRESS] == 101


def test_an_instance_that_always_changes(client: PlacementAPIClient, wire: Wire) -> None:
    wire.after(f"GET /allocations/{INSTANCE}", partial(touch, INSTANCE), times=GENERATION_CONFLICT_RETRIES)

    with pytest.raises(exceptions.PlacementAllocationGenerationConflict):
        client.update_qos_allocation(INSTANCE, {DEVICE: {EGRESS: 1}})
    assert len(wire.sent) == 2 * GENERATION_CONFLICT_RETRIES


def test_more_bandwidth_than_there_is_fails_at_once(client: PlacementAPIClient, wire: Wire) -> None:
    with pytest.raises(keystone.Conflict) as refused:
        client.update_qos_allocation(INSTANCE, {DEVICE: {EGRESS: 1000}})
    assert "capacity" in refused.value.details
    assert wire.sent == [f"GET /allocations/{INSTANCE}", f"PUT /allocations/{INSTANCE}"]
