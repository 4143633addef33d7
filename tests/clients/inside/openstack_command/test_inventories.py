"""The command openstack: resource classes, inventories and what is used of them."""

import uuid
from functools import partial
from typing import Any

import pytest
from service import Wire, bump, call, claim

PROVIDER, OTHER, UNKNOWN = (str(uuid.uuid4()) for _ in range(3))
VCPU = {
    "resource_class": "VCPU",
    "allocation_ratio": 1.0,
    "min_unit": 1,
    "max_unit": 2147483647,
    "reserved": 0,
    "step_size": 1,
    "total": 8,
}
MEMORY = VCPU | {"resource_class": "MEMORY_MB", "total": 1024}


@pytest.fixture(autouse=True)
def _providers(_empty_service: None) -> None:
    for provider in (PROVIDER, OTHER):
        call("POST", "/resource_providers", {"uuid": provider, "name": provider})


def by_class(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: row["resource_class"], reverse=True)


@pytest.mark.parametrize("version", ["1.0", "1.19", "1.26", "1.39"])
def test_all_inventories_are_replaced(openstack: Any, version: str) -> None:
    resources = "--resource VCPU=8 --resource MEMORY_MB=1024"

    written = openstack.json(f"resource provider inventory set {PROVIDER} {resources}", version)
    assert by_class(written) == [VCPU, MEMORY]
    listed = openstack.json(f"resource provider inventory list {PROVIDER}", version)
    assert by_class(listed) == [VCPU | {"used": 0}, MEMORY | {"used": 0}]
    one = f"resource provider inventory set {PROVIDER} --resource VCPU=8"
    assert openstack.json(one, version) == [VCPU]
    assert openstack.json(f"resource provider inventory set {PROVIDER}", version) == []


def test_inventories_are_amended(openstack: Any) -> None:
    command = f"resource provider inventory set {PROVIDER}"
    openstack.json(f"{command} --resource VCPU=8 --resource MEMORY_MB=1024")
    amended = [VCPU | {"allocation_ratio": 16.0, "max_unit": 4}, MEMORY]
    options = "--amend --resource VCPU:allocation_ratio=16.0 --resource VCPU:max_unit=4"

    assert by_class(openstack.json(f"{command} {options} --dry-run")) == amended
    listed = openstack.json(f"resource provider inventory list {PROVIDER}")
    assert by_class(listed) == [VCPU | {"used": 0}, MEMORY | {"used": 0}]
    assert by_class(openstack.json(f"{command} {options}")) == amended
    shown = openstack.json(f"resource provider inventory show {PROVIDER} VCPU")
    assert {"resource_class": "VCPU", **shown} == amended[0] | {"used": 0}


def test_one_inventory_is_replaced(openstack: Any) -> None:
    openstack.json(f"resource provider inventory set {PROVIDER} --resource VCPU=8")

    written = openstack.json(f"resource provider inventory class set {PROVIDER} VCPU --total 16 --reserved 2", "1.0")

    assert {"resource_class": "VCPU", **written} == VCPU | {"total": 16, "reserved": 2}


def test_the_inventories_of_an_aggregate(openstack: Any, wire: Wire) -> None:
    aggregate = str(uuid.uuid4())
    for provider in (PROVIDER, OTHER):
        openstack.json(f"resource provider aggregate set {provider} --aggregate {aggregate} --generation 0")
    command = f"resource provider inventory set {aggregate} --aggregate --resource VCPU=8"

    written = openstack.json(command, "1.3")

    assert {row["resource_provider"] for row in written} == {PROVIDER, OTHER}
    assert [row | {"resource_provider": ""} for row in written] == [VCPU | {"resource_provider": ""}] * 2
    assert "No resource providers found in aggregate" in openstack.refusal(command.replace(aggregate, UNKNOWN))
    # Somebody else writes to one of the two in between: the other is set all the same.
    wire.after(f"GET /resource_providers?member_of={aggregate}", partial(bump, OTHER))
    refusal = openstack.refusal(command.replace("VCPU=8", "VCPU=16"))
    assert f"Failed to set inventory for resource provider {OTHER}" in refusal
    assert "resource provider generation conflict" in refusal
    assert "Failed to set inventory for 1 of 2 resource providers." in refusal
    totals = {
        provider: openstack.json(f"resource provider inventory show {provider} VCPU")["total"]
        for provider in (PROVIDER, OTHER)
    }
    assert totals == {PROVIDER: 16, OTHER: 8}


