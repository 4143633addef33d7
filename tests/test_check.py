"""graphplace check: what is planted is found, named and mended; what is clean stays so while it is written to."""

from collections.abc import Callable
from threading import Thread
from typing import Any

import neo4j
import pytest
from between import begin, write_between
from claims import claim, consumer, load, used
from cloud import uuid_of
from flask.testing import FlaskClient
from graphplace.cypher import Statement
from writers import BUSY_CLOUD, busy

from graphplace import allocations
from graphplace.allocations import Claim
from graphplace.check import CHECKS, Finding, check
from graphplace.graph import schema
from graphplace.graph.database import Database, Transaction

CLOUD = """
cn1  VCPU:8(allocation_ratio=0.57)  HW_CPU_X86_AVX  @A
  numa1  MEMORY_MB:1024(used=512)
    core1  PGPU:2(used=1)
pool  DISK_GB:1000(used=100)  MISC_SHARES_VIA_AGGREGATE  @A  @B
"""
CN1, NUMA1, CORE1, POOL = map(uuid_of, ("cn1", "numa1", "core1", "pool"))
DISK = uuid_of("pool DISK_GB")

# A host of cn1 in a host aggregate that is mirrored, which cn1 is no member of.
HOST = """
MATCH (p {name: 'cn1'}), (a:Aggregate {uuid: $a})
CREATE (h:Host {service_host: 'cn1', nodename: 'cn1'})-[:IN_CELL]->(:Cell {uuid: 'c', name: 'c'})
CREATE (h)-[:RUNS]->(p)
CREATE (g:HostAggregate {uuid: $a, name: 'rack', created_at: datetime(), updated_at: datetime()})-[:MIRRORS]->(a)
CREATE (g)-[:HAS_METADATA]->(m:Metadata {aggregate_uuid: $a, key: 'k', value: 'v'})
WITH *
"""
ROOT_OF = ("host", "host", "cn1 cn1", None)

