"""Neutron's client: resource providers, which Neutron makes for agents and for devices below them."""

import uuid

import pytest
from neutron_lib.exceptions import placement as exceptions
from neutron_lib.placement.client import PlacementAPIClient
from oslo_config import cfg
from service import Wire, call, claim


def provider(name: str, **fields: str) -> dict[str, str]:
    return {"uuid": str(uuid.uuid4()), "name": name, **fields}


def test_a_provider_from_creation_to_deletion(client: PlacementAPIClient) -> None:
    agent = provider("agent")
    device = provider("agent:eth0", parent_provider_uuid=agent["uuid"])

    client.create_resource_provider(agent)
    created = client.create_resource_provider(device)

    assert {name: created[name] for name in ("uuid", "name", "generation", "parent_provider_uuid")} == {
        **device,
        "generation": 0,
    }
    assert client.get_resource_provider(device["uuid"]) == created
    listed = client.list_resource_providers(in_tree=agent["uuid"])["resource_providers"]
    assert {entry["uuid"]: entry["root_provider_uuid"] for entry in listed} == {
        agent["uuid"]: agent["uuid"],
        device["uuid"]: agent["uuid"],
    }
    client.delete_resource_provider(device["uuid"])
    assert client.list_resource_providers(name="agent:eth0") == {"resource_providers": []}


def test_filters_of_the_list(client: PlacementAPIClient) -> None:
    one, two = provider("one"), provider("two")
    for each in (one, two):
        client.create_resource_provider(each)
    aggregate = str(uuid.uuid4())
    client.update_resource_provider_inventories(two["uuid"], {"VCPU": {"total": 8}})
    client.associate_aggregates(one["uuid"], {"aggregates": [aggregate], "resource_provider_generation": 0})

    def names(**filters: str) -> list[str]:
        return sorted(entry["name"] for entry in client.list_resource_providers(**filters)["resource_providers"])

    assert names() == ["one", "two"]
    assert names(uuid=one["uuid"]) == ["one"]
    assert names(member_of=aggregate) == ["one"]
    assert names(resources="VCPU:8") == ["two"]
    assert names(resources="VCPU:9") == []


def test_ensure_creates_what_is_not_there_and_updates_what_is(client: PlacementAPIClient, wire: Wire) -> None:
    agent = provider("agent")
    path = f"/resource_providers/{agent['uuid']}"

    created = client.ensure_resource_provider(agent)
    renamed = client.ensure_resource_provider(agent | {"name": "renamed"})

    assert created["name"] == "agent"
    assert renamed["name"] == "renamed"
    assert wire.sent == [f"PUT {path}", "POST /resource_providers", f"PUT {path}"]


def test_a_provider_moves_to_another_parent(client: PlacementAPIClient) -> None:
    old, new = provider("old"), provider("new")
    device = provider("device", parent_provider_uuid=old["uuid"])
    for each in (old, new, device):
        client.create_resource_provider(each)

    moved = client.update_resource_provider(device | {"parent_provider_uuid": new["uuid"]})

    assert (moved["parent_provider_uuid"], moved["root_provider_uuid"]) == (new["uuid"], new["uuid"])


def test_a_name_that_is_taken(client: PlacementAPIClient) -> None:
    one, two = provider("one"), provider("two")
    client.create_resource_provider(one)
    client.create_resource_provider(two)

    with pytest.raises(exceptions.PlacementResourceProviderNameNotUnique):
        client.update_resource_provider(two | {"name": "one"})
    with pytest.raises(exceptions.PlacementClientError, match=r"placement\.duplicate_name"):
        client.create_resource_provider(provider("one"))


def test_a_provider_that_is_not_there(client: PlacementAPIClient) -> None:
    unknown = str(uuid.uuid4())

    with pytest.raises(exceptions.PlacementResourceProviderNotFound):
        client.get_resource_provider(unknown)
    with pytest.raises(exceptions.PlacementResourceProviderNotFound):
        client.update_resource_provider({"uuid": unknown, "name": "x"})
    with pytest.raises(exceptions.PlacementClientError, match=f"No resource provider with uuid {unknown}"):
        client.delete_resource_provider(unknown)


def test_a_provider_that_others_need(client: PlacementAPIClient) -> None:
    agent = provider("agent")
    device = provider("device", parent_provider_uuid=agent["uuid"])
    client.create_resource_provider(agent)
    client.create_resource_provider(device)
    client.update_resource_provider_inventories(device["uuid"], {"VCPU": {"total": 8}})
    call("PUT", f"/allocations/{uuid.uuid4()}", claim({device["uuid"]: {"VCPU": 1}}))

    with pytest.raises(exceptions.PlacementClientError, match=r"placement\.resource_provider\.cannot_delete_parent"):
        client.delete_resource_provider(agent["uuid"])
    with pytest.raises(exceptions.PlacementClientError, match=r"placement\.resource_provider\.inuse"):
        client.delete_resource_provider(device["uuid"])


def test_aggregates(client: PlacementAPIClient) -> None:
    agent = provider("agent")
    client.create_resource_provider(agent)
    aggregates = [str(uuid.uuid4()), str(uuid.uuid4())]

    written = client.associate_aggregates(agent["uuid"], {"aggregates": aggregates, "resource_provider_generation": 0})

    assert written == {"aggregates": aggregates, "resource_provider_generation": 1}
    listed = client.list_aggregates(agent["uuid"])
    assert (sorted(listed["aggregates"]), listed["resource_provider_generation"]) == (sorted(aggregates), 1)
    with pytest.raises(exceptions.PlacementAggregateNotFound):
        client.list_aggregates(str(uuid.uuid4()))


def test_the_segments_plugin_asks_for_1_1(conf: cfg.ConfigOpts) -> None:
    client = PlacementAPIClient(conf, openstack_api_version="placement 1.1")
    segment = provider("segment")
    aggregates = [str(uuid.uuid4())]

    assert client.create_resource_provider(segment) is None
    assert client.associate_aggregates(segment["uuid"], aggregates) == {"aggregates": aggregates}
    assert client.list_aggregates(segment["uuid"]) == {"aggregates": aggregates}
    inventory = {"total": 10, "reserved": 2, "min_unit": 1, "max_unit": 1, "step_size": 1, "allocation_ratio": 1.0}
    client.update_resource_provider_inventories(segment["uuid"], {"IPV4_ADDRESS": inventory})
    found = client.get_inventory(segment["uuid"], "IPV4_ADDRESS")
    assert found == inventory | {"resource_provider_generation": 1}
    client.update_resource_provider_inventory(segment["uuid"], found | {"reserved": 3}, "IPV4_ADDRESS")
    assert client.get_inventory(segment["uuid"], "IPV4_ADDRESS")["reserved"] == 3
    client.delete_resource_provider(segment["uuid"])
