"""openstacksdk: resource providers and what they have, at the microversions that the SDK chooses by itself."""

import uuid
from typing import Any

import pytest
from openstack import exceptions
from openstack.placement.v1._proxy import Proxy
from service import Wire, bump, call, claim

INVENTORY = {"total": 8, "reserved": 1, "min_unit": 1, "max_unit": 4, "step_size": 1, "allocation_ratio": 16.0}
UNKNOWN = str(uuid.uuid4())


@pytest.fixture
def provider(placement: Proxy) -> Any:
    """A provider."""
    return placement.create_resource_provider(name="provider")


def test_the_versions_are_found_without_a_token(placement: Proxy) -> None:
    found = placement.get_endpoint_data()

    assert (found.min_microversion, found.max_microversion) == ((1, 0), (1, 39))
    assert placement.get_api_major_version() == (1, 0)


def test_a_provider_from_creation_to_deletion(placement: Proxy) -> None:
    parent = placement.create_resource_provider(name="parent")
    child = placement.create_resource_provider(id=UNKNOWN, name="child", parent_provider_uuid=parent.id)

    assert (child.id, child.name, child.generation) == (UNKNOWN, "child", 0)
    assert (child.parent_provider_id, child.root_provider_id) == (parent.id, parent.id)
    assert placement.get_resource_provider(child).links == child.links
    assert placement.find_resource_provider("child").id == child.id
    assert placement.find_resource_provider(parent.id).name == "parent"
    assert placement.find_resource_provider("nobody") is None
    assert {each.id for each in placement.resource_providers(in_tree=child.id)} == {parent.id, child.id}
    assert [each.id for each in placement.resource_providers(name="child")] == [child.id]
    assert placement.update_resource_provider(child, name="renamed").name == "renamed"
    placement.delete_resource_provider(child, ignore_missing=False)
    placement.delete_resource_provider(child)
    with pytest.raises(exceptions.NotFoundException):
        placement.delete_resource_provider(child, ignore_missing=False)
    with pytest.raises(exceptions.NotFoundException):
        placement.get_resource_provider(child.id)


def test_conflicts_about_providers(placement: Proxy, provider: Any) -> None:
    child = placement.create_resource_provider(name="child", parent_provider_uuid=provider.id)

    with pytest.raises(exceptions.ConflictException):
        placement.create_resource_provider(name="provider")
    with pytest.raises(exceptions.ConflictException):
        placement.update_resource_provider(child, name="provider")
    with pytest.raises(exceptions.ConflictException):
        placement.delete_resource_provider(provider)
    with pytest.raises(exceptions.BadRequestException):
        placement.create_resource_provider(name="x", parent_provider_uuid=UNKNOWN)


def test_aggregates(placement: Proxy, provider: Any) -> None:
    aggregate, without_hyphens = str(uuid.uuid4()), uuid.uuid4().hex

    assert placement.get_resource_provider_aggregates(provider).aggregates == []
    found = placement.set_resource_provider_aggregates(provider, aggregate, without_hyphens)
    assert found.aggregates == [aggregate, without_hyphens]
    found = placement.fetch_resource_provider_aggregates(provider)
    assert {uuid.UUID(each) for each in found.aggregates} == {uuid.UUID(aggregate), uuid.UUID(without_hyphens)}
    assert found.generation == 1
    assert [each.id for each in placement.resource_providers(member_of=aggregate)] == [provider.id]
    bump(provider.id)
    with pytest.raises(exceptions.ConflictException):
        placement.set_resource_provider_aggregates(found)


def test_inventories_one_by_one(placement: Proxy, provider: Any, wire: Wire) -> None:
    created = placement.create_resource_provider_inventory(provider, "VCPU", **INVENTORY)

    assert {name: created[name] for name in INVENTORY} == INVENTORY
    found = placement.get_resource_provider_inventory("VCPU", provider)
    assert {name: found[name] for name in INVENTORY} == INVENTORY
    assert found.resource_provider_generation == 1
    updated = placement.update_resource_provider_inventory(
        found, provider, total=16, resource_provider_generation=found.resource_provider_generation
    )
    assert (updated.total, updated.resource_provider_generation) == (16, 2)
    (listed,) = placement.resource_provider_inventories(provider)
    assert (listed.resource_class, listed.total) == ("VCPU", 16)
    with pytest.raises(exceptions.ConflictException):
        placement.update_resource_provider_inventory("VCPU", provider, total=32, resource_provider_generation=1)
    with pytest.raises(exceptions.ConflictException):
        placement.create_resource_provider_inventory(provider, "VCPU", total=1)
    placement.delete_resource_provider_inventory("VCPU", provider, ignore_missing=False)
    with pytest.raises(exceptions.NotFoundException):
        placement.delete_resource_provider_inventory("VCPU", provider, ignore_missing=False)
    with pytest.raises(exceptions.NotFoundException):
        placement.get_resource_provider_inventory("VCPU", provider)
    assert wire.sent[0] == f"POST /resource_providers/{provider.id}/inventories"