def test_somebody_else_writes_in_between(openstack: Any, wire: Wire) -> None:
    wire.after(f"GET /resource_providers/{PROVIDER}", partial(bump, PROVIDER), times=3)

    refusal = openstack.refusal(f"resource provider inventory set {PROVIDER} --resource VCPU=8")
    assert "resource provider generation conflict" in refusal
    assert refusal.endswith("(HTTP 409)")
    refusal = openstack.refusal(f"resource provider trait set {PROVIDER} --trait HW_NUMA_ROOT")
    assert "generation" in refusal
    assert refusal.endswith("(HTTP 409)")


def test_deletion(openstack: Any) -> None:
    resources = "--resource VCPU=8 --resource MEMORY_MB=1024 --resource DISK_GB=10"
    openstack.json(f"resource provider inventory set {PROVIDER} {resources}")

    openstack.do(f"resource provider inventory delete {PROVIDER} --resource-class DISK_GB", "1.0")
    listed = openstack.json(f"resource provider inventory list {PROVIDER}")
    assert {row["resource_class"] for row in listed} == {"VCPU", "MEMORY_MB"}
    openstack.do(f"resource provider inventory delete {PROVIDER}", "1.5")
    assert openstack.json(f"resource provider inventory list {PROVIDER}") == []


def test_inventory_in_use(openstack: Any) -> None:
    openstack.json(f"resource provider inventory set {PROVIDER} --resource VCPU=8")
    call("PUT", f"/allocations/{uuid.uuid4()}", claim({PROVIDER: {"VCPU": 2}}))

    assert openstack.json(f"resource provider inventory show {PROVIDER} VCPU")["used"] == 2
    for command in (
        f"resource provider inventory set {PROVIDER} --resource MEMORY_MB=1024",
        f"resource provider inventory delete {PROVIDER}",
        f"resource provider inventory delete {PROVIDER} --resource-class VCPU",
    ):
        refusal = openstack.refusal(command)
        assert "VCPU" in refusal
        assert "in use" in refusal
        assert refusal.endswith("(HTTP 409)")
    refusal = openstack.refusal(f"resource provider delete {PROVIDER}")
    assert "(HTTP 409)" in refusal


@pytest.mark.parametrize(
    ("command", "refusal"),
    [
        (f"resource provider inventory list {UNKNOWN}", f"No resource provider with uuid {UNKNOWN} found"),
        (f"resource provider inventory set {UNKNOWN} --resource VCPU=8", "No resource provider"),
        (f"resource provider inventory delete {UNKNOWN}", "No resource provider"),
        (f"resource provider inventory delete {UNKNOWN} --resource-class VCPU", "No resource provider"),
        (f"resource provider inventory show {PROVIDER} VCPU", f"No inventory of class VCPU for {PROVIDER}"),
        (
            f"resource provider inventory delete {PROVIDER} --resource-class VCPU",
            "No inventory of class VCPU found for delete",
        ),
        (f"resource provider inventory class set {PROVIDER} VCPU --total 8", "No inventory of class VCPU"),
        (f"resource provider inventory class set {PROVIDER} CUSTOM_X --total 8", "No such resource class CUSTOM_X"),
        (f"resource provider inventory set {PROVIDER} --resource CUSTOM_X=8", "Unknown resource class"),
        (f"resource provider inventory set {PROVIDER} --resource VCPU=0", "JSON does not validate"),
        (f"resource provider inventory set {PROVIDER} --resource VCPU:step_size=2", "JSON does not validate"),
    ],
)
def test_refusals(openstack: Any, command: str, refusal: str) -> None:
    text = openstack.refusal(command)

    assert refusal in text
    assert text.endswith(("(HTTP 400)", "(HTTP 404)"))


def test_resource_classes(openstack: Any) -> None:
    openstack.do("resource class create CUSTOM_ONE", "1.2")
    openstack.do("resource class set CUSTOM_TWO", "1.7")
    openstack.do("resource class set CUSTOM_TWO", "1.7")

    names = {entry["name"] for entry in openstack.json("resource class list", "1.2")}
    assert {"CUSTOM_ONE", "CUSTOM_TWO", "VCPU", "MEMORY_MB"} <= names
    assert openstack.json("resource class show CUSTOM_ONE", "1.2") == {"name": "CUSTOM_ONE"}
    assert "already exists" in openstack.refusal("resource class create CUSTOM_ONE")
    assert "JSON does not validate" in openstack.refusal("resource class create ONE")
    openstack.do("resource class delete CUSTOM_ONE", "1.2")
    assert "No such resource class" in openstack.refusal("resource class show CUSTOM_ONE")
    assert "No such resource class" in openstack.refusal("resource class delete CUSTOM_ONE")
    assert "Cannot delete standard resource class" in openstack.refusal("resource class delete VCPU")
    openstack.json(f"resource provider inventory set {PROVIDER} --resource CUSTOM_TWO=8")
    assert "(HTTP 409)" in openstack.refusal("resource class delete CUSTOM_TWO")
