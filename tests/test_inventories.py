"""Inventories over HTTP."""

from typing import Any

import pytest
from claims import error, generation, load, put
from cloud import uuid_of
from flask.testing import FlaskClient
from graph import look
from werkzeug.test import TestResponse

from graphplace.graph.database import Database

CN1 = uuid_of("cn1")
PATH = f"/resource_providers/{CN1}/inventories"
NOWHERE = f"/resource_providers/{uuid_of('nowhere')}/inventories"
IN_USE = "placement.inventory.inuse"
CONFLICT = "placement.concurrent_update"
DEFAULTS = {"reserved": 0, "min_unit": 1, "max_unit": 2**31 - 1, "step_size": 1, "allocation_ratio": 1.0}


@pytest.fixture
def host(client: FlaskClient) -> FlaskClient:
    """A host without anything, at generation 0."""
    load(client, "cn1")
    return client


def replace(client: FlaskClient, at: int, **inventories: dict[str, Any]) -> TestResponse:
    return client.put(PATH, json={"resource_provider_generation": at, "inventories": inventories})


def test_an_inventory_is_created_read_changed_and_deleted(host: FlaskClient) -> None:
    created = host.post(PATH, json={"resource_class": "VCPU", "total": 8})
    assert created.status_code == 201
    assert created.headers["location"] == f"http://localhost{PATH}/VCPU"
    assert created.json == {"total": 8, **DEFAULTS, "resource_provider_generation": 1}

    changed = host.put(f"{PATH}/VCPU", json={"total": 8, "allocation_ratio": 2, "resource_provider_generation": 1})
    assert changed.status_code == 200
    assert changed.json == {"total": 8, **DEFAULTS, "allocation_ratio": 2.0, "resource_provider_generation": 2}

    read = host.get(f"{PATH}/VCPU")
    assert read.json == changed.json
    assert read.headers["cache-control"] == "no-cache"
    assert "last-modified" in read.headers

    assert host.delete(f"{PATH}/VCPU").status_code == 204
    assert host.get(PATH).json == {"inventories": {}, "resource_provider_generation": 3}


def test_all_inventories_are_replaced_at_once(host: FlaskClient) -> None:
    first = replace(host, 0, VCPU={"total": 8}, DISK_GB={"total": 100, "reserved": 100})
    assert first.status_code == 200
    assert first.json["resource_provider_generation"] == 1

    second = replace(host, 1, VCPU={"total": 4}, MEMORY_MB={"total": 4.0, "resource_provider_generation": 77})
    expected = {"VCPU": {"total": 4, **DEFAULTS}, "MEMORY_MB": {"total": 4, **DEFAULTS}}
    assert second.json == {"inventories": expected, "resource_provider_generation": 2}
    assert host.get(PATH).json == second.json


def test_every_write_counts_even_of_the_same_inventory(host: FlaskClient) -> None:
    for at in range(3):
        assert replace(host, at, VCPU={"total": 8}).status_code == 200
    assert host.delete(PATH).status_code == 204
    assert host.delete(PATH).status_code == 204

    assert generation(host, "cn1") == 5


def test_a_stale_generation_is_a_conflict(host: FlaskClient) -> None:
    replace(host, 0, VCPU={"total": 8})
    for answer in (
        replace(host, 0, VCPU={"total": 4}),
        host.put(f"{PATH}/VCPU", json={"total": 4, "resource_provider_generation": 0}),
    ):
        status, code, detail = error(answer)
        assert (status, code) == (409, CONFLICT)
        assert "resource provider generation conflict" in detail
    assert host.get(f"{PATH}/VCPU").json["total"] == 8


def test_an_inventory_that_exists_is_not_created_again(host: FlaskClient) -> None:
    host.post(PATH, json={"resource_class": "VCPU", "total": 8})
    status, code, detail = error(host.post(PATH, json={"resource_class": "VCPU", "total": 9}))

    assert (status, code) == (409, CONFLICT)
    assert "Update conflict" in detail
    assert generation(host, "cn1") == 1


def test_reserving_more_than_there_is_is_refused(host: FlaskClient) -> None:
    """LP 1638681 and the limits beside it."""
    record = {"total": 8, "reserved": 9}
    status, _, detail = error(host.post(PATH, json=record | {"resource_class": "VCPU"}))
    assert status == 400
    assert f"Unable to create inventory for resource provider {CN1}" in detail

    replace(host, 0, VCPU={"total": 8})
    for answer in (
        replace(host, 1, VCPU=record),
        host.put(f"{PATH}/VCPU", json=record | {"resource_provider_generation": 1}),
    ):
        status, _, detail = error(answer)
        assert status == 400
        assert f"Unable to update inventory for resource provider {CN1}" in detail
        assert "greater than total" in detail


@pytest.mark.parametrize(
    ("record", "token"),
    [
        ({}, "'total' is a required property"),
        ({"total": 0}, "0 is less than the minimum of 1"),
        ({"total": -1}, "-1 is less than the minimum of 1"),
        ({"total": 2**31}, "Failed validating 'maximum'"),
        ({"total": 10**30}, "Failed validating 'maximum'"),
        ({"total": 4.5}, "is not of type 'integer'"),
        ({"total": True}, "is not of type 'integer'"),
        ({"total": "8"}, "is not of type 'integer'"),
        ({"total": None}, "is not of type 'integer'"),
        ({"total": 8, "min_unit": 0}, "['properties']['min_unit']"),
        ({"total": 8, "step_size": 0}, "['properties']['step_size']"),
        ({"total": 8, "allocation_ratio": 3.40282e39}, "Failed validating 'maximum'"),
        ({"total": 8, "colour": "red"}, "Additional properties are not allowed"),
    ],
)
def test_bad_records_are_refused(host: FlaskClient, record: dict[str, Any], token: str) -> None:
    for answer in (
        host.post(PATH, json=record | {"resource_class": "VCPU"}),
        host.put(f"{PATH}/VCPU", json=record | {"resource_provider_generation": 0}),
        replace(host, 0, VCPU=record),
    ):
        status, _, detail = error(answer)
        assert status == 400
        assert "JSON does not validate" in detail
        assert token in detail
    assert host.get(PATH).json == {"inventories": {}, "resource_provider_generation": 0}


