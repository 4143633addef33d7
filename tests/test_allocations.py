"""Allocations over HTTP."""

from typing import Any

import orjson
import pytest
from claims import claim, consumer, error, generation, held_by, load, post, put, used
from cloud import PROJECT, USER, uuid_of
from flask.testing import FlaskClient
from graph import look
from graphplace.api import create_app
from graphplace.cypher import Statement
from neo4j import Record
from neo4j.exceptions import TransientError

from graphplace.graph.database import Database, Transaction
from graphplace.settings import Settings

CN1, CN2 = uuid_of("cn1"), uuid_of("cn2")
CONFLICT, UNDEFINED = "placement.concurrent_update", "placement.undefined_code"


@pytest.fixture
def hosts(client: FlaskClient) -> FlaskClient:
    """Two hosts, each at generation 1."""
    load(client, "cn1  VCPU:4  DISK_GB:100\ncn2  VCPU:4")
    return client


def test_a_claim_is_read_back(hosts: FlaskClient) -> None:
    assert put(hosts, "c1", {"cn1": {"VCPU": 2, "DISK_GB": 10}, "cn2": {"VCPU": 1}}).status_code == 204

    answer = hosts.get(f"/allocations/{uuid_of('c1')}")
    assert answer.json == {
        "allocations": {
            CN1: {"generation": 2, "resources": {"VCPU": 2, "DISK_GB": 10}},
            CN2: {"generation": 2, "resources": {"VCPU": 1}},
        },
        "project_id": PROJECT,
        "user_id": USER,
        "consumer_generation": 1,
        "consumer_type": "INSTANCE",
    }
    assert answer.headers["cache-control"] == "no-cache"
    assert "last-modified" in answer.headers
    assert used(hosts, "cn1") == {"VCPU": 2, "DISK_GB": 10}
    assert hosts.get(f"/resource_providers/{CN2}/allocations").json == {
        "allocations": {uuid_of("c1"): {"resources": {"VCPU": 1}, "consumer_generation": 1}},
        "resource_provider_generation": 2,
    }


def test_a_consumer_without_allocations_does_not_exist(hosts: FlaskClient) -> None:
    """LP 1780799."""
    assert consumer(hosts, "c1") == {"allocations": {}}
    assert put(hosts, "c1", {}).status_code == 204
    for last in ({"method": "DELETE"}, {"method": "PUT", "json": claim({}, 1)}):
        assert put(hosts, "c1", {"cn1": {"VCPU": 1}}).status_code == 204
        assert hosts.open(f"/allocations/{uuid_of('c1')}", **last).status_code == 204
        assert consumer(hosts, "c1") == {"allocations": {}}

    status, _, detail = error(hosts.delete(f"/allocations/{uuid_of('c1')}"))
    assert status == 404
    assert f"No allocations for consumer '{uuid_of('c1')}'" in detail


def test_what_is_sent_back_as_it_was_read(hosts: FlaskClient) -> None:
    put(hosts, "c1", {"cn1": {"VCPU": 1}})
    document = consumer(hosts, "c1") | {"mappings": {"": [CN1], "_PORT": [CN1]}}

    assert hosts.put(f"/allocations/{uuid_of('c1')}", json=document).status_code == 204
    assert consumer(hosts, "c1")["consumer_generation"] == 2


def test_allocations_are_listed_as_they_were_written(hosts: FlaskClient) -> None:
    for known, order in ((None, ("cn1", "cn2")), (1, ("cn2", "cn1")), (2, ("cn1", "cn2"))):
        # The test client would sort the names in what it is given as JSON.
        body = orjson.dumps(claim({host: {"VCPU": 1} for host in order}, known))
        hosts.put(f"/allocations/{uuid_of('c1')}", data=body, content_type="application/json")

        assert list(held_by(hosts, "c1")) == [uuid_of(host) for host in order]


def test_a_consumer_is_known_in_every_spelling(hosts: FlaskClient) -> None:
    spelling = uuid_of("c1").replace("-", "").upper()
    assert hosts.put(f"/allocations/{spelling}", json=claim({"cn1": {"VCPU": 1}})).status_code == 204
    assert consumer(hosts, "c1")["consumer_generation"] == 1

    status, _, detail = error(hosts.put("/allocations/nobody", json=claim({"cn1": {"VCPU": 1}})))
    assert status == 400
    assert "Malformed consumer_uuid: nobody" in detail


