"""Hosts, cells and host aggregates in the graph, and how host aggregates are mirrored (specs: request-filtering)."""

from typing import Any

import neo4j
import pytest
from claims import generation, load
from cloud import uuid_of
from flask.testing import FlaskClient
from graph import look
from graphplace.cypher import statement
from profiling import hits
from together import together

from graphplace import host_aggregates, hosts
from graphplace.check import check
from graphplace.errors import BadRequestError, ConflictError, NotFoundError
from graphplace.graph.database import Database

CLOUD = """
cn1  VCPU:8  @manual
  numa1  MEMORY_MB:64
cn2  VCPU:8
pool  DISK_GB:9  MISC_SHARES_VIA_AGGREGATE
"""
RACK, GOLD = uuid_of("rack"), uuid_of("gold")


def memberships(client: FlaskClient, provider: str) -> set[str]:
    return set(client.get(f"/resource_providers/{uuid_of(provider)}/aggregates").json["aggregates"])


@pytest.fixture
def cloud(client: FlaskClient, database: Database) -> Database:
    """Two hosts and a pool, of which the hosts are mapped to a cell, and two host aggregates without hosts."""
    load(client, CLOUD)
    hosts.create_cell(database, "cell1", uuid_of("cell1"))
    hosts.discover(database, "cell1")
    host_aggregates.create(database, "rack", RACK)
    host_aggregates.create(database, "gold", GOLD, {"filter_tenant_id": "p1", "filter_tenant_id2": "p2"})
    return database


def test_discovery_maps_each_root_that_does_not_share(cloud: Database) -> None:
    cell = hosts.Cell(uuid_of("cell1"), "cell1")
    assert hosts.index(cloud) == [hosts.Host(name, name, cell, uuid_of(name)) for name in ("cn1", "cn2")]
    assert hosts.discover(cloud, "cell1") == []
    assert hosts.of_roots(cloud, [uuid_of("cn2"), uuid_of("pool")]) == {
        uuid_of("cn2"): hosts.Place("cn2", "cn2", cell.uuid)
    }


def test_a_host_of_an_aggregate_makes_its_root_a_member_of_the_mirror(cloud: Database, client: FlaskClient) -> None:
    before = generation(client, "cn1")
    added = host_aggregates.add_host(cloud, "rack", "cn1")

    assert added.hosts == ("cn1",)
    assert memberships(client, "cn1") == {RACK, uuid_of("manual")}
    assert generation(client, "cn1") == before + 1
    assert memberships(client, "numa1") == memberships(client, "cn2") == set()
    found = client.get(f"/allocation_candidates?resources=VCPU:1&member_of={RACK}").json["allocation_requests"]
    assert [list(one["allocations"]) for one in found] == [[uuid_of("cn1")]]

    assert host_aggregates.remove_host(cloud, "rack", "cn1").hosts == ()
    assert memberships(client, "cn1") == {uuid_of("manual")}
    assert generation(client, "cn1") == before + 2


def test_a_client_that_read_before_the_mirroring_is_told_to_read_again(cloud: Database, client: FlaskClient) -> None:
    body = {"aggregates": [], "resource_provider_generation": generation(client, "cn2")}
    host_aggregates.add_host(cloud, "rack", "cn2")

    answer = client.put(f"/resource_providers/{uuid_of('cn2')}/aggregates", json=body)
    assert (answer.status_code, answer.json["errors"][0]["code"]) == (409, "placement.concurrent_update")
    assert memberships(client, "cn2") == {RACK}


def test_all_nodes_of_a_service_are_members_later_ones_as_well(cloud: Database, client: FlaskClient) -> None:
    load(client, "node1  VCPU:1\nnode2  VCPU:1\nnode3  VCPU:1")
    for node in ("node1", "node2"):
        hosts.map_host(cloud, "ironic", node, cell="cell1", provider=node)
    host_aggregates.add_host(cloud, "rack", "ironic")
    assert hosts.map_host(cloud, "ironic", "node3", cell="cell1", provider=uuid_of("node3")).aggregates == ("rack",)

    assert [memberships(client, f"node{number}") for number in (1, 2, 3)] == [{RACK}] * 3
    assert hosts.unmap(cloud, "ironic", "node1") == 1
    assert [memberships(client, f"node{number}") for number in (1, 2, 3)] == [set(), {RACK}, {RACK}]
    assert hosts.unmap(cloud, "ironic") == 2
    assert memberships(client, "node3") == set()


