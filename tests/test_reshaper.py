"""The reshaper over HTTP."""

from typing import Any

import pytest
from claims import claim, consumer, error, generation, held_by, load, put, used
from cloud import uuid_of
from derived import drift
from flask.testing import FlaskClient
from werkzeug.exceptions import default_exceptions
from werkzeug.test import TestResponse

from graphplace.graph.database import Database

CN, NUMA = uuid_of("cn"), uuid_of("numa")
CONFLICT = "placement.concurrent_update"
EXTENDED = {"OpenStack-API-Version": "placement 1.39, graphplace 1.0"}
OLD = {"VCPU": {"total": 8}, "VGPU": {"total": 2}}
NEW = {"VCPU": {"total": 8}}
VGPUS = {"VGPU": {"total": 2}}


@pytest.fixture
def hosts(client: FlaskClient) -> FlaskClient:
    """A host whose GPUs two consumers share, and an empty child; another host beside it."""
    load(client, "cn  VCPU:8  VGPU:2\n  numa\nother  VCPU:8")
    for name in ("c1", "c2"):
        assert put(client, name, {"cn": {"VCPU": 1, "VGPU": 1}}).status_code == 204
    return client


def reshape(
    client: FlaskClient,
    inventories: dict[str, dict[str, Any]],
    allocations: dict[str, dict[str, Any]],
    at: dict[str, int] | None = None,
) -> TestResponse:
    shapes = {
        uuid_of(name): {
            "inventories": given,
            "resource_provider_generation": (at or {}).get(name, 0) or generation(client, name),
        }
        for name, given in inventories.items()
    }
    claims = {uuid_of(name): body for name, body in allocations.items()}
    body = {"inventories": shapes, "allocations": claims}
    foreseen = preview(client, body)
    answer = client.post("/reshaper", json=body)
    assert first_conflict(foreseen) == (None if answer.status_code == 204 else error(answer))
    return answer


def preview(client: FlaskClient, body: Any) -> dict[str, Any]:
    answer = client.post("/reshaper/preview", json=body, headers=EXTENDED)
    assert answer.status_code == 200, answer.text
    return dict(answer.json)


def first_conflict(preview: dict[str, Any]) -> tuple[int, str, str] | None:
    """The refusal that a preview foresees, as :func:`error` has it."""
    if not preview["conflicts"]:
        return None
    first = preview["conflicts"][0]
    words = default_exceptions[first["status"]].description
    return first["status"], first["code"], f"{words}\n\n {first['detail']}  "


def moved(at: int = 1) -> dict[str, dict[str, Any]]:
    return {name: claim({"cn": {"VCPU": 1}, "numa": {"VGPU": 1}}, at) for name in ("c1", "c2")}


def state(client: FlaskClient) -> list[object]:
    providers = [
        client.get(f"/resource_providers/{uuid_of(name)}/{what}").json
        for name in ("cn", "numa", "other")
        for what in ("inventories", "usages", "allocations")
    ]
    return [*providers, *(consumer(client, name) for name in ("c1", "c2", "c3"))]


def test_inventory_and_allocations_move_to_a_child(hosts: FlaskClient) -> None:
    """LP 1781430: every consumer of the class moves, not only the first."""
    assert reshape(hosts, {"cn": NEW, "numa": VGPUS}, moved()).status_code == 204

    assert used(hosts, "cn") == {"VCPU": 2}
    assert used(hosts, "numa") == {"VGPU": 2}
    for name in ("c1", "c2"):
        assert held_by(hosts, name) == {CN: {"VCPU": 1}, NUMA: {"VGPU": 1}}
        assert consumer(hosts, name)["consumer_generation"] == 2


def test_it_moves_back_and_leaves_the_child_with_nothing(hosts: FlaskClient) -> None:
    """LP 1783130."""
    reshape(hosts, {"cn": NEW, "numa": VGPUS}, moved())
    back = {name: claim({"cn": {"VCPU": 1, "VGPU": 1}}, 2) for name in ("c1", "c2")}
    assert reshape(hosts, {"cn": OLD, "numa": {}}, back).status_code == 204

    assert used(hosts, "cn") == {"VCPU": 2, "VGPU": 2}
    assert used(hosts, "numa") == {}


