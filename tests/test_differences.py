"""What docs/differences.md lists, where no other test is about it. Each is on purpose not as in Placement."""

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


@pytest.mark.difference("Case")
def test_names_differ_by_case(host: FlaskClient) -> None:
    assert host.post("/resource_providers", json={"name": "HOST"}).status_code == 200
    assert [one["name"] for one in host.get("/resource_providers?name=HOST").json["resource_providers"]] == ["HOST"]


@pytest.mark.difference("Prefixes")
def test_a_prefix_is_taken_as_it_is(client: FlaskClient) -> None:
    for name in ("CUSTOM_A_B", "CUSTOM_AXB"):
        client.put(f"/traits/{name}")
    found = {text: client.get(f"/traits?name=startswith:{text}").json["traits"] for text in ("CUSTOM_A_", "CUSTOM%25")}
    assert found == {"CUSTOM_A_": ["CUSTOM_A_B"], "CUSTOM%25": []}


@pytest.mark.difference("Mappings")
@pytest.mark.parametrize("suffix", ["", "no.suffix"])
def test_mappings_name_providers(host: FlaskClient, suffix: str) -> None:
    for mapped, status in (("junk", 400), (uuid_of("host"), 204)):
        wanted = claim({"host": {"VCPU": 1}}) | {"mappings": {suffix: [mapped]}}
        assert post(host, {"vm": wanted}).status_code == status


@pytest.mark.difference("Failures")
def test_nobody_has_more_than_an_integer_holds(host: FlaskClient) -> None:
    answer = host.get("/resource_providers?resources=VCPU:99999999999999999999")
    assert (answer.status_code, answer.json) == (200, {"resource_providers": []})


@pytest.mark.difference("Refused claims")
@pytest.mark.parametrize("refused", [{NOBODY: {"VCPU": 1}}, {}])
def test_a_claim_that_stores_nothing_leaves_no_consumer(host: FlaskClient, refused: dict[str, Any]) -> None:
    assert put(host, "vm", refused).status_code == (400 if refused else 204)
    assert post(host, {"vm": claim(refused)}).status_code == (400 if refused else 204)

    assert consumer(host, "vm") == {"allocations": {}}
    assert put(host, "vm", {"host": {"VCPU": 1}}, None).status_code == 204


@pytest.mark.difference("Wrong candidates")
def test_amounts_of_one_candidate_are_not_those_of_another(client: FlaskClient) -> None:
    load(client, "host\n  left  VCPU:8\n  right  VCPU:8")
    assert candidates(client, "resources=VCPU:1&resources1=VCPU:2") == taking(
        {"left": {"VCPU": 3}},
        {"left": {"VCPU": 1}, "right": {"VCPU": 2}},
        {"left": {"VCPU": 2}, "right": {"VCPU": 1}},
        {"right": {"VCPU": 3}},
    )


@pytest.mark.difference("Wrong candidates")
def test_what_is_shared_goes_with_every_tree_that_shares_it(client: FlaskClient) -> None:
    load(client, "one  VCPU:8  @A\ntwo  VCPU:8  @A\npool  DISK_GB:9  MISC_SHARES_VIA_AGGREGATE  @A")
    assert candidates(client, "resources=DISK_GB:1&resources1=VCPU:1") == taking(
        {"pool": {"DISK_GB": 1}, "one": {"VCPU": 1}}, {"pool": {"DISK_GB": 1}, "two": {"VCPU": 1}}
    )


@pytest.mark.difference("Wrong candidates")
def test_who_shares_need_not_be_a_root(client: FlaskClient) -> None:
    load(client, "one  VCPU:8  @A\nrack\n  pool  DISK_GB:9  MISC_SHARES_VIA_AGGREGATE  @A")
    both = {"pool": {"DISK_GB": 1}, "one": {"VCPU": 1}}
    assert candidates(client, "resources=DISK_GB:1,VCPU:1") == taking(both)
    assert candidates(client, "resources1=DISK_GB:1&resources2=VCPU:1&group_policy=none") == taking(both)