def test_a_node_that_is_mapped_to_another_root_takes_its_memberships_there(
    cloud: Database, client: FlaskClient
) -> None:
    load(client, "new  VCPU:1")
    host_aggregates.add_host(cloud, "rack", "cn2")
    hosts.map_host(cloud, "cn2", "cn2", cell="cell1", provider="new")

    assert memberships(client, "new") == {RACK}
    assert memberships(client, "cn2") == set()
    assert host_aggregates.get(cloud, RACK).hosts == ("cn2",)


def test_a_provider_of_a_host_can_be_deleted_and_comes_back_with_its_memberships(
    cloud: Database, client: FlaskClient
) -> None:
    host_aggregates.add_host(cloud, "rack", "cn2")
    assert client.delete(f"/resource_providers/{uuid_of('cn2')}").status_code == 204

    assert [(one.nodename, one.provider_uuid) for one in hosts.index(cloud)] == [
        ("cn1", uuid_of("cn1")),
        ("cn2", None),
    ]
    assert list(check(cloud)) == []
    load(client, "cn2  VCPU:8")
    assert hosts.discover(cloud, "cell1") == [("cn2", "cn2")]
    assert memberships(client, "cn2") == {RACK}
    host_aggregates.remove_host(cloud, "rack", "cn2")
    assert memberships(client, "cn2") == set()


def test_a_mirror_may_be_there_before_and_stays_after_its_host_aggregate(cloud: Database, client: FlaskClient) -> None:
    host_aggregates.create(cloud, "by hand", uuid_of("manual"))
    host_aggregates.add_host(cloud, "by hand", "cn1")
    assert memberships(client, "cn1") == {uuid_of("manual")}
    host_aggregates.remove_host(cloud, "by hand", "cn1")
    host_aggregates.delete(cloud, "by hand")

    assert look(cloud, "MATCH (a:Aggregate {uuid: $a}) RETURN count(*) AS n", a=uuid_of("manual")) == [{"n": 1}]
    assert [one.name for one in host_aggregates.index(cloud)] == ["gold", "rack"]


def test_sharing_follows_a_membership_by_mirroring(cloud: Database, client: FlaskClient) -> None:
    hosts.map_host(cloud, "storage", "storage", cell="cell1", provider="pool")
    host_aggregates.add_host(cloud, "rack", "storage")
    host_aggregates.add_host(cloud, "rack", "cn1")

    found = client.get("/allocation_candidates?resources=VCPU:1,DISK_GB:1").json["allocation_requests"]
    assert [set(one["allocations"]) for one in found] == [{uuid_of("cn1"), uuid_of("pool")}]


def test_metadata_is_found_by_key_and_value_and_by_the_beginning_of_a_key(cloud: Database) -> None:
    host_aggregates.create(cloud, "silver", uuid_of("silver"), {"filter_tenant_id": "p2", "other": "p1"})

    def names(*key_and_value: str, prefix: bool = False) -> list[str]:
        found = host_aggregates.HostAggregatesOf(cloud).with_metadata(*key_and_value, key_is_prefix=prefix)
        return [one.name for one in found]

    assert names("filter_tenant_id", "p1") == ["gold"]
    assert names("filter_tenant_id", "p3") == []
    assert names("filter_tenant_id", "p2", prefix=True) == ["gold", "silver"]
    assert names("filter_tenant_id", "p1", prefix=True) == ["gold"]
    (found,) = host_aggregates.HostAggregatesOf(cloud).with_key_prefix("oth")
    assert (found.name, found.metadata) == ("silver", {"filter_tenant_id": "p2", "other": "p1"})


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("with_value", {"key": "filter_tenant_id", "value": "p1"}),
        ("with_value_of_any", {"prefix": "filter_", "value": "p1"}),
        ("with_key", {"prefix": "filter_"}),
    ],
)
def test_metadata_is_found_by_an_index_however_much_there_is_and_however_many_hosts(
    cloud: Database, driver: neo4j.Driver, name: str, given: dict[str, str]
) -> None:
    driver.execute_query("UNWIND range(1, 300) AS n CREATE (:Metadata {aggregate_uuid: 'x', key: 'k' + n, value: 'v'})")
    driver.execute_query(
        "MATCH (g:HostAggregate) UNWIND range(1, 100) AS n CREATE (g)<-[:MEMBER_OF]-(:Host {service_host: 'h' + n})"
    )
    with driver.session() as session:
        text = f"PROFILE {statement(f'host_aggregates.{name}').packed}"
        profile: Any = session.run(text, given=given).consume().profile
    assert hits(profile) < 25


def test_metadata_is_set_and_removed_by_key(cloud: Database) -> None:
    changes = {"filter_tenant_id2": None, "filter_tenant_id": "p9", "new": "x"}
    assert host_aggregates.update(cloud, "gold", name="platinum", metadata=changes).metadata == {
        "filter_tenant_id": "p9",
        "new": "x",
    }
    assert host_aggregates.get(cloud, "platinum").uuid == GOLD