def test_generations_grow_as_by_the_writes_that_a_reshape_stands_for(hosts: FlaskClient) -> None:
    before = {name: generation(hosts, name) for name in ("cn", "numa", "other")}
    assert reshape(hosts, {"cn": NEW, "numa": VGPUS, "other": {"VCPU": {"total": 4}}}, moved()).status_code == 204
    after = {name: generation(hosts, name) - before[name] for name in before}
    assert after == {"cn": 3, "numa": 3, "other": 2}

    back = {name: claim({"cn": {"VCPU": 1}}, 2) for name in ("c1", "c2")}
    assert reshape(hosts, {"numa": {}}, back).status_code == 204
    assert generation(hosts, "numa") == before["numa"] + 3 + 1


def test_consumers_may_come_and_go(hosts: FlaskClient) -> None:
    allocations = {"c1": claim({}, 1), "c2": claim({}, 1), "c3": claim({"numa": {"VGPU": 2}})}
    assert reshape(hosts, {"cn": NEW, "numa": VGPUS}, allocations).status_code == 204

    assert consumer(hosts, "c1") == {"allocations": {}}
    assert held_by(hosts, "c3") == {NUMA: {"VGPU": 2}}


def test_what_stays_may_be_overfull(hosts: FlaskClient) -> None:
    assert reshape(hosts, {"cn": {"VCPU": {"total": 1}, "VGPU": {"total": 1}}}, {}).status_code == 204
    assert used(hosts, "cn") == {"VCPU": 2, "VGPU": 2}


def test_more_than_all_may_be_reserved(hosts: FlaskClient, database: Database) -> None:
    """In a reshape alone, as in Placement; nothing is left to claim then."""
    overdrawn = {"VCPU": {"total": 4, "reserved": 5, "allocation_ratio": 1.5}, "VGPU": {"total": 3}}
    assert reshape(hosts, {"cn": overdrawn}, {}).status_code == 204
    summaries = hosts.get("/allocation_candidates?resources=VGPU:1").json["provider_summaries"]
    assert summaries[CN]["resources"]["VCPU"] == {"capacity": -1, "used": 2}
    assert put(hosts, "c3", {"cn": {"VCPU": 1}}).status_code == 409
    overdrawn["VCPU"]["allocation_ratio"] = 3e38
    assert reshape(hosts, {"cn": overdrawn}, {}).status_code == 204
    assert drift(database) == []


IN_USE = (409, "placement.inventory.inuse", "Inventory for 'VGPU' on")
UNDEFINED = "placement.undefined_code"


@pytest.mark.parametrize(
    ("inventories", "allocations", "refusal"),
    [
        ({"cn": NEW, "numa": VGPUS}, {}, IN_USE),
        ({"cn": NEW, "numa": VGPUS}, {"c1": moved()["c1"]}, IN_USE),
        ({"cn": NEW, "numa": VGPUS}, moved(7), (409, CONFLICT, "consumer generation conflict")),
        ({"cn": NEW, "numa": {"VGPU": {"total": 1}}}, moved(), (409, UNDEFINED, "would exceed the capacity")),
        (
            {"cn": NEW, "numa": VGPUS},
            {**moved(), "c3": claim({"numa": {"DISK_GB": 1}})},
            (409, UNDEFINED, "Inventory for 'DISK_GB' on"),
        ),
        ({"cn": {**OLD, "CUSTOM_NOPE": {"total": 1}}}, {}, (400, UNDEFINED, "No such resource class CUSTOM_NOPE")),
        ({"cn": OLD}, {"c3": claim({"cn": {"CUSTOM_NOPE": 1}})}, (400, UNDEFINED, "No such resource class")),
        ({"cn": OLD}, {"c3": claim({"nowhere": {"VCPU": 1}})}, (400, UNDEFINED, "that does not exist")),
    ],
)
def test_a_refused_reshape_changes_nothing(
    hosts: FlaskClient, inventories: dict[str, Any], allocations: dict[str, Any], refusal: tuple[int, str, str]
) -> None:
    before = state(hosts)
    status, code, detail = error(reshape(hosts, inventories, allocations))

    assert (status, code) == refusal[:2]
    assert refusal[2] in detail
    assert state(hosts) == before


def test_a_stale_provider_generation_is_a_conflict(hosts: FlaskClient) -> None:
    status, code, detail = error(reshape(hosts, {"cn": OLD}, {}, {"cn": 1}))

    assert (status, code) == (409, CONFLICT)
    assert "resource provider generation conflict" in detail
    assert "actual: 3, given: 1" in detail


def test_an_unknown_provider_is_wrong(hosts: FlaskClient) -> None:
    answer = error(reshape(hosts, {"nowhere": NEW}, {}, {"nowhere": 1}))

    assert answer[:2] == (400, "placement.resource_provider.not_found")


