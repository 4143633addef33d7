"""Resource providers and their trees over HTTP."""

from typing import Any

import pytest
from cloud import load_cloud, read_cloud, uuid_of
from flask.testing import FlaskClient
from graph import look
from werkzeug.test import TestResponse

from graphplace.graph.database import Database

A, B, C, D, X = (f"{digit * 8}-0000-4000-8000-000000000000" for digit in "abcdf")


def create(client: FlaskClient, uuid: str, parent: str | None = None) -> None:
    body = {"name": uuid[0], "uuid": uuid, "parent_provider_uuid": parent}
    assert client.post("/resource_providers", json=body).status_code == 200


def move(client: FlaskClient, uuid: str, parent: str | None) -> TestResponse:
    body = {"name": uuid[0], "parent_provider_uuid": parent}
    return client.put(f"/resource_providers/{uuid}", json=body)


def places(client: FlaskClient, query: str = "") -> dict[str, tuple[str | None, str]]:
    found = client.get(f"/resource_providers{query}").json["resource_providers"]
    return {one["uuid"]: (one["parent_provider_uuid"], one["root_provider_uuid"]) for one in found}


def error(answer: TestResponse) -> tuple[int, str, str]:
    (first,) = answer.json["errors"]
    return answer.status_code, first["code"], first["detail"]


@pytest.fixture
def chain(client: FlaskClient) -> FlaskClient:
    """A above B above C, and D by itself."""
    create(client, A)
    create(client, B, A)
    create(client, C, B)
    create(client, D)
    return client


def test_a_provider_is_answered_when_it_is_created(client: FlaskClient) -> None:
    answer = client.post("/resource_providers", json={"name": "cn1", "uuid": A})

    assert answer.status_code == 200
    assert answer.headers["location"] == f"http://localhost/resource_providers/{A}"
    assert answer.headers["cache-control"] == "no-cache"
    assert "last-modified" in answer.headers
    document = answer.json
    links = {link["rel"]: link["href"] for link in document.pop("links")}
    assert document == {
        "uuid": A,
        "name": "cn1",
        "generation": 0,
        "parent_provider_uuid": None,
        "root_provider_uuid": A,
    }
    path = f"/resource_providers/{A}"
    rels = ("inventories", "usages", "aggregates", "traits", "allocations")
    assert links == {"self": path} | {rel: f"{path}/{rel}" for rel in rels}
    assert client.get(path).json == answer.json
    assert client.get("/resource_providers").json == {"resource_providers": [answer.json]}


def test_a_uuid_is_made_up_when_none_is_given(client: FlaskClient) -> None:
    answer = client.post("/resource_providers", json={"name": "cn1"})

    assert client.get(answer.headers["location"]).json["name"] == "cn1"


@pytest.mark.parametrize("spelling", [A.upper(), A.replace("-", ""), "{" + A + "}", f"urn:uuid:{A}"])
def test_a_uuid_is_kept_in_one_spelling(client: FlaskClient, spelling: str) -> None:
    """LP 1758057."""
    assert client.post("/resource_providers", json={"name": "cn1", "uuid": spelling}).json["uuid"] == A
    again = client.post("/resource_providers", json={"name": "cn2", "uuid": A})
    assert error(again)[:2] == (409, "placement.duplicate_name")
    assert client.get(f"/resource_providers/{A.upper()}").status_code == 404


def test_a_taken_name_and_a_taken_uuid_are_told_apart(client: FlaskClient) -> None:
    """LP 1817833, LP 1693349: clients read the name's message as a failure, the other one as a race."""
    create(client, A)

    for body, words in [
        ({"name": "a", "uuid": B}, "Conflicting resource provider name: a already exists."),
        ({"name": "b", "uuid": A}, f"Conflicting resource provider uuid: {A} already exists."),
        ({"name": "a", "uuid": A}, f"Conflicting resource provider uuid: {A} already exists."),
    ]:
        status, code, detail = error(client.post("/resource_providers", json=body))
        assert (status, code) == (409, "placement.duplicate_name")
        assert words in detail
    missing_too = {"name": "a", "uuid": A, "parent_provider_uuid": X}
    assert error(client.post("/resource_providers", json=missing_too))[0] == 400