def test_unknown_classes_are_refused(host: FlaskClient) -> None:
    created = host.post(PATH, json={"resource_class": "CUSTOM_NOPE", "total": 1})
    assert error(created)[0] == 400
    assert "No such resource class CUSTOM_NOPE" in error(created)[2]
    assert (
        "Unknown resource class in inventory" in error(replace(host, 0, CUSTOM_NOPE={"total": 1}, VCPU={"total": 1}))[2]
    )
    assert error(host.post(PATH, json={"resource_class": "vcpu", "total": 1}))[0] == 400
    assert host.get(PATH).json["inventories"] == {}
    assert generation(host, "cn1") == 0


def test_a_class_without_inventory(host: FlaskClient) -> None:
    record = {"total": 1, "resource_provider_generation": 0}
    status, _, detail = error(host.put(f"{PATH}/VCPU", json=record))
    assert status == 400
    assert "No inventory record with resource class" in detail
    assert error(host.put(f"{PATH}/CUSTOM_NOPE", json=record))[0] == 404
    assert f"No inventory of class VCPU for {CN1}" in error(host.get(f"{PATH}/VCPU"))[2]
    for name in ("VCPU", "CUSTOM_NOPE"):
        status, _, detail = error(host.delete(f"{PATH}/{name}"))
        assert status == 404
        assert f"No inventory of class {name} found for delete" in detail
        assert "No resource provider with uuid" not in detail


def test_an_unknown_provider_is_not_found_whatever_is_sent(client: FlaskClient) -> None:
    for answer in (
        client.get(NOWHERE),
        client.get(f"{NOWHERE}/VCPU"),
        client.post(NOWHERE, json={"resource_class": "VCPU", "total": 1}),
        client.post(NOWHERE, json={}),
        client.put(NOWHERE, json={"resource_provider_generation": 0, "inventories": {}}),
        client.put(NOWHERE, json={}),
        client.put(f"{NOWHERE}/VCPU", json={"resource_provider_generation": 0, "total": 1}),
        client.put(f"{NOWHERE}/VCPU", json={}),
        client.delete(NOWHERE),
        client.delete(f"{NOWHERE}/VCPU"),
        client.get("/resource_providers/%00/inventories"),
    ):
        status, _, detail = error(answer)
        assert status == 404
        assert "No resource provider with uuid" in detail


def test_what_is_in_use_stays(host: FlaskClient) -> None:
    """LP 1746374, and the message that lists classes in the order of os-resource-classes."""
    replace(host, 0, DISK_GB={"total": 9}, MEMORY_MB={"total": 9}, VCPU={"total": 9})
    assert put(host, "c1", {"cn1": {"DISK_GB": 1, "VCPU": 1}}).status_code == 204
    for answer in (host.delete(PATH), replace(host, 2, MEMORY_MB={"total": 9})):
        status, code, detail = error(answer)
        assert (status, code) == (409, IN_USE)
        assert f"update conflict: Inventory for 'VCPU, DISK_GB' on resource provider '{CN1}' in use" in detail
    # As in Placement, which calls it so here alone.
    assert error(host.delete(f"{PATH}/VCPU"))[:2] == (409, CONFLICT)
    assert host.delete(f"{PATH}/MEMORY_MB").status_code == 204
    assert set(host.get(PATH).json["inventories"]) == {"DISK_GB", "VCPU"}


def test_shrinking_below_what_is_in_use_is_allowed(host: FlaskClient, database: Database) -> None:
    """LP 1619722."""
    replace(host, 0, VCPU={"total": 9})
    put(host, "c1", {"cn1": {"VCPU": 7}})
    assert replace(host, 2, VCPU={"total": 4}).status_code == 200

    assert inventory_of(database, "VCPU") == {"capacity": 4, "used": 7, "free": -3}


@pytest.mark.parametrize(
    ("record", "capacity"),
    [
        ({"total": 100, "allocation_ratio": 0.57}, 57),
        ({"total": 7, "reserved": 2, "allocation_ratio": 1.1}, 5),
        ({"total": 2147483647, "allocation_ratio": 16}, 34359738352),
        ({"total": 8, "allocation_ratio": 0}, 0),
        ({"total": 2147483647, "allocation_ratio": 3.40282e38}, 2**63 - 1),
    ],
)
def test_capacity_is_exact(host: FlaskClient, database: Database, record: dict[str, Any], capacity: int) -> None:
    assert replace(host, 0, VCPU=record).status_code == 200

    assert inventory_of(database, "VCPU") == {"capacity": capacity, "used": 0, "free": capacity}


def inventory_of(database: Database, name: str) -> dict[str, int]:
    text = "MATCH (i:Inventory {resource_class: $name}) RETURN i.capacity AS capacity, i.used AS used, i.free AS free"
    (row,) = look(database, text, name=name)
    return row
