"""Public reports about the surface of the API, each as a short story: LP is a bug of Launchpad, SB of Storyboard."""

from typing import Any

import pytest
from claims import claim, consumer, load, put
from cloud import PROJECT, uuid_of
from flask.testing import FlaskClient

HOST = f"/resource_providers/{uuid_of('host')}"


@pytest.fixture
def host(client: FlaskClient) -> FlaskClient:
    load(client, "host  VCPU:4  MEMORY_MB:512")
    return client


def at(version: str) -> dict[str, str]:
    return {"OpenStack-API-Version": f"placement {version}"}


def test_a_consumer_from_before_there_were_types_has_the_type_unknown(host: FlaskClient) -> None:
    """SB 2009167: it was a 404."""
    body = claim({"host": {"VCPU": 1}})
    del body["consumer_type"]
    assert host.put(f"/allocations/{uuid_of('vm')}", json=body, headers=at("1.37")).status_code == 204

    assert consumer(host, "vm")["consumer_type"] == "unknown"
    usages = {"unknown": {"VCPU": 1, "consumer_count": 1}}
    assert host.get(f"/usages?project_id={PROJECT}").json == {"usages": usages}
    assert host.get(f"/usages?project_id={PROJECT}&consumer_type=unknown").json == {"usages": usages}


@pytest.mark.parametrize(("version", "classes"), [("1.26", {"VCPU"}), ("1.27", {"VCPU", "MEMORY_MB"})])
def test_summaries_list_the_classes_of_the_request_and_later_all(
    host: FlaskClient, version: str, classes: set[str]
) -> None:
    """LP 1760276."""
    answer = host.get("/allocation_candidates?resources=VCPU:1", headers=at(version)).json
    assert set(answer["provider_summaries"][uuid_of("host")]["resources"]) == classes


@pytest.mark.parametrize("accept", [None, "*/*", "application/json"])
@pytest.mark.parametrize("path", ["/resource_providers/nope", "/nope", "/usages"])
def test_errors_are_json_unless_something_else_is_asked_for(host: FlaskClient, path: str, accept: str | None) -> None:
    """LP 1724065, LP 1674694, LP 1771384."""
    answer = host.get(path, headers={"Accept": accept} if accept else {})
    assert answer.content_type == "application/json"
    assert answer.json["errors"][0]["status"] == answer.status_code
    assert host.get("/resource_providers", headers={"Accept": "text/html"}).status_code == 406


@pytest.mark.difference("Failures")
@pytest.mark.parametrize("path", ["/resource_providers", "/allocation_candidates", "/usages", "/traits"])
def test_a_query_that_is_not_utf8_is_the_clients_fault(host: FlaskClient, path: str) -> None:
    """LP 1746202: it was a 500."""
    assert host.get(f"{path}?limit=%88").status_code == 400


def test_allocations_say_how_old_they_are_and_are_not_cached(host: FlaskClient) -> None:
    """LP 1816230."""
    put(host, "vm", {"host": {"VCPU": 1}})
    for path in (f"/allocations/{uuid_of('vm')}", f"{HOST}/allocations", f"{HOST}/usages"):
        answer = host.get(path, headers=at("1.15"))
        assert answer.headers["cache-control"] == "no-cache"
        assert answer.last_modified is not None
        assert "last-modified" not in host.get(path, headers=at("1.14")).headers


def test_usages_are_whole_numbers(host: FlaskClient) -> None:
    """LP 1817633, LP 1660959: sums over several inventories and consumers came back as decimals."""
    put(host, "vm", {"host": {"VCPU": 1, "MEMORY_MB": 256}})
    put(host, "other", {"host": {"VCPU": 2}})
    for path in (f"{HOST}/usages", f"/usages?project_id={PROJECT}"):
        assert host.get(path, headers=at("1.37")).get_data(as_text=True).count(".") == 0
        assert host.get(path, headers=at("1.37")).json["usages"] == {"VCPU": 3, "MEMORY_MB": 256}


@pytest.mark.parametrize(
    ("version", "links"),
    [
        ("1.0", ["self", "inventories", "usages"]),
        ("1.1", ["self", "inventories", "usages", "aggregates"]),
        ("1.6", ["self", "inventories", "usages", "aggregates", "traits"]),
        ("1.11", ["self", "inventories", "usages", "aggregates", "traits", "allocations"]),
    ],
)
def test_links_are_those_that_the_version_serves(host: FlaskClient, version: str, links: list[str]) -> None:
    """LP 1626490, LP 1733630."""
    found: dict[str, Any] = host.get(HOST, headers=at(version)).json
    assert sorted(link["rel"] for link in found["links"]) == sorted(links)
    for link in found["links"]:
        assert host.get(link["href"], headers=at(version)).status_code == 200


def test_a_slash_at_the_end_is_another_path(host: FlaskClient) -> None:
    """LP 1693353."""
    assert host.get("/resource_providers/").status_code == 404
    assert host.get("/", headers={"X-Auth-Token": ""}).status_code == 200


def test_a_claim_may_pair_what_a_search_would_not(client: FlaskClient) -> None:
    """Writes do not look at aggregates: the pair of a host with a strange pool is stored, though never offered."""
    load(client, "host  VCPU:4\npool  DISK_GB:100  MISC_SHARES_VIA_AGGREGATE  @A")
    answer = client.get("/allocation_candidates?resources=VCPU:1,DISK_GB:1").json
    assert answer["allocation_requests"] == []
    assert put(client, "vm", {"host": {"VCPU": 1}, "pool": {"DISK_GB": 1}}).status_code == 204


def test_a_type_called_all_is_not_the_word_all(host: FlaskClient) -> None:
    """The word sums over all types, whatever they are called."""
    put(host, "vm", {"host": {"VCPU": 1}}, kind="ALL")
    put(host, "other", {"host": {"VCPU": 2}})

    def usages(kind: str) -> Any:
        return host.get(f"/usages?project_id={PROJECT}&consumer_type={kind}").json["usages"]

    assert usages("ALL") == {"ALL": {"VCPU": 1, "consumer_count": 1}}
    assert usages("all") == {"all": {"VCPU": 3, "consumer_count": 2}}