# What is planted, and what is found of it: check, kind, name, uuid, part, stored, expected. Mended are those without
# advice.
PLANTED: dict[str, tuple[str, list[tuple[Any, ...]]]] = {
    "used": (
        "MATCH (i:Inventory {resource_class: 'DISK_GB'}) SET i.used = 7",
        [("used", "inventory", "pool", POOL, "DISK_GB used", 7, 100)],
    ),
    "capacity in decimals": (
        "MATCH (i:Inventory {resource_class: 'VCPU'}) SET i.capacity = 5",
        [("capacity", "inventory", "cn1", CN1, "VCPU capacity", 5, 4)],
    ),
    "free": (
        "MATCH (i:Inventory {resource_class: 'MEMORY_MB'}) SET i.free = 1024",
        [("free", "inventory", "numa1", NUMA1, "MEMORY_MB free", 1024, 512)],
    ),
    "no derived numbers at all": (
        "MATCH (i:Inventory {resource_class: 'DISK_GB'}) REMOVE i.used, i.free, i.capacity",
        [
            ("capacity", "inventory", "pool", POOL, "DISK_GB capacity", None, 1000),
            ("used", "inventory", "pool", POOL, "DISK_GB used", None, 100),
            ("free", "inventory", "pool", POOL, "DISK_GB free", None, 900),
        ],
    ),
    "a total that changed alone": (
        "MATCH (i:Inventory {resource_class: 'DISK_GB'}) SET i.total = 50",
        [
            ("capacity", "inventory", "pool", POOL, "DISK_GB capacity", 1000, 50),
            ("free", "inventory", "pool", POOL, "DISK_GB free", 900, -50),
        ],
    ),
    "the key of an inventory": (
        "MATCH (i:Inventory {resource_class: 'DISK_GB'}) SET i.provider_uuid = 'x', i.resource_class = 'Y'",
        [("inventory_key", "inventory", "pool", POOL, "DISK_GB key", ["x", "Y"], [POOL, "DISK_GB"])],
    ),
    "the class of an allocation": (
        "MATCH (:Consumer)-[r:CONSUMES]->(:Inventory {resource_class: 'DISK_GB'}) SET r.resource_class = 'VCPU'",
        [("allocation_class", "consumer", None, DISK, f"{POOL} DISK_GB", "VCPU", "DISK_GB")],
    ),
    "a consumer without allocations": (
        "MATCH (:Consumer)-[r:CONSUMES]->(:Inventory {resource_class: 'DISK_GB'}) DELETE r",
        [
            ("used", "inventory", "pool", POOL, "DISK_GB used", 100, 0),
            ("free", "inventory", "pool", POOL, "DISK_GB free", 900, 1000),
            ("idle", "consumer", None, DISK, None, 0, "an allocation"),
        ],
    ),
    "another root": (
        "MATCH (p {name: 'core1'})-[r:IN_TREE]->(), (q {name: 'pool'}) DELETE r CREATE (p)-[:IN_TREE]->(q)",
        [("tree", "provider", "core1", CORE1, None, [POOL], [CN1])],
    ),
    "two roots": (
        "MATCH (p {name: 'core1'}), (q {name: 'pool'}) CREATE (p)-[:IN_TREE]->(q)",
        [("tree", "provider", "core1", CORE1, None, sorted([CN1, POOL]), [CN1])],
    ),
    "the same root twice": (
        "MATCH (p {name: 'core1'})-[:IN_TREE]->(root) CREATE (p)-[:IN_TREE]->(root)",
        [("tree", "provider", "core1", CORE1, None, [CN1, CN1], [CN1])],
    ),
    "no root": (
        "MATCH (p {name: 'pool'})-[r:IN_TREE]->() DELETE r",
        [("tree", "provider", "pool", POOL, None, [], [POOL])],
    ),
    "a parent that went": (
        "MATCH ({name: 'numa1'})-[r:CHILD_OF]->() DELETE r",
        [
            ("root", "provider", "numa1", NUMA1, None, False, True),
            ("tree", "provider", "core1", CORE1, None, [CN1], [NUMA1]),
            ("tree", "provider", "numa1", NUMA1, None, [CN1], [NUMA1]),
        ],
    ),
    "a root below another": (
        "MATCH (p {name: 'numa1'}) SET p:Root",
        [("root", "provider", "numa1", NUMA1, None, True, False)],
    ),
    "sharing lost": (
        "MATCH ({name: 'pool'})-[r:SHARES]->(:Aggregate {uuid: $a}) DELETE r",
        [("sharing", "provider", "pool", POOL, None, [uuid_of("B")], sorted([uuid_of("A"), uuid_of("B")]))],
    ),
    "sharing without the trait": (
        "MATCH (p {name: 'cn1'})-[:MEMBER_OF]->(a) CREATE (p)-[:SHARES]->(a)",
        [("sharing", "provider", "cn1", CN1, None, [uuid_of("A")], [])],
    ),
    "links that are there twice": (
        (
            "MATCH (p {name: 'cn1'})-[:HAS_TRAIT]->(t), (p)<-[:CHILD_OF]-(q) "
            "CREATE (p)-[:HAS_TRAIT]->(t), (q)-[:CHILD_OF]->(p)"
        ),
        [
            ("links", "provider", "cn1", CN1, "HAS_TRAIT HW_CPU_X86_AVX", 2, 1),
            ("links", "provider", "numa1", NUMA1, "CHILD_OF cn1", 2, 1),
        ],
    ),
    "two parents": (
        "MATCH (p {name: 'core1'}), (q {name: 'pool'}) CREATE (p)-[:CHILD_OF]->(q)",
        [("parent", "provider", "core1", CORE1, None, sorted([NUMA1, POOL]), "one at most")],
    ),
    "a ring": (
        "MATCH (p {name: 'cn1'}), (q {name: 'numa1'}) CREATE (p)-[:CHILD_OF]->(q) REMOVE p:Root",
        [
            ("ring", "provider", "cn1", CN1, None, sorted([CN1, NUMA1]), "no ring"),
            ("ring", "provider", "numa1", NUMA1, None, sorted([CN1, NUMA1]), "no ring"),
        ],
    ),
    "no generation": (
        "MATCH (p {name: 'cn1'}) REMOVE p.generation",
        [("provider_properties", "provider", "cn1", CN1, "generation", None, "a value")],
    ),
    "no uuid": (
        "MATCH (p {name: 'pool'}) REMOVE p.uuid",
        [("provider_properties", "provider", "pool", None, "uuid", None, "a value")],
    ),
    "an inventory of nobody": (
        (
            "CREATE (:Inventory {provider_uuid: 'x', resource_class: 'VCPU', total: 1, reserved: 0, min_unit: 1, "
            "max_unit: 1, step_size: 1, allocation_ratio: 1.0, capacity: 1, used: 0, free: 1, created_at: datetime()})"
        ),
        [
            ("inventory_properties", "inventory", None, "x", "VCPU updated_at", None, "a value"),
            ("inventory_place", "inventory", None, "x", "VCPU providers", 0, 1),
            ("inventory_place", "inventory", None, "x", "VCPU resource classes", 0, 1),
        ],
    ),
    "two providers of one inventory": (
        "MATCH (i:Inventory {resource_class: 'DISK_GB'}), (p {name: 'cn1'}) CREATE (p)-[:HAS_INVENTORY]->(i)",
        [("inventory_place", "inventory", "pool", POOL, "DISK_GB providers", 2, 1)],
    ),
    "a consumer of nobody": (
        "MATCH (c:Consumer {uuid: $disk})-[r:OF_PROJECT|OF_USER]->() DELETE r",
        [
            ("owner", "consumer", None, DISK, "project", [], "one"),
            ("owner", "consumer", None, DISK, "user", [], "one"),
        ],
    ),
    "a consumer of two types": (
        "MATCH (c:Consumer {uuid: $disk}) CREATE (c)-[:OF_TYPE]->(:ConsumerType {name: 'MIGRATION'})",
        [("owner", "consumer", None, DISK, "type", ["MIGRATION", "INSTANCE"], "one at most")],
    ),
    "a consumer without a generation": (
        "MATCH (c:Consumer {uuid: $disk}) REMOVE c.generation",
        [("consumer_properties", "consumer", None, DISK, "generation", None, "a value")],
    ),
    "the same allocation twice": (
        (
            "MATCH (c:Consumer {uuid: $disk})-[r:CONSUMES]->(i) CREATE (c)-[s:CONSUMES]->(i) SET s = r "
            "SET i.used = 200, i.free = 800"
        ),
        [
            ("allocation", "consumer", None, DISK, f"{POOL} DISK_GB", [100, 100], "one amount above 0"),
            ("usage", "consumer", None, DISK, "usage", "INSTANCE DISK_GB=100", "INSTANCE DISK_GB=200"),
        ],
    ),
    "an amount of 0": (
        "MATCH (c:Consumer {uuid: $disk})-[r:CONSUMES]->(i) SET r.amount = 0, i.used = 0, i.free = 1000",
        [
            ("allocation", "consumer", None, DISK, f"{POOL} DISK_GB", [0], "one amount above 0"),
            ("usage", "consumer", None, DISK, "usage", "INSTANCE DISK_GB=100", "INSTANCE DISK_GB=0"),
        ],
    ),
    "a usage that is another": (
        "MATCH (c:Consumer {uuid: $disk})-[r:OF_PROJECT]->() SET r.usage = 'INSTANCE'",
        [("usage", "consumer", None, DISK, "usage", "INSTANCE", "INSTANCE DISK_GB=100")],
    ),
    "no usage": (
        "MATCH (c:Consumer {uuid: $disk})-[r:OF_PROJECT]->() REMOVE r.usage",
        [("usage", "consumer", None, DISK, "usage", None, "INSTANCE DISK_GB=100")],
    ),
    "a host aggregate that is not mirrored by a membership": (
        HOST + "MATCH (b:Aggregate {uuid: $b}) CREATE (h)-[:MEMBER_OF]->"
        "(:HostAggregate {uuid: $b, name: 'b', created_at: datetime(), updated_at: datetime()})-[:MIRRORS]->(b)",
        [("mirror", "provider", "cn1", CN1, uuid_of("B"), "not a member", "a member")],
    ),
    "a mirror that is another": (
        HOST + "MATCH (g)-[r:MIRRORS]->() DELETE r CREATE (g)-[:MIRRORS]->(:Aggregate {uuid: 'other'})",
        [("mirrors", "host aggregate", "rack", uuid_of("A"), None, ["other"], [uuid_of("A")])],
    ),
    "a host aggregate without a name": (
        HOST + "REMOVE g.name",
        [("host_aggregate", "host aggregate", None, uuid_of("A"), "name", None, "a value")],
    ),
    "metadata of another": (
        HOST + "SET m.aggregate_uuid = 'other'",
        [("metadata_key", "metadata", "k", uuid_of("A"), "aggregate_uuid", "other", uuid_of("A"))],
    ),
    "metadata of nobody": (
        "CREATE (:Metadata {aggregate_uuid: 'x', key: 'k'})",
        [
            ("metadata_place", "metadata", "k", "x", "value", "nothing", "a value"),
            ("metadata_place", "metadata", "k", "x", "host aggregates", 0, 1),
        ],
    ),
    "a host without a cell that stands for two providers, of which one is below another": (
        HOST + "MATCH (h)-[r:IN_CELL]->(), (q {name: 'numa1'}) DELETE r CREATE (h)-[:RUNS]->(q)",
        [
            (*ROOT_OF, "cells", 0, 1),
            (*ROOT_OF, "providers", 2, "one at most"),
            (*ROOT_OF, "root", ["numa1"], "a root"),
        ],
    ),
    "two hosts of one provider": (
        HOST + "MATCH (h)-[:IN_CELL]->(c) CREATE (c)<-[:IN_CELL]-(:Host {service_host: 'b'})-[:RUNS]->(p)",
        [
            (*ROOT_OF, "hosts of the root", ["cn1"], "a root of its own"),
            ("host", "host", "b ?", None, "nodename", "nothing", "a value"),
            ("host", "host", "b ?", None, "hosts of the root", ["cn1"], "a root of its own"),
        ],
    ),
}
ADVICE = {one.name: one.advice for one in CHECKS}