def test_a_host_is_in_one_availability_zone(cloud: Database) -> None:
    zone = host_aggregates.AVAILABILITY_ZONE
    host_aggregates.update(cloud, "rack", metadata={zone: "az1"})
    assert host_aggregates.add_host(cloud, "rack", "cn1").availability_zone == "az1"
    host_aggregates.add_host(cloud, "gold", "cn1")
    with pytest.raises(ConflictError, match="cn1 is in the availability zone az1 and cannot be in az2 too"):
        host_aggregates.update(cloud, "gold", metadata={zone: "az2"})
    host_aggregates.update(cloud, "gold", metadata={zone: "az1"})
    host_aggregates.create(cloud, "far", metadata={zone: "az3"})
    with pytest.raises(ConflictError, match="az1 and cannot be in az3"):
        host_aggregates.add_host(cloud, "far", "cn1")


REFUSED = {
    "an unknown aggregate": (NotFoundError, lambda db: host_aggregates.add_host(db, "none", "cn1")),
    "an unknown host": (NotFoundError, lambda db: host_aggregates.add_host(db, "rack", "cn9")),
    "a host that is not in it": (NotFoundError, lambda db: host_aggregates.remove_host(db, "rack", "cn1")),
    "a name that is taken": (ConflictError, lambda db: host_aggregates.create(db, "rack")),
    "a new name that is taken": (ConflictError, lambda db: host_aggregates.update(db, "rack", name="gold")),
    "a uuid that is taken": (ConflictError, lambda db: host_aggregates.create(db, "rack2", RACK)),
    "a value without a letter": (BadRequestError, lambda db: host_aggregates.update(db, "rack", metadata={"k": ""})),
    "a cell that is taken": (ConflictError, lambda db: hosts.create_cell(db, "cell1")),
    "a cell with hosts": (ConflictError, lambda db: hosts.delete_cell(db, "cell1")),
    "an unknown cell": (NotFoundError, lambda db: hosts.discover(db, "cell9")),
    "an unknown provider": (NotFoundError, lambda db: hosts.map_host(db, "a", "a", cell="cell1", provider="cn9")),
    "a provider below": (BadRequestError, lambda db: hosts.map_host(db, "a", "a", cell="cell1", provider="numa1")),
    "a provider of another": (ConflictError, lambda db: hosts.map_host(db, "a", "a", cell="cell1", provider="cn1")),
    "a host that is not mapped": (NotFoundError, lambda db: hosts.unmap(db, "cn9")),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(cloud: Database, name: str) -> None:
    error, call = REFUSED[name]
    with pytest.raises(error):
        call(cloud)
    assert list(check(cloud)) == []


def test_a_host_that_is_in_an_aggregate_holds_it(cloud: Database) -> None:
    host_aggregates.add_host(cloud, "rack", "cn1")
    with pytest.raises(ConflictError, match="in the host aggregate rack already"):
        host_aggregates.add_host(cloud, "rack", "cn1")
    with pytest.raises(ConflictError, match="has hosts; remove them first: cn1"):
        host_aggregates.delete(cloud, "rack")


def test_hosts_join_and_leave_while_clients_write_the_aggregates_of_their_providers(
    cloud: Database, client: FlaskClient
) -> None:
    """Whoever comes first, the mirror follows the host aggregate, or the client is told that it read something old."""
    load(client, "\n".join(f"h{number}  VCPU:1" for number in range(6)))
    hosts.discover(cloud, "cell1")
    path = f"/resource_providers/{uuid_of('h0')}/aggregates"

    def by_client() -> None:
        for _ in range(10):
            read = client.get(path).json
            kept = [*read["aggregates"], uuid_of("rest")]
            body = {"aggregates": list(dict.fromkeys(kept)), **{k: v for k, v in read.items() if k != "aggregates"}}
            assert client.put(path, json=body).status_code in (200, 409)

    def by_operator(number: int) -> None:
        for _ in range(5):
            host_aggregates.add_host(cloud, "rack", f"h{number}")
            host_aggregates.remove_host(cloud, "rack", f"h{number}")
        host_aggregates.add_host(cloud, "rack", f"h{number}")

    together([by_client, *(lambda number=number: by_operator(number) for number in range(6))])
    assert host_aggregates.get(cloud, "rack").hosts == tuple(f"h{number}" for number in range(6))
    assert all(RACK in memberships(client, f"h{number}") for number in range(6))
    assert list(check(cloud)) == []