def test_another_generation_of_the_consumer_is_a_conflict(hosts: FlaskClient) -> None:
    put(hosts, "c1", {"cn1": {"VCPU": 1}})
    for answer in (
        put(hosts, "c1", {"cn1": {"VCPU": 2}}),
        put(hosts, "c1", {"cn1": {"VCPU": 2}}, 2),
        put(hosts, "c1", {"cn1": {"VCPU": 2}}, 10**30),
        put(hosts, "c1", {}, None),
        put(hosts, "c2", {"cn1": {"VCPU": 2}}, 1),
        post(hosts, {"c2": claim({"cn2": {"VCPU": 1}}), "c1": claim({"cn1": {"VCPU": 2}}, 2)}),
    ):
        status, code, detail = error(answer)
        assert (status, code) == (409, CONFLICT)
        assert "consumer generation conflict" in detail
    assert used(hosts, "cn1")["VCPU"] == 1
    assert used(hosts, "cn2")["VCPU"] == 0


def test_a_failed_first_claim_leaves_no_trace(hosts: FlaskClient, database: Database) -> None:
    """LP 1778591, and the peer's fault of leaving new consumers behind when a provider is unknown."""
    for held in ({"cn1": {"VCPU": 99}}, {"nowhere": {"VCPU": 1}}, {"cn1": {"CUSTOM_NOPE": 1}}, {"cn2": {"DISK_GB": 1}}):
        assert put(hosts, "c1", held, project="new").status_code in {400, 409}
        assert post(hosts, {"c1": claim(held), "c2": claim({"cn1": {"VCPU": 1}})}).status_code in {400, 409}
    assert consumer(hosts, "c1") == {"allocations": {}}
    assert look(database, "MATCH (n) WHERE n:Consumer OR n:Project OR n:User OR n:ConsumerType RETURN n") == []
    assert put(hosts, "c1", {"cn1": {"VCPU": 1}}).status_code == 204


def test_a_class_that_the_provider_lacks_is_a_conflict_and_an_unknown_one_is_wrong(hosts: FlaskClient) -> None:
    """LP 1704574, LP 1714402."""
    status, code, detail = error(put(hosts, "c1", {"cn2": {"VCPU": 1, "DISK_GB": 1}}))
    assert (status, code) == (409, UNDEFINED)
    assert "Inventory for 'DISK_GB' on" in detail
    status, _, detail = error(put(hosts, "c1", {"cn2": {"VCPU": 1, "CUSTOM_NOPE": 1}}))
    assert status == 400
    assert f"Unable to allocate inventory for consumer {uuid_of('c1')}" in detail
    assert "No such resource class CUSTOM_NOPE" in detail


def test_an_unknown_provider_is_wrong(hosts: FlaskClient) -> None:
    for answer in (put(hosts, "c1", {"no": {"VCPU": 1}}), post(hosts, {"c1": claim({"no": {"VCPU": 1}})})):
        status, _, detail = error(answer)
        assert status == 400
        assert f"Allocation for resource provider '{uuid_of('no')}' that does not exist" in detail


def test_generations_of_providers(hosts: FlaskClient) -> None:
    """Every claim counts for the providers that it names, an emptied one for those that it held, a release for none."""
    put(hosts, "c1", {"cn1": {"VCPU": 1}})
    put(hosts, "c1", {"cn1": {"VCPU": 1}}, 1)
    assert generation(hosts, "cn1") == 3
    put(hosts, "c1", {"cn2": {"VCPU": 1}}, 2)
    assert (generation(hosts, "cn1"), generation(hosts, "cn2")) == (3, 2)
    put(hosts, "c1", {}, 3)
    assert (generation(hosts, "cn1"), generation(hosts, "cn2")) == (3, 3)
    put(hosts, "c1", {"cn2": {"VCPU": 1}})
    hosts.delete(f"/allocations/{uuid_of('c1')}")
    assert (generation(hosts, "cn1"), generation(hosts, "cn2")) == (3, 4)


def test_sums_are_over_the_whole_body(hosts: FlaskClient) -> None:
    """LP 1778743."""
    five = {f"c{number}": claim({"cn1": {"VCPU": 1}}) for number in range(5)}
    status, code, detail = error(post(hosts, five))
    assert (status, code) == (409, UNDEFINED)
    assert "The requested amount would exceed the capacity" in detail
    assert used(hosts, "cn1")["VCPU"] == 0
    assert generation(hosts, "cn1") == 1

    del five["c0"]
    assert post(hosts, five).status_code == 204
    assert used(hosts, "cn1")["VCPU"] == 4
    assert generation(hosts, "cn1") == 2


