"""``graphplace tree`` and ``graphplace candidates`` on a real graph."""

import json

import neo4j
from cloud import load_cloud, read_cloud, uuid_of
from commands import Command
from flask.testing import FlaskClient

CLOUD = """
cn1  VCPU:8(reserved=1,used=3)  DISK_GB:10  @A
  numa0  MEMORY_MB:100(used=100)  HW_NUMA_ROOT
    pf1  SRIOV_NET_VF:2
cn2  VCPU:4
pool  DISK_GB:1000  MISC_SHARES_VIA_AGGREGATE  @A
"""


def test_a_tree_with_what_is_used_and_who_shares(graphplace: Command, client: FlaskClient) -> None:
    load_cloud(client, read_cloud(CLOUD))

    for name in ("cn1", uuid_of("pf1")):
        lines = graphplace("tree", name).stdout.splitlines()
        assert lines == [
            f"cn1  {uuid_of('cn1')}",
            "  DISK_GB [....................] 0 of 10 used, 10 free",
            "  VCPU    [########............] 3 of 7 used, 4 free, 1 reserved",
            f"  aggregates: {uuid_of('A')}",
            f"    numa0  {uuid_of('numa0')}",
            "      MEMORY_MB [####################] 100 of 100 used, 0 free",
            "      traits: HW_NUMA_ROOT",
            f"        pf1  {uuid_of('pf1')}",
            "          SRIOV_NET_VF [....................] 0 of 2 used, 2 free",
            f"pool  {uuid_of('pool')}  shares with this tree",
            "  DISK_GB [....................] 0 of 1000 used, 1000 free",
            "  traits: MISC_SHARES_VIA_AGGREGATE",
            f"  aggregates: {uuid_of('A')}",
        ]


def test_a_tree_as_data(graphplace: Command, client: FlaskClient) -> None:
    load_cloud(client, read_cloud(CLOUD))

    found = json.loads(graphplace("tree", "cn1", "--json").stdout)

    assert [(one["name"], one["depth"]) for one in found["providers"]] == [("cn1", 0), ("numa0", 1), ("pf1", 2)]
    assert [one["name"] for one in found["sharing_providers"]] == ["pool"]


def test_what_shrank_below_its_use_is_over_capacity(graphplace: Command, client: FlaskClient) -> None:
    load_cloud(client, read_cloud("cn1  VCPU:8(used=8)"))
    body = {"resource_provider_generation": 2, "inventories": {"VCPU": {"total": 5}}}
    assert client.put(f"/resource_providers/{uuid_of('cn1')}/inventories", json=body).status_code == 200

    assert "8 of 5 used, OVER CAPACITY by 3" in graphplace("tree", "cn1").stdout


def test_all_trees_in_brief(graphplace: Command, client: FlaskClient) -> None:
    load_cloud(client, read_cloud(CLOUD))

    header, *lines = graphplace("tree").stdout.splitlines()

    assert header.split() == ["host", "uuid", "providers"]
    assert [line.split() for line in lines] == [
        [name, uuid_of(name), size] for name, size in (("cn1", "3"), ("cn2", "1"), ("pool", "1"))
    ]


def test_an_unknown_provider_is_one_line(graphplace: Command) -> None:
    answer = graphplace("tree", "nobody")

    assert answer.exit_code == 1
    assert answer.stderr == "Error: No resource provider has the uuid or the name nobody.\n"


def test_candidates_as_a_table(graphplace: Command, client: FlaskClient) -> None:
    load_cloud(client, read_cloud(CLOUD))

    header, line = graphplace("candidates", "resources=VCPU:1&resources_NET=SRIOV_NET_VF:2").stdout.splitlines()

    assert header.split() == ["#", "resources", "groups"]
    assert line.split("  ")[0] == "1"
    assert "cn1 VCPU:1 + pf1 SRIOV_NET_VF:2" in line
    assert line.rstrip().endswith("_NET=pf1")


def test_candidates_as_the_api_answers(graphplace: Command, client: FlaskClient) -> None:
    load_cloud(client, read_cloud(CLOUD))
    query = "resources=VCPU:1&limit=1&in_tree=" + uuid_of("cn1")

    assert (
        json.loads(graphplace("candidates", query, "--json").stdout)
        == client.get(f"/allocation_candidates?{query}").get_json()
    )


def test_no_candidates_and_a_bad_query(graphplace: Command) -> None:
    assert graphplace("candidates", "resources=VCPU:1").stdout == "No candidates.\n"
    answer = graphplace("candidates", "resources=VCPU:none")
    assert answer.exit_code == 1
    assert "VCPU" in answer.stderr


def test_a_name_cannot_steer_the_terminal(graphplace: Command, client: FlaskClient, driver: neo4j.Driver) -> None:
    name = "cn1\x1b[31m\x9b2J"
    assert client.post("/resource_providers", json={"name": name, "uuid": uuid_of("cn1")}).status_code == 200
    driver.execute_query("MATCH (p:ResourceProvider) SET p.updated_at = datetime() - duration('P1D')")
    asked = (
        ["tree"],
        ["tree", uuid_of("cn1")],
        ["ask", "host-tree", "--host", uuid_of("cn1")],
        ["cypher", "MATCH (p:ResourceProvider) RETURN p.name"],
        ["audit", "--only", "empty"],
    )
    for arguments in asked:
        told = graphplace(*arguments).stdout
        assert all(line.isprintable() for line in told.splitlines()), arguments
        assert "cn1\ufffd[31m\ufffd2J" in told, arguments
