"""In which order candidates come, and which of them when not all are wanted: by the cloud alone, or at random."""

from typing import Any

import pytest
from cloud import Provider, read_cloud, uuid_of
from flask.testing import FlaskClient
from graphplace.api import create_app
from oracle.graph import write_graph

from graphplace.graph.database import Database
from graphplace.settings import CHOICES, DEPTH_FIRST, Settings

HOSTS = "".join(
    f"""
cn{one}  DISK_GB:{100 + one % 3}  HW_CPU_X86_AVX  {"HW_CPU_X86_VMX" if one % 4 == 0 else ""}  @pool  @zone{one % 2}
  numa{one}_0  VCPU:8(used={one % 2})  MEMORY_MB:64  HW_NUMA_ROOT
    pf{one}_0  SRIOV_NET_VF:8
  numa{one}_1  VCPU:8  MEMORY_MB:64  HW_NUMA_ROOT
    pf{one}_1  SRIOV_NET_VF:8
  pf{one}_2  SRIOV_NET_VF:8
"""
    for one in range(24)
)
POOLS = """
storage
  ss1  DISK_GB:1000  MISC_SHARES_VIA_AGGREGATE  @pool
  ss2  DISK_GB:1000  MISC_SHARES_VIA_AGGREGATE  @pool  @zone0
ips  IPV4_ADDRESS:200  MISC_SHARES_VIA_AGGREGATE  @zone1
"""
CLOUD = read_cloud(HOSTS + POOLS)
WIDE = read_cloud(
    "".join(f"cn{one}\n" + "".join(f"  pf{one}_{n}  SRIOV_NET_VF:8\n" for n in range(4)) for one in "abc")
)


def reversed_within_trees(cloud: tuple[Provider, ...]) -> tuple[Provider, ...]:
    """The same cloud in another order: the last provider first, but parents still before their children."""
    above = {one.name: one.parent for one in cloud}

    def depth(name: str | None) -> int:
        return 0 if name is None else 1 + depth(above[name])

    return tuple(
        Provider(
            name=one.name,
            parent=one.parent,
            inventories=dict(reversed(one.inventories.items())),
            traits=one.traits[::-1],
            aggregates=one.aggregates[::-1],
        )
        for one in sorted(cloud, key=lambda one: (-depth(one.name), one.name), reverse=True)
    )


def client_of(database: Database, **settings: Any) -> FlaskClient:
    client = create_app(database, Settings(allocation_candidates_timeout=0, **settings)).test_client()
    client.environ_base |= {"HTTP_X_AUTH_TOKEN": "admin", "HTTP_OPENSTACK_API_VERSION": "placement latest"}
    return client


def ask(client: FlaskClient, query: str) -> Any:
    response = client.get(f"/allocation_candidates?{query}")
    assert response.status_code == 200, response.text
    return response.get_json()


def key(allocation_request: Any) -> tuple[str, ...]:
    """What tells candidates apart: the provider of each group."""
    return tuple(uuid for _, (uuid,) in sorted(allocation_request["mappings"].items()))


def hosts_of(body: Any) -> list[str]:
    """The root of each candidate of a cloud without pools."""
    summaries = body["provider_summaries"]
    return [summaries[next(iter(one["allocations"]))]["root_provider_uuid"] for one in body["allocation_requests"]]


STRATEGIES = CHOICES["allocation_candidates_generation_strategy"]
LIMITS = ("", "&limit=300", "&limit=40", "&limit=7", "&limit=1")
QUERIES = (
    "resources=VCPU:1",
    "resources=VCPU:1,MEMORY_MB:1,DISK_GB:10",
    "resources=DISK_GB:10",
    "resources=DISK_GB:500",
    "resources=DISK_GB:500,IPV4_ADDRESS:1",
    "resources=DISK_GB:1&required=HW_CPU_X86_VMX",
    "resources=VCPU:8&resources_D=DISK_GB:500&required_D=MISC_SHARES_VIA_AGGREGATE",
    f"resources=VCPU:1,DISK_GB:1&member_of={uuid_of('zone1')}",
    f"resources_C=VCPU:1&in_tree_C={uuid_of('numa5_0')}&resources_D=DISK_GB:1&group_policy=none",
    f"resources_C=VCPU:1&resources_D=DISK_GB:1&in_tree_D={uuid_of('storage')}&group_policy=none",
    "resources_1=SRIOV_NET_VF:1&resources_2=SRIOV_NET_VF:1&resources_3=SRIOV_NET_VF:1&group_policy=isolate",
    "resources_C=VCPU:1&resources_N=SRIOV_NET_VF:1&required_R=HW_NUMA_ROOT&same_subtree=_R,_C,_N&group_policy=none",
)