@pytest.mark.parametrize("order", [1, -1])
def test_a_full_host_is_handed_over_in_either_order(hosts: FlaskClient, order: int) -> None:
    put(hosts, "c1", {"cn1": {"VCPU": 4}})
    claims = {"c1": claim({}, 1), "c2": claim({"cn1": {"VCPU": 4}})}
    assert post(hosts, dict(list(claims.items())[::order])).status_code == 204

    assert held_by(hosts, "c1") == {}
    assert held_by(hosts, "c2") == {CN1: {"VCPU": 4}}


def test_an_overfull_host_takes_what_leaves_it_no_fuller(hosts: FlaskClient) -> None:
    put(hosts, "c1", {"cn2": {"VCPU": 4}})
    smaller = {"inventories": {"VCPU": {"total": 2}}, "resource_provider_generation": 2}
    assert hosts.put(f"/resource_providers/{CN2}/inventories", json=smaller).status_code == 200

    assert put(hosts, "c2", {"cn2": {"VCPU": 1}}).status_code == 409
    assert put(hosts, "c1", {"cn2": {"VCPU": 4}}, 1).status_code == 204
    assert put(hosts, "c1", {"cn2": {"VCPU": 5}}, 2).status_code == 409
    assert post(hosts, {"c1": claim({}, 2), "c2": claim({"cn2": {"VCPU": 3}})}).status_code == 204
    assert used(hosts, "cn2") == {"VCPU": 3}


def test_the_owner_changes_with_a_claim_and_stays_with_a_failed_one(hosts: FlaskClient) -> None:
    """LP 1779717."""
    put(hosts, "c1", {"cn1": {"VCPU": 1}})
    assert put(hosts, "c1", {"cn1": {"VCPU": 1}}, 1, project="q", user="v", kind="MIGRATION").status_code == 204
    changed = {"project_id": "q", "user_id": "v", "consumer_type": "MIGRATION", "consumer_generation": 2}
    assert changed.items() <= consumer(hosts, "c1").items()

    moved = claim({"cn1": {"VCPU": 1}}, 2, project="r", kind="OTHER")
    assert post(hosts, {"c1": moved, "c2": claim({"cn1": {"VCPU": 9}})}).status_code == 409
    assert changed.items() <= consumer(hosts, "c1").items()


def test_an_owner_is_one_node_however_many_consumers_it_has(hosts: FlaskClient, database: Database) -> None:
    for number in range(3):
        assert put(hosts, f"c{number}", {"cn1": {"VCPU": 1}}).status_code == 204

    for label in ("Project", "User", "ConsumerType"):
        (row,) = look(
            database, f"MATCH (n:{label})<--(c:Consumer) RETURN count(DISTINCT n) AS nodes, count(c) AS links"
        )
        assert row == {"nodes": 1, "links": 3}


def test_what_is_derived_follows_every_claim(hosts: FlaskClient, database: Database) -> None:
    text = "MATCH (i:Inventory {resource_class: 'VCPU'}) RETURN i.used AS used, i.free AS free ORDER BY used"
    put(hosts, "c1", {"cn1": {"VCPU": 3}})
    assert look(database, text) == [{"used": 0, "free": 4}, {"used": 3, "free": 1}]
    put(hosts, "c1", {"cn2": {"VCPU": 1}}, 1)
    assert look(database, text) == [{"used": 0, "free": 4}, {"used": 1, "free": 3}]
    hosts.delete(f"/allocations/{uuid_of('c1')}")
    assert look(database, text) == [{"used": 0, "free": 4}, {"used": 0, "free": 4}]