@pytest.mark.difference("Failures")
def test_what_is_no_inventory_is_told(host: FlaskClient) -> None:
    reshaped = {"inventories": {"no class": []}, "resource_provider_generation": generation(host, "host")}
    answer = host.post("/reshaper", json={"inventories": {uuid_of("host"): reshaped}, "allocations": {}})
    assert error(answer)[0] == 400
    assert "[] is not of type 'object'" in error(answer)[2]


@pytest.mark.difference("Dates")
def test_what_was_never_changed_has_a_date(client: FlaskClient) -> None:
    client.post("/resource_providers", json={"name": "host", "uuid": uuid_of("host")})
    nothing = {"inventories": {}, "resource_provider_generation": 0}
    for answer in (
        client.put(HOST, json={"name": "host"}),
        client.get(f"{HOST}/inventories"),
        client.put(f"{HOST}/inventories", json=nothing),
    ):
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
        assert answer.last_modified is not None


@pytest.mark.difference("Exact capacity")
def test_searches_claims_and_summaries_have_one_exact_capacity(client: FlaskClient) -> None:
    load(client, "host  VCPU:100(allocation_ratio=0.57)")
    assert candidates(client, "resources=VCPU:58") == []
    assert candidates(client, "resources=VCPU:57") == taking({"host": {"VCPU": 57}})
    summaries = client.get("/allocation_candidates?resources=VCPU:1").json["provider_summaries"]
    assert summaries[uuid_of("host")]["resources"]["VCPU"]["capacity"] == 57
    assert [put(client, "vm", {"host": {"VCPU": amount}}).status_code for amount in (58, 57)] == [409, 204]


@pytest.mark.difference("Both taken")
def test_a_uuid_that_is_taken_is_told_before_a_name(host: FlaskClient) -> None:
    answer = host.post("/resource_providers", json={"name": "host", "uuid": uuid_of("host")})
    assert error(answer)[0] == 409
    assert f"Conflicting resource provider uuid: {uuid_of('host')}" in error(answer)[2]


@pytest.mark.difference("Headers")
@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/nowhere", {}, 404),
        ("/traits", {"X-Auth-Token": ""}, 401),
        ("/traits", {"OpenStack-API-Version": "placement 1.99"}, 406),
        ("/traits", {"Accept": "text/plain"}, 406),
    ],
)
def test_every_error_has_the_headers_of_versions(
    client: FlaskClient, path: str, headers: dict[str, str], status: int
) -> None:
    answer = client.get(path, headers=headers)
    assert answer.status_code == status
    assert answer.headers["openstack-api-version"].startswith("placement 1.")
    assert answer.headers["vary"] == "openstack-api-version"


@pytest.mark.difference("Headers")
def test_a_method_of_later_versions_is_told_what_is_allowed(host: FlaskClient) -> None:
    answer = host.delete(f"{HOST}/inventories", headers={"OpenStack-API-Version": "placement 1.4"})
    assert answer.status_code == 405
    assert answer.allow.as_set() == {"get", "post", "put"}


@pytest.mark.difference("Several faults")
def test_one_of_several_faults_is_told(host: FlaskClient) -> None:
    status, _, detail = error(host.put(HOST, json={"nome": "host"}))
    assert status == 400
    assert ("'name' is a required property" in detail) is not ("Additional properties are not allowed" in detail)


@pytest.mark.difference("Several faults")
def test_a_body_is_read_before_generations_are_compared(host: FlaskClient) -> None:
    body = {"inventories": {"no class": {}}, "resource_provider_generation": 99}
    assert error(host.put(f"{HOST}/inventories", json=body))[0] == 400


@pytest.mark.difference("Who asks")
def test_the_role_admin_may_do_everything(client: FlaskClient) -> None:
    assert client.post("/reshaper", json={}, headers={"X-Roles": "admin"}).status_code == 400