def test_the_cloud_alone_decides_the_answer_and_its_order(database: Database) -> None:
    clients = [client_of(database, allocation_candidates_generation_strategy=strategy) for strategy in STRATEGIES]

    def answers() -> list[bytes]:
        return [
            client.get(f"/allocation_candidates?{query}{limit}").data
            for client in clients
            for query in QUERIES
            for limit in LIMITS
        ]

    write_graph(database, CLOUD)
    as_written = answers()
    write_graph(database, reversed_within_trees(CLOUD))
    assert answers() == as_written
    assert all(b'"allocations"' in answer for answer in as_written)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_lower_limit_gives_the_first_of_what_a_higher_one_gives(database: Database, strategy: str) -> None:
    client = client_of(database, allocation_candidates_generation_strategy=strategy)
    write_graph(database, CLOUD)
    for query in QUERIES:
        everything, *limited = [ask(client, query + limit)["allocation_requests"] for limit in LIMITS]
        for limit, found in zip((300, 40, 7, 1), limited, strict=True):
            assert found == everything[:limit], query


def test_the_fullest_hosts_come_first(database: Database) -> None:
    write_graph(database, read_cloud("cn1  VCPU:8\ncn2  VCPU:8(used=6)\ncn3  VCPU:8(used=3)\ncn4  VCPU:8(used=7)"))
    assert hosts_of(ask(client_of(database), "resources=VCPU:2")) == [uuid_of(f"cn{one}") for one in (2, 3, 1)]


@pytest.mark.difference("Breadth first")
def test_depth_first_gives_all_candidates_of_a_host_before_another(database: Database) -> None:
    write_graph(database, WIDE)
    query = "resources_1=SRIOV_NET_VF:1&resources_2=SRIOV_NET_VF:1&group_policy=isolate"
    hosts = sorted(uuid_of(f"cn{one}") for one in "abc")
    evenly = hosts_of(ask(client_of(database), query))
    assert len(evenly) == 3 * 12
    assert all(sorted(evenly[one : one + 3]) == hosts for one in range(0, 36, 3))
    in_depth = hosts_of(ask(client_of(database, allocation_candidates_generation_strategy=DEPTH_FIRST), query))
    assert in_depth == [host for host in dict.fromkeys(evenly) for _ in range(12)]


@pytest.mark.parametrize(("limit", "expected"), [("", 5), ("&limit=9", 5), ("&limit=3", 3)])
def test_no_request_gets_more_than_the_setting_allows(database: Database, limit: str, expected: int) -> None:
    write_graph(database, WIDE)
    body = ask(client_of(database, max_allocation_candidates=5), f"resources=SRIOV_NET_VF:1{limit}")
    assert (
        body["allocation_requests"]
        == ask(client_of(database), "resources=SRIOV_NET_VF:1")["allocation_requests"][:expected]
    )
    assert {body["provider_summaries"][uuid]["root_provider_uuid"] for uuid in body["provider_summaries"]} == set(
        hosts_of(body)
    )


@pytest.mark.parametrize(("setting", "expected"), [(0, 1), (-1, 12), (-7, 12)])
def test_a_setting_of_none_is_one_and_below_that_all(database: Database, setting: int, expected: int) -> None:
    """As in Placement."""
    write_graph(database, WIDE)
    body = ask(client_of(database, max_allocation_candidates=setting), "resources=SRIOV_NET_VF:1")
    assert len(body["allocation_requests"]) == expected


@pytest.mark.difference("Random candidates")
def test_random_candidates_are_from_the_whole_cloud_and_evenly(database: Database) -> None:
    """With 24 hosts and nine candidates each, what is asked of 600 draws fails once in many millions of runs."""
    write_graph(database, CLOUD)
    client = client_of(
        database, randomize_allocation_candidates=True, allocation_candidates_generation_strategy=DEPTH_FIRST
    )
    query = "resources_1=SRIOV_NET_VF:1&resources_2=SRIOV_NET_VF:1&group_policy=none"
    everything = {key(one) for one in ask(client_of(database), query)["allocation_requests"]}
    seen = set()
    orders = set()
    for _ in range(60):
        body = ask(client, f"{query}&limit=10")
        found = [key(one) for one in body["allocation_requests"]]
        assert len(set(hosts_of(body))) == len(set(found)) == 10
        assert everything.issuperset(found)
        seen.update(found)
        orders.add(tuple(found))
    assert len(orders) == 60
    assert len({uuid for one in seen for uuid in one}) == 24 * 3
    assert len(seen) > 100
    assert {key(one) for one in ask(client, query)["allocation_requests"]} == everything