def test_a_retry_starts_from_clean_inputs(hosts: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """LP 1739453: the write fails once, after it was made and before it is committed."""
    run, failures = Transaction.run, iter([TransientError("failed on purpose")])

    def fail_once(self: Transaction, statement: Statement, /, **parameters: Any) -> list[Record]:
        rows = run(self, statement, **parameters)
        if statement.name == "allocations.write" and (failure := next(failures, None)):
            raise failure
        return rows

    monkeypatch.setattr(Transaction, "run", fail_once)
    assert post(hosts, {name: claim({"cn1": {"VCPU": 1}}) for name in ("c1", "c2")}).status_code == 204

    assert next(failures, None) is None
    assert used(hosts, "cn1")["VCPU"] == 2
    assert generation(hosts, "cn1") == 2
    assert consumer(hosts, "c1")["consumer_generation"] == 1


BAD: list[tuple[Any, str]] = [
    ({}, "is a required property"),
    ([], "is not of type 'object'"),
    (claim({}) | {"allocations": []}, "is not of type 'object'"),
    (claim({"cn1": {}}), "should be non-empty"),
    (claim({"cn1": {"VCPU": 0}}), "0 is less than the minimum of 1"),
    (claim({"cn1": {"VCPU": 1.5}}), "is not of type 'integer'"),
    (claim({"cn1": {"VCPU": True}}), "is not of type 'integer'"),
    (claim({"cn1": {"VCPU": "1"}}), "is not of type 'integer'"),
    (claim({"cn1": {"vcpu": 1}}), "does not match any of the regexes"),
    (claim({"cn1": {"VCPU": 1}}) | {"allocations": {"house": {"resources": {"VCPU": 1}}}}, "does not match any"),
    (claim({"cn1": {"VCPU": 1}}) | {"colour": "red"}, "Additional properties are not allowed"),
    (claim({"cn1": {"VCPU": 1}}) | {"consumer_generation": "1"}, "is not of type"),
    (claim({"cn1": {"VCPU": 1}}) | {"mappings": {}}, "should be non-empty"),
    (claim({"cn1": {"VCPU": 1}}) | {"mappings": {"a": "b"}}, "'b' is not of type 'array'"),
    (claim({"cn1": {"VCPU": 1}}) | {"mappings": {"a": ["b"]}}, "'b' is not a 'uuid'"),
    (claim({"cn1": {"VCPU": 1}}, kind="instance"), "'instance' does not match '^[A-Z0-9_]+$'"),
    (claim({"cn1": {"VCPU": 1}}, kind="A\n"), ""),
    (claim({"cn1": {"VCPU": 1}}, kind=""), ""),
    (claim({"cn1": {"VCPU": 1}}, kind="A" * 256), "Failed validating 'maxLength'"),
    (claim({"cn1": {"VCPU": 1}}, project=""), ""),
    (claim({"cn1": {"VCPU": 1}}, user="u" * 256), "Failed validating 'maxLength'"),
]


@pytest.mark.parametrize(("body", "token"), BAD)
def test_bad_bodies_are_refused(hosts: FlaskClient, body: Any, token: str) -> None:
    """LP 1708260, LP 1714072, LP 1782340."""
    for path, sent in ((f"/allocations/{uuid_of('c1')}", body), ("/allocations", {uuid_of("c1"): body})):
        answer = hosts.open(path, method="POST" if path == "/allocations" else "PUT", json=sent)
        status, _, detail = error(answer)
        assert status == 400
        assert "JSON does not validate" in detail
        assert token in detail


def test_amounts_beyond_every_integer_are_refused(hosts: FlaskClient) -> None:
    assert put(hosts, "c1", {"cn1": {"VCPU": 10**30}}).status_code == 409


def test_nothing_to_post_is_refused(hosts: FlaskClient) -> None:
    assert "should be non-empty" in error(hosts.post("/allocations", json={}))[2]
    assert error(hosts.post("/allocations", json={"c1": claim({})}))[0] == 400


def test_allocations_of_an_unknown_provider(client: FlaskClient) -> None:
    status, _, detail = error(client.get(f"/resource_providers/{uuid_of('no')}/allocations"))
    assert status == 404
    assert "No resource provider with uuid" in detail


def test_whose_a_claim_is_that_does_not_say_is_a_setting(database: Database) -> None:
    """Below version 1.8 clients name neither project nor user."""
    settings = Settings(incomplete_consumer_project_id="p1", incomplete_consumer_user_id="u1")
    client = create_app(database, settings).test_client()
    client.environ_base |= {"HTTP_X_AUTH_TOKEN": "admin", "HTTP_OPENSTACK_API_VERSION": "placement latest"}
    load(client, "cn1  VCPU:4")
    body = {"allocations": [{"resource_provider": {"uuid": CN1}, "resources": {"VCPU": 1}}]}

    path, old = f"/allocations/{uuid_of('c1')}", {"OpenStack-API-Version": "placement 1.7"}
    assert client.put(path, json=body, headers=old).status_code == 204

    assert (client.get(path).json["project_id"], client.get(path).json["user_id"]) == ("p1", "u1")
