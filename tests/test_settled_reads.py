"""Reads while somebody writes: each answer is of one moment."""

import neo4j
import pytest
from between import write_between
from claims import claim, load, put
from cloud import uuid_of
from flask.testing import FlaskClient
from graphplace.cypher import Statement

from graphplace import allocations, inventories
from graphplace.allocations import Claim
from graphplace.errors import StoreUnavailableError
from graphplace.graph.database import Database
from graphplace.inventory import Inventory
from graphplace.locks import MOST_READS, read_settled

CN1, C1 = uuid_of("cn1"), uuid_of("c1")


@pytest.fixture
def host(client: FlaskClient) -> FlaskClient:
    """A host of 8 CPUs, of which a consumer holds one."""
    load(client, "cn1  VCPU:8")
    assert put(client, "c1", {"cn1": {"VCPU": 1}}).status_code == 204
    return client


def claim_two(database: Database, generation: int = 1) -> None:
    body = claim({"cn1": {"VCPU": 2}}, generation)
    allocations.replace(
        database,
        [
            Claim(
                consumer_uuid=C1,
                consumer_generation=generation,
                project_id=body["project_id"],
                user_id=body["user_id"],
                consumer_type=body["consumer_type"],
                allocations={CN1: {"VCPU": 2}},
            )
        ],
    )


def test_a_consumer(host: FlaskClient, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = write_between(monkeypatch, "allocations.of_consumer", lambda: claim_two(database))
    answer = host.get(f"/allocations/{C1}").json

    assert reads() == 2
    assert answer["consumer_generation"] == 2
    assert answer["allocations"][CN1] == {"generation": 3, "resources": {"VCPU": 2}}


def test_a_consumer_with_allocations_of_another_write(
    host: FlaskClient, database: Database, driver: neo4j.Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Neo4j shows a write half done: what is held is new, the consumer still old."""
    shift = "MATCH (c:Consumer {uuid: $uuid}) SET c.updated_at = c.updated_at + duration({seconds: $seconds})"
    driver.execute_query(shift, uuid=C1, seconds=-1)
    reads = write_between(
        monkeypatch, "allocations.of_consumer", lambda: driver.execute_query(shift, uuid=C1, seconds=1)
    )

    assert host.get(f"/allocations/{C1}").json["consumer_generation"] == 1
    assert reads() == 2


def test_a_consumer_that_goes(host: FlaskClient, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    write_between(monkeypatch, "allocations.of_consumer", lambda: allocations.delete(database, C1))

    assert host.get(f"/allocations/{C1}").json == {"allocations": {}}


def test_allocations_of_a_provider(host: FlaskClient, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = write_between(monkeypatch, "allocations.of_provider", lambda: claim_two(database))
    answer = host.get(f"/resource_providers/{CN1}/allocations").json

    assert reads() == 2
    assert answer == {
        "allocations": {C1: {"resources": {"VCPU": 2}, "consumer_generation": 2}},
        "resource_provider_generation": 3,
    }


def test_usages_of_a_provider(host: FlaskClient, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """A release leaves the generation alone, but not the revision."""
    reads = write_between(monkeypatch, "usages.of_provider", lambda: allocations.delete(database, C1))
    answer = host.get(f"/resource_providers/{CN1}/usages").json

    assert reads() == 2
    assert answer == {"usages": {"VCPU": 0}, "resource_provider_generation": 2}


def test_inventories(host: FlaskClient, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    grown = {"VCPU": Inventory(total=16)}
    write = lambda: inventories.replace(database, CN1, grown, generation=2)  # noqa: E731  # shorter than a function
    reads = write_between(monkeypatch, "inventories.index", write)
    answer = host.get(f"/resource_providers/{CN1}/inventories").json

    assert reads() == 2
    assert answer["inventories"]["VCPU"]["total"] == 16
    assert answer["resource_provider_generation"] == 3


def test_what_is_written_without_end_is_given_as_it_was_last(
    host: FlaskClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    generations = iter(range(1, 1000))
    reads = write_between(
        monkeypatch, "allocations.of_consumer", lambda: claim_two(database, next(generations)), times=MOST_READS
    )
    answer = host.get(f"/allocations/{C1}").json

    assert reads() == MOST_READS
    assert answer["consumer_generation"] == MOST_READS


TORN = Statement("test.torn", "RETURN [['VCPU', null]] AS found", frozenset(), ("found",))


def test_what_is_never_whole_is_not_given(database: Database) -> None:
    with pytest.raises(StoreUnavailableError, match="faster than it can be read"):
        database.read(lambda tx: read_settled(tx, TORN, TORN))
