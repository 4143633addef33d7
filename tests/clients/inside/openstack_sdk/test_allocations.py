"""openstacksdk: candidates, allocations and usages."""

import uuid
from typing import Any

import pytest
from openstack import exceptions
from openstack.placement.v1._proxy import Proxy
from service import claim, touch

OWNER = {"project_id": "project", "user_id": "user", "consumer_type": "INSTANCE"}


@pytest.fixture
def provider(placement: Proxy) -> Any:
    """A provider of 8 VCPU."""
    found = placement.create_resource_provider(name="provider")
    return placement.set_resource_provider_inventories(found, {"VCPU": {"total": 8}}, 0)


def test_candidates_become_an_allocation(placement: Proxy, provider: Any) -> None:
    (candidate,) = placement.allocation_candidates(resources="VCPU:2")
    consumer = str(uuid.uuid4())

    assert candidate.allocations == {provider.id: {"resources": {"VCPU": 2}}}
    assert candidate.mappings == {"": [provider.id]}
    assert candidate.provider_summaries[provider.id]["resources"] == {"VCPU": {"capacity": 8, "used": 0}}
    placement.update_allocation(consumer, allocations=candidate.allocations, consumer_generation=None, **OWNER)
    found = placement.get_allocation(consumer)
    assert found.allocations[provider.id]["resources"] == {"VCPU": 2}
    assert (found.consumer_generation, found.consumer_type, found.project_id, found.user_id) == (
        1,
        "INSTANCE",
        "project",
        "user",
    )
    assert list(placement.allocation_candidates(resources="VCPU:7")) == []
    placement.delete_allocation(consumer, ignore_missing=False)
    assert placement.get_allocation(consumer).allocations == {}
    with pytest.raises(exceptions.NotFoundException):
        placement.delete_allocation(consumer, ignore_missing=False)


def test_candidates_with_groups(placement: Proxy, provider: Any) -> None:
    child = placement.create_resource_provider(name="child", parent_provider_uuid=provider.id)
    placement.set_resource_provider_inventories(child, {"VGPU": {"total": 1}}, 0)

    (candidate,) = placement.allocation_candidates(
        resources="VCPU:1", resources_G="VGPU:1", group_policy="none", limit=5, in_tree=provider.id
    )

    assert candidate.allocations == {
        provider.id: {"resources": {"VCPU": 1}},
        child.id: {"resources": {"VGPU": 1}},
    }
    assert candidate.mappings == {"": [provider.id], "_G": [child.id]}


def test_candidates_of_a_bad_request(placement: Proxy) -> None:
    with pytest.raises(exceptions.BadRequestException):
        list(placement.allocation_candidates(resources="CUSTOM_NEVER_MADE:2"))


def test_several_consumers_at_once(placement: Proxy, provider: Any) -> None:
    one, two = str(uuid.uuid4()), str(uuid.uuid4())
    typed = {"consumer_type": "INSTANCE"}
    placement.create_allocations({one: claim({provider.id: {"VCPU": 8}}) | typed})

    placement.create_allocations(
        {one: claim({}, 1) | typed, two: claim({provider.id: {"VCPU": 8}}) | typed},
    )

    assert placement.get_allocation(one).allocations == {}
    assert placement.get_allocation(two).allocations[provider.id]["resources"] == {"VCPU": 8}


def test_conflicts(placement: Proxy, provider: Any) -> None:
    consumer = str(uuid.uuid4())
    two = {provider.id: {"resources": {"VCPU": 2}}}

    with pytest.raises(exceptions.ConflictException):
        placement.update_allocation(
            consumer, allocations={provider.id: {"resources": {"VCPU": 9}}}, consumer_generation=None, **OWNER
        )
    placement.update_allocation(consumer, allocations=two, consumer_generation=None, **OWNER)
    touch(consumer)
    with pytest.raises(exceptions.ConflictException):
        placement.update_allocation(consumer, allocations=two, consumer_generation=1, **OWNER)
    with pytest.raises(exceptions.ConflictException):
        placement.create_allocations({consumer: claim({}, 1) | {"consumer_type": "INSTANCE"}})
    assert placement.get_allocation(consumer).allocations[provider.id]["resources"] == {"VCPU": 2}


def test_usages_by_type(placement: Proxy, provider: Any) -> None:
    for kind in ("INSTANCE", "MIGRATION"):
        placement.create_allocations({str(uuid.uuid4()): claim({provider.id: {"VCPU": 2}}) | {"consumer_type": kind}})

    found = {used.consumer_type: (used.consumer_count, used.resources) for used in placement.usages("project")}
    assert found == {"INSTANCE": (1, {"VCPU": 2}), "MIGRATION": (1, {"VCPU": 2})}
    (used,) = placement.usages("project", user_id="user", consumer_type="MIGRATION")
    assert (used.consumer_count, used.resources) == (1, {"VCPU": 2})