@pytest.mark.parametrize(
    "name", ["☃", "💾", "/?&=#%", "tab\there", " lead", "trail ", "Case", "case", "x" * 200, "nul\0", "new\nline"]
)
def test_any_name_is_found_again(client: FlaskClient, name: str) -> None:
    """LP 1621605."""
    for other in ("CASE", "lead", "trail", "tab here"):
        client.post("/resource_providers", json={"name": other})
    assert client.post("/resource_providers", json={"name": name}).status_code == 200

    found = client.get("/resource_providers", query_string={"name": name}).json["resource_providers"]

    assert [one["name"] for one in found] == [name]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "'name' is a required property"),
        ({"name": ""}, "Failed validating 'minLength'"),
        ({"name": "x" * 201}, "Failed validating 'maxLength'"),
        ({"name": 1}, "is not of type 'string'"),
        ({"name": "x", "uuid": "no"}, "Failed validating 'format'"),
        ({"name": "x", "uuid": None}, "is not of type 'string'"),
        ({"name": "x", "parent_provider_uuid": "no"}, "is not a 'uuid'"),
        ({"name": "x", "generation": 1}, "Additional properties are not allowed"),
        ([], "is not of type 'object'"),
        ({"name": "x", "parent_provider_uuid": X}, "parent provider UUID does not exist"),
        ({"name": "x", "uuid": X, "parent_provider_uuid": X}, "parent provider UUID cannot be same as UUID"),
    ],
)
def test_bad_bodies_are_refused(client: FlaskClient, body: Any, words: str) -> None:
    status, code, detail = error(client.post("/resource_providers", json=body))

    assert (status, code) == (400, "placement.undefined_code")
    assert words in detail


def test_only_a_new_provider_needs_a_name(client: FlaskClient) -> None:
    """Placement lets a name be taken away."""
    for uuid, name in ((X, "x"), (D, "y")):
        client.post("/resource_providers", json={"name": name, "uuid": uuid})
    assert client.put(f"/resource_providers/{X}", json={"name": ""}).json["name"] == ""
    assert error(client.put(f"/resource_providers/{D}", json={"name": ""}))[:2] == (409, "placement.duplicate_name")
    assert len(client.get("/resource_providers?name=").json["resource_providers"]) == 2


def test_unknown_providers_are_not_found(client: FlaskClient) -> None:
    for uuid in (X, "no uuid", "☃", "x" * 10_000):
        path = f"/resource_providers/{uuid}"
        for answer in (client.get(path), client.put(path, json={"name": "x"}), client.put(path, json={})):
            assert error(answer)[0] == 404
            assert f"No resource provider with uuid {uuid} found" in error(answer)[2]
        assert f"No resource provider with uuid {uuid} found for delete" in error(client.delete(path))[2]


def test_renaming(chain: FlaskClient) -> None:
    path = f"/resource_providers/{B}"

    renamed = chain.put(path, json={"name": "new"})
    assert renamed.status_code == 200
    assert (renamed.json["name"], renamed.json["generation"]) == ("new", 0)
    assert renamed.json["parent_provider_uuid"] == A
    assert chain.get(path).json == renamed.json
    assert chain.put(path, json={"name": "new"}).json == renamed.json
    assert error(chain.put(path, json={"name": "a"}))[:2] == (409, "placement.duplicate_name")
    assert chain.put(f"/resource_providers/{D}", json={"name": "b"}).status_code == 200


def test_moving_a_root_moves_all_below_it(chain: FlaskClient) -> None:
    """LP 1779818."""
    answer = move(chain, A, D)

    assert (answer.json["root_provider_uuid"], answer.json["generation"]) == (D, 0)
    assert places(chain) == {A: (D, D), B: (A, D), C: (B, D), D: (None, D)}
    assert places(chain, f"?in_tree={D}") == places(chain, f"?in_tree={C}") == places(chain)


