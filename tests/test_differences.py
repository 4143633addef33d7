"""What docs/differences.md lists, where no other test is about it: each on purpose not as in Placement."""

import json
from typing import Any

import pytest
from claims import claim, consumer, error, generation, load, post, put
from cloud import uuid_of
from flask.testing import FlaskClient

HOST = f"/resource_providers/{uuid_of('host')}"
NOBODY = "nobody"


@pytest.fixture
def host(client: FlaskClient) -> FlaskClient:
    load(client, "host  VCPU:4")
    return client


def candidates(client: FlaskClient, query: str) -> list[dict[str, dict[str, int]]]:
    """What each candidate takes, by provider and class, in one order."""
    answer = client.get(f"/allocation_candidates?{query}")
    assert answer.status_code == 200
    found = [
        {uuid: one["resources"] for uuid, one in request["allocations"].items()}
        for request in answer.json["allocation_requests"]
    ]
    return in_order(found)


def in_order(found: list[dict[str, dict[str, int]]]) -> list[dict[str, dict[str, int]]]:
    return sorted(found, key=lambda one: json.dumps(one, sort_keys=True))


def taking(*found: dict[str, dict[str, int]]) -> list[dict[str, dict[str, int]]]:
    """The same, of providers by name."""
    return in_order([{uuid_of(name): taken for name, taken in one.items()} for one in found])


def test_a_provider_keeps_a_name(host: FlaskClient) -> None:
    assert error(host.put(HOST, json={"name": ""}))[0] == 400


def test_names_differ_by_case(host: FlaskClient) -> None:
    assert host.post("/resource_providers", json={"name": "HOST"}).status_code == 200
    assert [one["name"] for one in host.get("/resource_providers?name=HOST").json["resource_providers"]] == ["HOST"]


def test_nobody_has_more_than_an_integer_holds(host: FlaskClient) -> None:
    answer = host.get("/resource_providers?resources=VCPU:99999999999999999999")
    assert (answer.status_code, answer.json) == (200, {"resource_providers": []})


def test_every_answer_that_may_be_cached_says_how_old_it_is(client: FlaskClient) -> None:
    client.post("/resource_providers", json={"name": "host", "uuid": uuid_of("host")})
    nothing = {"inventories": {}, "resource_provider_generation": 0}
    for answer in (
        client.put(HOST, json={"name": "host"}),
        client.get(f"{HOST}/inventories"),
        client.put(f"{HOST}/inventories", json=nothing),
    ):
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
        assert answer.last_modified is not None


def test_a_reshape_may_not_reserve_more_than_there_is(host: FlaskClient) -> None:
    inventories = {"VCPU": {"total": 4, "reserved": 5}}
    reshaped: dict[str, Any] = {"inventories": inventories, "resource_provider_generation": generation(host, "host")}
    answer = host.post("/reshaper", json={"inventories": {uuid_of("host"): reshaped}, "allocations": {}})
    assert error(answer)[0] == 400


@pytest.mark.parametrize("refused", [{NOBODY: {"VCPU": 1}}, {}])
def test_a_claim_that_stores_nothing_leaves_no_consumer(host: FlaskClient, refused: dict[str, Any]) -> None:
    assert put(host, "vm", refused).status_code == (400 if refused else 204)
    assert post(host, {"vm": claim(refused)}).status_code == (400 if refused else 204)

    assert consumer(host, "vm") == {"allocations": {}}
    assert put(host, "vm", {"host": {"VCPU": 1}}, None).status_code == 204


def test_an_inventory_in_use_has_one_code_for_every_way_to_remove_it(host: FlaskClient) -> None:
    put(host, "vm", {"host": {"VCPU": 1}})
    in_use = (409, "placement.inventory.inuse")
    nothing = {"inventories": {}, "resource_provider_generation": generation(host, "host")}
    assert error(host.delete(f"{HOST}/inventories/VCPU"))[:2] == in_use
    assert error(host.delete(f"{HOST}/inventories"))[:2] == in_use
    assert error(host.put(f"{HOST}/inventories", json=nothing))[:2] == in_use


def test_a_type_that_only_begins_with_a_reserved_word_is_refused(host: FlaskClient) -> None:
    assert error(host.get("/usages?project_id=p&consumer_type=allx"))[0] == 400


def test_amounts_of_one_candidate_are_not_those_of_another(client: FlaskClient) -> None:
    load(client, "host\n  left  VCPU:8\n  right  VCPU:8")
    assert candidates(client, "resources=VCPU:1&resources1=VCPU:2") == taking(
        {"left": {"VCPU": 3}},
        {"left": {"VCPU": 1}, "right": {"VCPU": 2}},
        {"left": {"VCPU": 2}, "right": {"VCPU": 1}},
        {"right": {"VCPU": 3}},
    )


def test_what_is_shared_goes_with_every_tree_that_shares_it(client: FlaskClient) -> None:
    load(client, "one  VCPU:8  @A\ntwo  VCPU:8  @A\npool  DISK_GB:9  MISC_SHARES_VIA_AGGREGATE  @A")
    assert candidates(client, "resources=DISK_GB:1&resources1=VCPU:1") == taking(
        {"pool": {"DISK_GB": 1}, "one": {"VCPU": 1}}, {"pool": {"DISK_GB": 1}, "two": {"VCPU": 1}}
    )


def test_who_shares_need_not_be_a_root(client: FlaskClient) -> None:
    load(client, "one  VCPU:8  @A\nrack\n  pool  DISK_GB:9  MISC_SHARES_VIA_AGGREGATE  @A")
    both = {"pool": {"DISK_GB": 1}, "one": {"VCPU": 1}}
    assert candidates(client, "resources=DISK_GB:1,VCPU:1") == taking(both)
    assert candidates(client, "resources1=DISK_GB:1&resources2=VCPU:1&group_policy=none") == taking(both)