def test_bad_bodies_are_refused(client: FlaskClient) -> None:
    for body, token in (
        ({"inventories": {}, "allocations": {}}, "should be non-empty"),
        ({"inventories": {CN: {"inventories": {}}}, "allocations": {}}, "is a required property"),
        ({"inventories": {"cn": {}}, "allocations": {}}, "does not match any of the regexes"),
        ({"allocations": {}}, "'inventories' is a required property"),
    ):
        status, _, detail = error(client.post("/reshaper", json=body))
        assert error(client.post("/reshaper/preview", json=body, headers=EXTENDED)) == (status, UNDEFINED, detail)
        assert status == 400
        assert "JSON does not validate" in detail
        assert token in detail


def test_a_preview_shows_before_and_after_and_changes_nothing(hosts: FlaskClient) -> None:
    before = state(hosts)
    shapes = {
        CN: {"inventories": NEW, "resource_provider_generation": 3},
        NUMA: {"inventories": VGPUS, "resource_provider_generation": 0},
    }
    claims = {uuid_of("c1"): moved()["c1"], uuid_of("c2"): claim({}, 1), uuid_of("c3"): claim({"numa": {"VGPU": 1}})}
    found = preview(hosts, {"inventories": shapes, "allocations": claims})

    stock = {"min_unit": 1, "max_unit": 2**31 - 1, "step_size": 1}
    assert found["conflicts"] == []
    assert found["providers"] == [
        {
            "uuid": CN,
            "name": "cn",
            "generation": 3,
            "inventories": [
                {
                    "resource_class": "VCPU",
                    "before": {"capacity": 8, "used": 2, **stock},
                    "after": {"capacity": 8, "used": 1, **stock},
                },
                {"resource_class": "VGPU", "before": {"capacity": 2, "used": 2, **stock}, "after": None},
            ],
        },
        {
            "uuid": NUMA,
            "name": "numa",
            "generation": 0,
            "inventories": [
                {"resource_class": "VGPU", "before": None, "after": {"capacity": 2, "used": 2, **stock}},
            ],
        },
    ]
    assert {one["uuid"]: one["generation"] for one in found["consumers"]} == {
        uuid_of("c1"): 1,
        uuid_of("c2"): 1,
        uuid_of("c3"): None,
    }
    amounts = {
        (one["uuid"], held["provider_uuid"], held["resource_class"]): (held["before"], held["after"])
        for one in found["consumers"]
        for held in one["allocations"]
    }
    assert amounts == {
        (uuid_of("c1"), CN, "VCPU"): (1, 1),
        (uuid_of("c1"), CN, "VGPU"): (1, 0),
        (uuid_of("c1"), NUMA, "VGPU"): (0, 1),
        (uuid_of("c2"), CN, "VCPU"): (1, 0),
        (uuid_of("c2"), CN, "VGPU"): (1, 0),
        (uuid_of("c3"), NUMA, "VGPU"): (0, 1),
    }
    assert state(hosts) == before


def test_a_preview_names_all_conflicts(hosts: FlaskClient) -> None:
    shapes = {
        CN: {"inventories": {**NEW, "CUSTOM_NOPE": {"total": 1}}, "resource_provider_generation": 1},
        NUMA: {"inventories": {"VGPU": {"total": 1}}, "resource_provider_generation": 0},
        uuid_of("nowhere"): {"inventories": {}, "resource_provider_generation": 0},
    }
    claims = {uuid_of("c1"): moved(7)["c1"], uuid_of("c3"): claim({"numa": {"VGPU": 1}, "void": {"VCPU": 1}})}
    found = preview(hosts, {"inventories": shapes, "allocations": claims})

    expected = [
        (409, CONFLICT, "actual: 3, given: 1"),
        (400, "placement.resource_provider.not_found", uuid_of("nowhere")),
        (400, UNDEFINED, "No such resource class CUSTOM_NOPE"),
        (409, CONFLICT, "expected 1 but got 7"),
        (400, UNDEFINED, f"Allocation for resource provider '{uuid_of('void')}' that does not exist"),
        (409, UNDEFINED, f"Inventory for 'VCPU' on resource provider '{uuid_of('void')}' does not exist"),
        (409, UNDEFINED, "would exceed the capacity: 2 of 1"),
        (409, UNDEFINED, "would exceed the capacity: 2 of 1"),
        (409, "placement.inventory.inuse", f"Inventory for 'VGPU' on resource provider '{CN}' in use"),
    ]
    seen = found["conflicts"]
    for status, code, words in expected:
        (first, *_) = [one for one in seen if (one["status"], one["code"]) == (status, code) and words in one["detail"]]
        seen.remove(first)
    assert seen == []
