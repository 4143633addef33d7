"""The traits of providers over HTTP, and who shares by them."""

from typing import Any

import pytest
from derived import drift
from flask.testing import FlaskClient
from graph import look
from werkzeug.test import TestResponse

from graphplace.graph.database import Database

PROVIDER, OTHER = (f"{digit * 8}-0000-4000-8000-000000000000" for digit in "12")
A, B = (f"{digit * 8}-0000-4000-8000-000000000000" for digit in "ab")
VMX, SGX = "HW_CPU_X86_VMX", "HW_CPU_X86_SGX"
SHARING = "MISC_SHARES_VIA_AGGREGATE"


def path(uuid: str = PROVIDER) -> str:
    return f"/resource_providers/{uuid}/traits"


def put(client: FlaskClient, traits: Any, generation: Any, uuid: str = PROVIDER) -> TestResponse:
    return client.put(path(uuid), json={"traits": traits, "resource_provider_generation": generation})


@pytest.fixture
def provider(client: FlaskClient) -> FlaskClient:
    """Two providers."""
    client.post("/resource_providers", json={"name": "cn", "uuid": PROVIDER})
    client.post("/resource_providers", json={"name": "other", "uuid": OTHER})
    return client


def test_traits_are_replaced(provider: FlaskClient) -> None:
    assert provider.get(path()).json == {"traits": [], "resource_provider_generation": 0}
    answer = put(provider, [VMX, SGX], 0)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-cache"
    assert "last-modified" in answer.headers
    assert answer.json["resource_provider_generation"] == 1
    assert sorted(answer.json["traits"]) == [SGX, VMX]
    assert put(provider, [SGX], 1).json == {"traits": [SGX], "resource_provider_generation": 2}
    assert provider.get(path()).json == {"traits": [SGX], "resource_provider_generation": 2}


def test_the_generation_moves_only_when_something_changes(provider: FlaskClient) -> None:
    """LP 1746075."""
    assert put(provider, [], 0).json["resource_provider_generation"] == 0
    assert put(provider, [VMX], 0).json["resource_provider_generation"] == 1
    assert put(provider, [VMX, VMX], 1).json == {"traits": [VMX], "resource_provider_generation": 1}
    for _ in range(2):
        assert provider.delete(path()).status_code == 204
        assert provider.get(path()).json == {"traits": [], "resource_provider_generation": 2}


def test_a_trait_is_taken_from_one_provider_only(provider: FlaskClient) -> None:
    """LP 1708978."""
    put(provider, [VMX], 0)
    put(provider, [VMX], 0, OTHER)

    provider.delete(path(OTHER))

    assert provider.get(path()).json["traits"] == [VMX]


def test_a_stale_generation_changes_nothing(provider: FlaskClient) -> None:
    put(provider, [VMX], 0)

    answer = put(provider, [SGX], 0)

    assert answer.status_code == 409
    (error,) = answer.json["errors"]
    assert error["code"] == "placement.concurrent_update"
    words = "Resource provider's generation already changed. Please update the generation and try again."
    assert words in error["detail"]
    assert provider.get(path()).json["traits"] == [VMX]


@pytest.mark.parametrize(
    ("traits", "generation", "words"),
    [
        ([VMX, "CUSTOM_NO", "hw_cpu_x86_sgx"], 0, "No such trait CUSTOM_NO, hw_cpu_x86_sgx"),
        ("no", 0, "is not of type 'array'"),
        ([1], 0, "is not of type 'string'"),
        ([""], 0, "should be non-empty"),
        (["X" * 256], 0, "is too long"),
        ([VMX], "no", "'no' is not of type 'integer'"),
    ],
)
def test_bad_bodies_are_refused(provider: FlaskClient, traits: Any, generation: Any, words: str) -> None:
    answer = put(provider, traits, generation)

    assert answer.status_code == 400
    assert words in answer.json["errors"][0]["detail"]
    assert provider.get(path()).json == {"traits": [], "resource_provider_generation": 0}


def test_unknown_providers_are_not_found(client: FlaskClient) -> None:
    for answer in (client.get(path("x")), put(client, [], 0, "x"), client.delete(path("x"))):
        assert answer.status_code == 404
        assert "No resource provider with uuid x found" in answer.json["errors"][0]["detail"]


def test_a_trait_in_use_stays(provider: FlaskClient) -> None:
    provider.put("/traits/CUSTOM_A")
    put(provider, ["CUSTOM_A"], 0)
    answer = provider.delete("/traits/CUSTOM_A")
    assert answer.status_code == 409
    assert "The trait CUSTOM_A is in use by a resource provider." in answer.json["errors"][0]["detail"]
    assert provider.get("/traits?associated=true").json["traits"] == ["CUSTOM_A"]
    provider.delete(path())
    assert provider.get("/traits?associated=true").json["traits"] == []
    assert provider.delete("/traits/CUSTOM_A").status_code == 204


def shares(database: Database) -> set[tuple[str, str]]:
    rows = look(database, "MATCH (p)-[:SHARES]->(a) RETURN p.uuid AS provider, a.uuid AS aggregate")
    return {(row["provider"], row["aggregate"]) for row in rows}


@pytest.mark.parametrize("trait_first", [True, False])
def test_who_has_the_trait_shares_with_its_aggregates(
    provider: FlaskClient, database: Database, *, trait_first: bool
) -> None:
    def give(traits: list[str]) -> None:
        put(provider, traits, provider.get(path()).json["resource_provider_generation"])

    def join(aggregates: list[str], uuid: str = PROVIDER) -> None:
        generation = provider.get(path(uuid)).json["resource_provider_generation"]
        body = {"aggregates": aggregates, "resource_provider_generation": generation}
        assert provider.put(f"/resource_providers/{uuid}/aggregates", json=body).status_code == 200

    join([A, B], OTHER)
    if trait_first:
        give([SHARING, VMX])
        join([A])
    else:
        join([A])
        give([SHARING, VMX])
    assert shares(database) == {(PROVIDER, A)}
    join([A, B])
    assert shares(database) == {(PROVIDER, A), (PROVIDER, B)}
    give([SHARING])
    join([B])
    assert shares(database) == {(PROVIDER, B)}
    give([VMX])
    assert shares(database) == set()
    give([SHARING])
    assert shares(database) == {(PROVIDER, B)}
    provider.delete(path())
    assert shares(database) == set()
    give([SHARING])
    provider.delete(f"/resource_providers/{PROVIDER}")
    assert shares(database) == set()
    assert drift(database) == []