def test_moving_within_a_tree_and_out_of_it(chain: FlaskClient) -> None:
    assert move(chain, C, A).status_code == 200
    assert places(chain) == {A: (None, A), B: (A, A), C: (A, A), D: (None, D)}
    assert move(chain, C, D).status_code == 200
    assert places(chain) == {A: (None, A), B: (A, A), C: (D, D), D: (None, D)}
    assert places(chain, f"?in_tree={C}") == {C: (D, D), D: (None, D)}


def test_a_provider_without_a_parent_is_a_root_again(chain: FlaskClient) -> None:
    """SB 2008764."""
    assert move(chain, B, None).json["root_provider_uuid"] == B
    assert places(chain) == {A: (None, A), B: (None, B), C: (B, B), D: (None, D)}
    assert move(chain, B, None).status_code == 200
    assert move(chain, B, A).status_code == 200
    assert places(chain) == {A: (None, A), B: (A, A), C: (B, A), D: (None, D)}


def test_loops_and_unknown_parents_are_refused(chain: FlaskClient) -> None:
    """SB 2008764."""
    before = places(chain)

    for uuid, parent in ((A, A), (A, B), (A, C), (B, C)):
        status, _, detail = error(move(chain, uuid, parent))
        assert status == 400
        assert "creating loop in the provider tree is not allowed." in detail
    for parent in (X, B.upper(), B.replace("-", "")):
        assert "parent provider UUID does not exist" in error(move(chain, A, parent))[2]
    assert places(chain) == before


def test_a_provider_that_moves_under_a_taken_name_stays(chain: FlaskClient) -> None:
    before = places(chain)

    answer = chain.put(f"/resource_providers/{B}", json={"name": "a", "parent_provider_uuid": D})

    assert error(answer)[:2] == (409, "placement.duplicate_name")
    assert places(chain) == before


def test_parents_are_deleted_after_their_children(chain: FlaskClient) -> None:
    """LP 1739571."""
    assert error(chain.delete(f"/resource_providers/{B}"))[:2] == (
        409,
        "placement.resource_provider.cannot_delete_parent",
    )
    for uuid in (C, B, A):
        assert chain.delete(f"/resource_providers/{uuid}").status_code == 204
    assert places(chain) == {D: (None, D)}
    create(chain, A)


def test_a_deleted_provider_takes_all_that_it_had_with_it(client: FlaskClient, database: Database) -> None:
    """LP 1739571, LP 1727719."""
    cloud = "cn1  VCPU:8  MEMORY_MB:1  HW_CPU_X86_VMX  @A\ncn2  VCPU:8(used=1)  HW_CPU_X86_VMX  @A"
    load_cloud(client, read_cloud(cloud))

    assert client.delete(f"/resource_providers/{uuid_of('cn1')}").status_code == 204
    status, code, detail = error(client.delete(f"/resource_providers/{uuid_of('cn2')}"))

    assert (status, code) == (409, "placement.resource_provider.inuse")
    assert f"Unable to delete resource provider {uuid_of('cn2')}" in detail
    owners = look(database, "MATCH (i:Inventory) RETURN i.provider_uuid AS uuid")
    assert owners == [{"uuid": uuid_of("cn2")}]
    consumer = uuid_of("cn2 VCPU")
    assert client.delete(f"/allocations/{consumer}").status_code == 204
    assert client.delete(f"/resource_providers/{uuid_of('cn2')}").status_code == 204
    assert places(client) == {}


def test_links_lead_through_the_place_where_the_api_is_mounted(client: FlaskClient) -> None:
    mounted = {"SCRIPT_NAME": "/placement"}
    answer = client.post("/resource_providers", json={"name": "cn1", "uuid": A}, environ_overrides=mounted)

    assert answer.headers["location"].endswith(f"/placement/resource_providers/{A}")
    links = {link["rel"]: link["href"] for link in answer.json["links"]}
    assert links["self"] == f"/placement/resource_providers/{A}"
    assert links["usages"] == f"/placement/resource_providers/{A}/usages"