def known(finding: Finding) -> tuple[Any, ...]:
    return (
        finding.check,
        finding.kind,
        finding.name,
        finding.uuid,
        finding.part,
        finding.stored,
        finding.expected,
    )


def in_order(findings: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(findings, key=str)


@pytest.fixture
def plant(client: FlaskClient, driver: neo4j.Driver) -> Callable[[str], None]:
    """The cloud, and what writes to it past graphplace."""
    load(client, CLOUD)
    return lambda text: driver.execute_query(text, a=uuid_of("A"), b=uuid_of("B"), disk=DISK) and None


def test_every_check_is_planted() -> None:
    assert {found[0] for _, findings in PLANTED.values() for found in findings} == ADVICE.keys()


@pytest.mark.parametrize("name", PLANTED)
def test_what_is_planted(plant: Callable[[str], None], database: Database, name: str) -> None:
    text, expected = PLANTED[name]
    assert list(check(database)) == []
    plant(text)

    found = list(check(database))
    assert in_order([known(one) for one in found]) == in_order(expected)
    assert not any(one.mended for one in found)
    mended = list(check(database, repair=True))
    assert in_order([known(one) for one in mended]) == in_order(expected)
    assert {one.check for one in mended if one.mended} == {one[0] for one in expected if ADVICE[one[0]] is None}
    left = [known(one) for one in mended if not one.mended]
    assert [known(one) for one in check(database, repair=True)] == left


def test_two_parents_are_settled_by_a_move(
    plant: Callable[[str], None], client: FlaskClient, database: Database
) -> None:
    plant(PLANTED["two parents"][0])
    moved = {"name": "core1", "parent_provider_uuid": CN1}
    assert client.put(f"/resource_providers/{CORE1}", json=moved).status_code == 200
    assert all(one.mended for one in check(database, repair=True))
    assert list(check(database)) == []


def test_a_ring_is_settled_by_a_new_root(plant: Callable[[str], None], client: FlaskClient, database: Database) -> None:
    plant(PLANTED["a ring"][0])
    new_root = {"name": "cn1", "parent_provider_uuid": None}
    assert client.put(f"/resource_providers/{CN1}", json=new_root).status_code == 200
    assert all(one.mended for one in check(database, repair=True))
    assert list(check(database)) == []


def test_an_allocation_twice_is_settled_by_writing_it(
    plant: Callable[[str], None], client: FlaskClient, database: Database
) -> None:
    plant(PLANTED["the same allocation twice"][0])
    body = claim({"pool": {"DISK_GB": 100}}, consumer(client, "pool DISK_GB")["consumer_generation"])
    assert client.put(f"/allocations/{DISK}", json=body).status_code == 204
    assert all(one.mended for one in check(database, repair=True))
    assert list(check(database)) == []


def test_a_constraint_that_was_dropped(plant: Callable[[str], None], database: Database) -> None:
    plant("DROP CONSTRAINT provider_name IF EXISTS")
    plant("DROP CONSTRAINT resource_provider_name")
    plant("CREATE (:ResourceProvider:Root {name: 'pool', uuid: 'x'})")
    try:
        found = [known(one)[:5] for one in check(database, repair=True)]
        assert ("unique", "schema", "ResourceProvider", None, "pool") in found
        assert ("keys", "schema", "resource_provider_name", None, None) in found
        assert [one.name for one in schema.missing(database)] == ["resource_provider_name"]
        plant("MATCH (p:ResourceProvider {uuid: 'x'}) DETACH DELETE p")
        (mended,) = check(database, repair=True)
        assert mended.mended
    finally:
        plant("MATCH (p:ResourceProvider {uuid: 'x'}) DETACH DELETE p")
        plant(
            "CREATE CONSTRAINT resource_provider_name IF NOT EXISTS FOR (p:ResourceProvider) REQUIRE p.name IS UNIQUE"
        )
    assert list(check(database)) == []


def test_what_is_only_half_written_is_not_reported(
    plant: Callable[[str], None], database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What seems wrong without locks is looked at again under them."""
    plant("RETURN 1")
    run, seen = Transaction.run, list[str]()

    def torn_once(self: Transaction, statement: Statement, /, **parameters: Any) -> list[Any]:
        rows = run(self, statement, **parameters)
        if statement.name == "check.used":
            seen.extend(parameters["ids"])
            if len(seen) == len(parameters["ids"]):
                torn = {"id": seen[0], "uuid": None, "name": None, "part": None, "stored": 1, "expected": 2}
                return [*rows, torn]
        return rows

    monkeypatch.setattr(Transaction, "run", torn_once)
    assert list(check(database)) == []
    assert seen.count(seen[0]) == 2


def test_nobody_writes_between_a_finding_and_its_mending(
    plant: Callable[[str], None],
    client: FlaskClient,
    database: Database,
    driver: neo4j.Driver,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plant(PLANTED["used"][0])
    threads: list[Thread] = []
    # The first time, it is read without locks.
    under_locks = iter([False, True])

    def claim_five() -> None:
        allocations.replace(
            database,
            [
                Claim(
                    consumer_uuid=uuid_of("c1"),
                    consumer_generation=None,
                    project_id="p",
                    user_id="u",
                    consumer_type=None,
                    allocations={POOL: {"DISK_GB": 5}},
                )
            ],
        )

    def write() -> None:
        if next(under_locks):
            threads.append(begin(driver, claim_five))

    write_between(monkeypatch, "check.used", write, times=2)
    assert [one.mended for one in check(database, repair=True)] == [True]
    for thread in threads:
        thread.join()
    assert used(client, "pool") == {"DISK_GB": 105}
    assert list(check(database)) == []


def test_a_clean_cloud_is_clean_while_it_is_written_to(client: FlaskClient, database: Database) -> None:
    load(client, BUSY_CLOUD)
    with busy(client):
        for _ in range(12):
            assert list(check(database)) == []
    assert list(check(database)) == []


def test_drift_is_mended_while_the_cloud_is_written_to(
    client: FlaskClient, database: Database, driver: neo4j.Driver
) -> None:
    load(client, BUSY_CLOUD)
    with busy(client):
        for _ in range(5):
            driver.execute_query("MATCH (i:Inventory {resource_class: 'PGPU'}) SET i.used = 5, i.free = 0")
            assert all(one.mended for one in check(database, repair=True))
    assert list(check(database)) == []