def test_inventories_all_at_once(placement: Proxy, provider: Any) -> None:
    both = {"VCPU": INVENTORY, "MEMORY_MB": {"total": 1024}}

    written = placement.set_resource_provider_inventories(provider, both, 0)
    assert written.generation == 1
    assert {each.resource_class: each.total for each in placement.resource_provider_inventories(provider)} == {
        "VCPU": 8,
        "MEMORY_MB": 1024,
    }
    with pytest.raises(exceptions.ConflictException):
        placement.set_resource_provider_inventories(provider, {}, 0)
    call("PUT", f"/allocations/{uuid.uuid4()}", claim({provider.id: {"VCPU": 2}}))
    with pytest.raises(exceptions.ConflictException):
        placement.set_resource_provider_inventories(provider, {"MEMORY_MB": {"total": 1024}}, 2)
    with pytest.raises(exceptions.ConflictException):
        placement.delete_resource_provider_inventories(provider)
    with pytest.raises(exceptions.ConflictException):
        placement.delete_resource_provider_inventory("VCPU", provider)
    assert placement.fetch_resource_provider_usages(provider).usages == {"VCPU": 2, "MEMORY_MB": 0}
    (held,) = placement.resource_provider_allocations(provider)
    assert held.resources == {"VCPU": 2}


def test_a_bad_inventory(placement: Proxy, provider: Any) -> None:
    with pytest.raises(exceptions.BadRequestException):
        placement.create_resource_provider_inventory(provider, "VCPU", total=0)
    with pytest.raises(exceptions.BadRequestException):
        placement.create_resource_provider_inventory(provider, "CUSTOM_NEVER_MADE", total=1)
    with pytest.raises(exceptions.BadRequestException):
        placement.set_resource_provider_inventories(provider, {"CUSTOM_NEVER_MADE": {"total": 1}}, 0)


def test_traits(placement: Proxy, provider: Any) -> None:
    trait = placement.create_trait("CUSTOM_FAST")

    assert trait.id == "CUSTOM_FAST"
    assert placement.get_trait("CUSTOM_FAST").id == "CUSTOM_FAST"
    assert [each.id for each in placement.traits(name="startswith:CUSTOM_")] == ["CUSTOM_FAST"]
    assert list(placement.traits(associated=True)) == []
    with pytest.raises(exceptions.NotFoundException):
        placement.get_trait("CUSTOM_SLOW")
    with pytest.raises(exceptions.BadRequestException):
        placement.create_trait("FAST")
    none = placement.get_resource_provider_trait(provider)
    assert (none.traits, none.resource_provider_generation) == ([], 0)
    placement.set_resource_provider_trait(none, traits=["CUSTOM_FAST", "HW_NUMA_ROOT"])
    found = placement.get_resource_provider_trait(provider)
    assert (set(found.traits), found.resource_provider_generation) == ({"CUSTOM_FAST", "HW_NUMA_ROOT"}, 1)
    bump(provider.id)
    with pytest.raises(exceptions.ConflictException):
        placement.set_resource_provider_trait(found, traits=["HW_NUMA_ROOT"])
    with pytest.raises(exceptions.ConflictException):
        placement.delete_trait(trait)
    placement.delete_resource_provider_trait(provider)
    assert placement.get_resource_provider_trait(provider).traits == []
    placement.delete_trait(trait, ignore_missing=False)
    placement.delete_trait(trait)


def test_resource_classes(placement: Proxy, provider: Any) -> None:
    created = placement.create_resource_class(name="CUSTOM_THING")

    assert placement.get_resource_class("CUSTOM_THING").name == created.name == "CUSTOM_THING"
    assert {"CUSTOM_THING", "VCPU"} <= {each.name for each in placement.resource_classes()}
    with pytest.raises(exceptions.ConflictException):
        placement.create_resource_class(name="CUSTOM_THING")
    with pytest.raises(exceptions.BadRequestException):
        placement.create_resource_class(name="THING")
    with pytest.raises(exceptions.BadRequestException):
        placement.delete_resource_class("VCPU")
    placement.create_resource_provider_inventory(provider, created, total=1)
    with pytest.raises(exceptions.ConflictException):
        placement.delete_resource_class(created)
    placement.delete_resource_provider_inventory(created.name, provider)
    placement.delete_resource_class(created, ignore_missing=False)
    with pytest.raises(exceptions.NotFoundException):
        placement.get_resource_class("CUSTOM_THING")
