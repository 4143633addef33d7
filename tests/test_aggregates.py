"""The aggregates of providers over HTTP."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

PROVIDER, OTHER = (f"{digit * 8}-0000-4000-8000-000000000000" for digit in "12")
A, B, C = (f"{digit * 8}-0000-4000-8000-000000000000" for digit in "abc")
PATH = f"/resource_providers/{PROVIDER}/aggregates"


@pytest.fixture
def provider(client: FlaskClient) -> FlaskClient:
    """One provider."""
    client.post("/resource_providers", json={"name": "cn", "uuid": PROVIDER})
    return client


def put(client: FlaskClient, aggregates: Any, generation: Any) -> TestResponse:
    return client.put(PATH, json={"aggregates": aggregates, "resource_provider_generation": generation})


def test_memberships_are_replaced(provider: FlaskClient) -> None:
    assert provider.get(PATH).json == {"aggregates": [], "resource_provider_generation": 0}
    answer = put(provider, [B, A], 0)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-cache"
    assert "last-modified" in answer.headers
    assert answer.json == {"aggregates": [B, A], "resource_provider_generation": 1}
    assert put(provider, [C, B], 1).json == {"aggregates": [C, B], "resource_provider_generation": 2}
    found = provider.get(PATH).json
    assert (sorted(found["aggregates"]), found["resource_provider_generation"]) == ([B, C], 2)


def test_the_generation_moves_even_when_nothing_changes(provider: FlaskClient) -> None:
    assert put(provider, [A], 0).json["resource_provider_generation"] == 1
    assert put(provider, [A], 1).json["resource_provider_generation"] == 2
    assert put(provider, [], 2).json["resource_provider_generation"] == 3
    assert put(provider, [], 3.0).json["resource_provider_generation"] == 4


def test_a_stale_generation_changes_nothing(provider: FlaskClient) -> None:
    put(provider, [A], 0)

    answer = put(provider, [B], 0)

    assert answer.status_code == 409
    assert answer.json["errors"][0]["code"] == "placement.concurrent_update"
    assert provider.get(PATH).json == {"aggregates": [A], "resource_provider_generation": 1}
    assert put(provider, [B], 10**30).status_code in (400, 409)


def test_spellings_of_a_uuid_are_different_aggregates(provider: FlaskClient) -> None:
    spellings = [A, A.upper(), A.replace("-", "")]

    assert put(provider, spellings, 0).json["aggregates"] == spellings
    assert sorted(provider.get(PATH).json["aggregates"]) == sorted(spellings)


@pytest.mark.parametrize(
    ("aggregates", "generation", "words"),
    [
        (["harry"], 0, "is not a 'uuid'"),
        ([A, A], 0, "has non-unique elements"),
        (A, 0, "is not of type 'array'"),
        ([A], None, "is not of type 'integer'"),
        ([A], "0", "is not of type 'integer'"),
        ([A], 0.5, "is not of type 'integer'"),
        ([1], 0, "is not of type 'string'"),
    ],
)
def test_bad_bodies_are_refused(provider: FlaskClient, aggregates: Any, generation: Any, words: str) -> None:
    answer = put(provider, aggregates, generation)

    assert answer.status_code == 400
    assert words in answer.json["errors"][0]["detail"]
    assert provider.get(PATH).json["resource_provider_generation"] == 0


def test_an_aggregate_that_lost_its_last_member_is_unknown(provider: FlaskClient) -> None:
    def members(query: str) -> list[str]:
        return [one["uuid"] for one in provider.get(f"/resource_providers?{query}").json["resource_providers"]]

    put(provider, [A], 0)
    assert members(f"member_of={A}") == [PROVIDER]

    put(provider, [], 1)

    assert members(f"member_of={A}") == []
    assert members(f"member_of=!{A}") == [PROVIDER]


def test_an_unknown_provider_is_not_found_whatever_is_sent(client: FlaskClient) -> None:
    for answer in (client.get(PATH), put(client, [A], 0), client.put(PATH, json=[])):
        assert answer.status_code == 404
        assert f"No resource provider with uuid {PROVIDER} found" in answer.json["errors"][0]["detail"]


def test_a_bare_list_is_refused(provider: FlaskClient) -> None:
    assert provider.put(PATH, json=[A]).status_code == 400
