"""Usages over HTTP."""

import neo4j
import pytest
from claims import error, load, put
from cloud import uuid_of
from flask.testing import FlaskClient

from graphplace.graph import schema
from graphplace.graph.database import Database


@pytest.fixture
def hosts(client: FlaskClient) -> FlaskClient:
    """Consumers of two projects, two users and two types on two hosts."""
    load(client, "cn1  VCPU:9  DISK_GB:100\ncn2  VCPU:9  MEMORY_MB:9")
    for name, held, owner in (
        ("c1", {"cn1": {"VCPU": 1, "DISK_GB": 10}, "cn2": {"VCPU": 1}}, {"project": "p", "user": "u"}),
        ("c2", {"cn1": {"VCPU": 2}}, {"project": "p", "user": "v"}),
        ("c3", {"cn2": {"VCPU": 4}}, {"project": "p", "user": "u", "kind": "MIGRATION"}),
        ("c4", {"cn1": {"VCPU": 1}}, {"project": "q", "user": "u"}),
    ):
        assert put(client, name, held, **owner).status_code == 204
    return client


def test_usages_of_a_provider_count_that_provider_and_list_what_is_unused(hosts: FlaskClient) -> None:
    """LP 1702275."""
    answer = hosts.get(f"/resource_providers/{uuid_of('cn2')}/usages")

    assert answer.json == {"usages": {"VCPU": 5, "MEMORY_MB": 0}, "resource_provider_generation": 3}
    assert answer.headers["cache-control"] == "no-cache"
    assert "last-modified" in answer.headers
    assert error(hosts.get(f"/resource_providers/{uuid_of('no')}/usages"))[0] == 404


INSTANCE = {"VCPU": 4, "DISK_GB": 10, "consumer_count": 2}
MIGRATION = {"VCPU": 4, "consumer_count": 1}


@pytest.mark.parametrize(
    ("query", "usages"),
    [
        ("project_id=p", {"INSTANCE": INSTANCE, "MIGRATION": MIGRATION}),
        (
            "project_id=p&user_id=u",
            {"INSTANCE": {"VCPU": 2, "DISK_GB": 10, "consumer_count": 1}, "MIGRATION": MIGRATION},
        ),
        ("project_id=p&consumer_type=INSTANCE", {"INSTANCE": INSTANCE}),
        ("project_id=p&consumer_type=all", {"all": {"VCPU": 8, "DISK_GB": 10, "consumer_count": 3}}),
        ("project_id=p&consumer_type=all&user_id=v", {"all": {"VCPU": 2, "consumer_count": 1}}),
        ("project_id=p&consumer_type=unknown", {}),
        ("project_id=p&consumer_type=ALL", {}),
        ("project_id=p&consumer_type=allx", {}),
        ("project_id=nobody", {}),
        ("project_id=nobody&consumer_type=all", {}),
        ("project_id=p&user_id=nobody", {}),
    ],
)
def test_usages_of_a_project(hosts: FlaskClient, query: str, usages: dict[str, dict[str, int]]) -> None:
    answer = hosts.get(f"/usages?{query}")

    assert answer.json == {"usages": usages}
    assert answer.headers["cache-control"] == "no-cache"
    assert "last-modified" in answer.headers


def test_usages_follow_whatever_changes_what_a_consumer_holds_or_whose_it_is(client: FlaskClient) -> None:
    load(client, "cn1  VCPU:9  CUSTOM_OLD:9\ncn2  VCPU:9")

    def usages(project: str) -> dict[str, dict[str, int]]:
        return dict(client.get(f"/usages?project_id={project}").json["usages"])

    put(client, "c1", {"cn1": {"VCPU": 1, "CUSTOM_OLD": 2}}, project="p")
    put(client, "c2", {"cn2": {"VCPU": 1}}, project="p")
    assert usages("p") == {"INSTANCE": {"VCPU": 2, "CUSTOM_OLD": 2, "consumer_count": 2}}
    # Its amounts, one of them of two providers; then its project and type.
    put(client, "c1", {"cn1": {"VCPU": 3, "CUSTOM_OLD": 1}, "cn2": {"VCPU": 2}}, 1, project="p")
    assert usages("p") == {"INSTANCE": {"VCPU": 6, "CUSTOM_OLD": 1, "consumer_count": 2}}
    put(client, "c1", {"cn1": {"CUSTOM_OLD": 4}}, 2, project="q", kind="MIGRATION")
    assert usages("p") == {"INSTANCE": {"VCPU": 1, "consumer_count": 1}}
    assert usages("q") == {"MIGRATION": {"CUSTOM_OLD": 4, "consumer_count": 1}}
    renamed = {"OpenStack-API-Version": "placement 1.6"}
    assert client.put("/resource_classes/CUSTOM_OLD", json={"name": "CUSTOM_NEW"}, headers=renamed).status_code == 200
    assert usages("q") == {"MIGRATION": {"CUSTOM_NEW": 4, "consumer_count": 1}}
    assert client.delete(f"/allocations/{uuid_of('c1')}").status_code == 204
    assert usages("q") == {}


def test_a_graph_from_before_usages_stood_with_projects_gets_them(
    hosts: FlaskClient, database: Database, driver: neo4j.Driver
) -> None:
    before = hosts.get("/usages?project_id=p").json
    driver.execute_query("MATCH ()-[r:OF_PROJECT]->() REMOVE r.usage")
    driver.execute_query("MATCH (m:Migration {number: 3}) DELETE m")
    assert hosts.get("/usages?project_id=p").json == {"usages": {}}

    assert schema.initialise(database) == ["0003_usage_of_consumers"]
    assert hosts.get("/usages?project_id=p").json == before


@pytest.mark.parametrize(
    ("query", "token"),
    [
        ("", "'project_id' is a required property"),
        ("project_id=", ""),
        (f"project_id={'p' * 256}", "Failed validating 'maxLength'"),
        ("project_id=p&user_id=", ""),
        ("project_id=p&consumer_type=instance", "does not match"),
        ("project_id=p&consumer_type=unknownx", "does not match"),
        ("project_id=p&colour=red", "'colour' was unexpected"),
        ("project_id=%88", ""),
    ],
)
def test_bad_queries_are_refused(client: FlaskClient, query: str, token: str) -> None:
    status, _, detail = error(client.get(f"/usages?{query}"))

    assert status == 400
    assert "Invalid query string parameters" in detail
    assert token in detail
