"""Nova's client: the scheduler's claims, moves, and what else happens to the allocations of an instance."""

import uuid
from functools import partial
from typing import Any

import pytest
from nova import exception
from nova.context import RequestContext
from nova.objects import RequestGroup, RequestLevelParams
from nova.scheduler.client import report
from nova.scheduler.client.report import SchedulerReportClient
from nova.scheduler.utils import ResourceRequest
from service import Wire, bump, call, claim, touch

SOURCE, TARGET, DEVICE, AGGREGATE, INSTANCE, MIGRATION = (str(uuid.uuid4()) for _ in range(6))
GET, PUT = f"GET /allocations/{INSTANCE}", f"PUT /allocations/{INSTANCE}"
VERSION = report.SAME_SUBTREE_VERSION


@pytest.fixture(autouse=True)
def _two_hosts(_empty_service: None) -> None:
    """Two hosts of 8 VCPU; below the target a device with bandwidth."""
    for host, parent, amounts in (
        (SOURCE, None, {"VCPU": 8}),
        (TARGET, None, {"VCPU": 8}),
        (DEVICE, TARGET, {"NET_BW_EGR_KILOBIT_PER_SEC": 1000}),
    ):
        path = f"/resource_providers/{host}"
        call("POST", "/resource_providers", {"uuid": host, "name": host, "parent_provider_uuid": parent})
        inventories = {name: {"total": total} for name, total in amounts.items()}
        call("PUT", f"{path}/inventories", {"inventories": inventories, "resource_provider_generation": 0})
    path = f"/resource_providers/{DEVICE}/traits"
    call("PUT", path, {"traits": ["HW_NIC_SRIOV"], "resource_provider_generation": 1})
    path = f"/resource_providers/{TARGET}/aggregates"
    call("PUT", path, {"aggregates": [AGGREGATE], "resource_provider_generation": 1})


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client waits some seconds at random before it tries again."""
    monkeypatch.setattr(report.random, "uniform", lambda _low, _high: 0)


@pytest.fixture
def instance() -> str:
    """An instance that holds 2 VCPU of the source."""
    call("PUT", f"/allocations/{INSTANCE}", claim({SOURCE: {"VCPU": 2}}))
    return INSTANCE


def on(provider: str, vcpus: int) -> dict[str, Any]:
    return {"allocations": {provider: {"resources": {"VCPU": vcpus}}}}


def held(consumer: str) -> dict[str, dict[str, int]]:
    found = call("GET", f"/allocations/{consumer}")["allocations"]
    return {provider: entry["resources"] for provider, entry in found.items()}


def test_candidates_and_a_claim(client: SchedulerReportClient, admin: RequestContext) -> None:
    groups = [
        RequestGroup(use_same_provider=True, requester_id="_host", resources={"VCPU": 2}, aggregates=[[AGGREGATE]]),
        RequestGroup(
            use_same_provider=True,
            requester_id="_port",
            resources={"NET_BW_EGR_KILOBIT_PER_SEC": 100},
            required_traits={"HW_NIC_SRIOV"},
        ),
    ]
    request = ResourceRequest.from_request_groups(groups, RequestLevelParams(), "isolate")

    requests, summaries, version = client.get_allocation_candidates(admin, request)

    assert requests == [
        {
            "allocations": {
                TARGET: {"resources": {"VCPU": 2}},
                DEVICE: {"resources": {"NET_BW_EGR_KILOBIT_PER_SEC": 100}},
            },
            "mappings": {"_host": [TARGET], "_port": [DEVICE]},
        }
    ]
    assert summaries == {
        TARGET: {
            "resources": {"VCPU": {"capacity": 8, "used": 0}},
            "traits": [],
            "parent_provider_uuid": None,
            "root_provider_uuid": TARGET,
        },
        DEVICE: {
            "resources": {"NET_BW_EGR_KILOBIT_PER_SEC": {"capacity": 1000, "used": 0}},
            "traits": ["HW_NIC_SRIOV"],
            "parent_provider_uuid": TARGET,
            "root_provider_uuid": TARGET,
        },
    }
    assert client.claim_resources(admin, INSTANCE, requests[0], "project", "user", version)
    assert held(INSTANCE) == {TARGET: {"VCPU": 2}, DEVICE: {"NET_BW_EGR_KILOBIT_PER_SEC": 100}}
    assert client.get_allocs_for_consumer(admin, INSTANCE)["consumer_generation"] == 1


def test_candidates_of_a_bad_request(client: SchedulerReportClient, admin: RequestContext) -> None:
    traits = {"CUSTOM_NEVER_MADE"}
    group = RequestGroup(use_same_provider=True, requester_id="_host", resources={"VCPU": 2}, required_traits=traits)
    request = ResourceRequest.from_request_groups([group], RequestLevelParams(), "none")

    assert client.get_allocation_candidates(admin, request) == (None, None, None)


def test_a_claim_that_does_not_fit(client: SchedulerReportClient, admin: RequestContext, wire: Wire) -> None:
    assert not client.claim_resources(admin, INSTANCE, on(TARGET, 9), "project", "user", VERSION)
    assert wire.sent == [GET, PUT]
    assert held(INSTANCE) == {}


def test_an_evacuation_holds_both_hosts(client: SchedulerReportClient, admin: RequestContext, instance: str) -> None:
    assert client.claim_resources(admin, instance, on(TARGET, 2), "project", "user", VERSION)
    assert held(instance) == {SOURCE: {"VCPU": 2}, TARGET: {"VCPU": 2}}

    assert client.remove_provider_tree_from_instance_allocation(admin, instance, SOURCE)
    assert held(instance) == {TARGET: {"VCPU": 2}}


def test_an_instance_that_changes_during_the_claim(
    client: SchedulerReportClient, admin: RequestContext, instance: str, wire: Wire
) -> None:
    wire.after(GET, partial(touch, instance))

    with pytest.raises(exception.AllocationUpdateFailed):
        client.claim_resources(admin, instance, on(TARGET, 2), "project", "user", VERSION)
    assert wire.sent == [GET, PUT]
    assert held(instance) == {SOURCE: {"VCPU": 2}}


def test_an_instance_that_is_there_already(client: SchedulerReportClient, admin: RequestContext, wire: Wire) -> None:
    wire.after(GET, lambda: call("PUT", f"/allocations/{INSTANCE}", claim({SOURCE: {"VCPU": 2}})))

    with pytest.raises(exception.AllocationUpdateFailed):
        client.claim_resources(admin, INSTANCE, on(TARGET, 2), "project", "user", VERSION)


def test_allocations_move_to_a_migration(client: SchedulerReportClient, admin: RequestContext, instance: str) -> None:
    assert client.move_allocations(admin, instance, MIGRATION)
    assert (held(instance), held(MIGRATION)) == ({}, {SOURCE: {"VCPU": 2}})

    assert client.move_allocations(admin, instance, MIGRATION), "moved already is no failure"
    assert client.move_allocations(admin, MIGRATION, instance)
    assert (held(instance), held(MIGRATION)) == ({SOURCE: {"VCPU": 2}}, {})


def test_a_move_from_a_full_host(client: SchedulerReportClient, admin: RequestContext, instance: str) -> None:
    call("PUT", f"/allocations/{uuid.uuid4()}", claim({SOURCE: {"VCPU": 6}}))

    assert client.move_allocations(admin, instance, MIGRATION)
    assert held(MIGRATION) == {SOURCE: {"VCPU": 2}}


def test_an_instance_that_changes_during_the_move(
    client: SchedulerReportClient, admin: RequestContext, instance: str, wire: Wire
) -> None:
    wire.after(f"GET /allocations/{MIGRATION}", partial(touch, instance))

    with pytest.raises(exception.AllocationMoveFailed):
        client.move_allocations(admin, instance, MIGRATION)
    assert (held(instance), held(MIGRATION)) == ({SOURCE: {"VCPU": 2}}, {})


def test_put_allocations(client: SchedulerReportClient, admin: RequestContext, instance: str, wire: Wire) -> None:
    assert client.put_allocations(admin, instance, claim({TARGET: {"VCPU": 1}}, 1))
    assert held(instance) == {TARGET: {"VCPU": 1}}

    wire.sent.clear()
    with pytest.raises(exception.AllocationUpdateFailed, match="consumer generation conflict"):
        client.put_allocations(admin, instance, claim({TARGET: {"VCPU": 2}}, 1))
    assert not client.put_allocations(admin, instance, claim({TARGET: {"VCPU": 9}}, 2))
    assert not client.put_allocations(admin, instance, claim({str(uuid.uuid4()): {"VCPU": 1}}, 2))
    assert not client.put_allocations(admin, instance, claim({TARGET: {"MEMORY_MB": 1}}, 2))
    assert wire.sent == [PUT] * 4


def test_the_generation_of_a_provider_matters_to_no_claim(
    client: SchedulerReportClient, admin: RequestContext, instance: str, wire: Wire
) -> None:
    wire.after(GET, partial(bump, TARGET))

    assert client.claim_resources(admin, instance, on(TARGET, 2), "project", "user", VERSION)
    assert wire.sent == [GET, PUT]


@pytest.mark.parametrize("force", [True, False])
def test_deletion(client: SchedulerReportClient, admin: RequestContext, instance: str, *, force: bool) -> None:
    assert client.delete_allocation_for_instance(admin, instance, force=force)
    assert held(instance) == {}
    assert not client.delete_allocation_for_instance(admin, instance, force=force)


def test_an_instance_that_changes_during_its_deletion(
    client: SchedulerReportClient, admin: RequestContext, instance: str, wire: Wire
) -> None:
    wire.after(GET, partial(touch, instance))

    with pytest.raises(exception.AllocationDeleteFailed):
        client.delete_allocation_for_instance(admin, instance)
    assert held(instance) == {SOURCE: {"VCPU": 2}}


def test_resources_are_added_and_removed(
    client: SchedulerReportClient, admin: RequestContext, instance: str, wire: Wire
) -> None:
    port = {DEVICE: {"resources": {"NET_BW_EGR_KILOBIT_PER_SEC": 100}}}
    wire.after(GET, partial(touch, instance))

    client.add_resources_to_instance_allocation(admin, instance, port)

    assert wire.sent == [GET, PUT] * 2
    assert held(instance) == {SOURCE: {"VCPU": 2}, DEVICE: {"NET_BW_EGR_KILOBIT_PER_SEC": 100}}
    wire.after(GET, partial(touch, instance))
    client.remove_resources_from_instance_allocation(admin, instance, port)
    assert held(instance) == {SOURCE: {"VCPU": 2}}
    with pytest.raises(exception.AllocationUpdateFailed):
        client.remove_resources_from_instance_allocation(admin, instance, port)
    too_much = {SOURCE: {"resources": {"VCPU": 7}}}
    with pytest.raises(exception.AllocationUpdateFailed, match="capacity"):
        client.add_resources_to_instance_allocation(admin, instance, too_much)


def test_an_instance_that_always_changes(
    client: SchedulerReportClient, admin: RequestContext, instance: str, wire: Wire
) -> None:
    wire.after(GET, partial(touch, instance), times=4)

    with pytest.raises(exception.AllocationUpdateFailed, match="multiple successive generation conflicts"):
        client.add_resources_to_instance_allocation(admin, instance, {SOURCE: {"resources": {"VCPU": 1}}})
    assert wire.sent == [GET, PUT] * 4


def test_allocations_by_provider(client: SchedulerReportClient, admin: RequestContext, instance: str) -> None:
    found = client.get_allocations_for_resource_provider(admin, SOURCE).allocations

    assert found == {instance: {"resources": {"VCPU": 2}}}
    assert client.get_allocations_for_consumer(admin, str(uuid.uuid4())) == {}


def test_usages_for_limits_and_quotas(client: SchedulerReportClient, admin: RequestContext, instance: str) -> None:
    call("PUT", f"/allocations/{MIGRATION}", claim({TARGET: {"VCPU": 3}}) | {"user_id": "other"})

    assert client.get_usages_counts_for_limits(admin, "project") == {"VCPU": 5}
    assert client.get_usages_counts_for_quota(admin, "project", user_id="user") == {
        "project": {"cores": 5, "ram": 0},
        "user": {"cores": 2, "ram": 0},
    }
    assert held(instance) == {SOURCE: {"VCPU": 2}}
    assert client.get_usages_counts_for_limits(admin, "nobody") == {}
