"""graphplace audit: what is planted is found, with commands that mend it; what is in order is not."""

import json
import shlex
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import neo4j
import pytest
from claims import claim, held_by, load, put, used
from cloud import uuid_of
from commands import Command
from flask.testing import FlaskClient

from graphplace.audit import AUDITS, audit
from graphplace.graph.database import Database

CLOUD = """
cn1  VCPU:8  @A
  numa1  MEMORY_MB:1024(used=512)
cn2  VCPU:8(used=1)
  numa2  MEMORY_MB:1024(used=512)
pool  DISK_GB:1000(used=100)  MISC_SHARES_VIA_AGGREGATE  @A
"""
LONG_AGO = "SET p.updated_at = datetime() - duration('P40D')"
Plant = Callable[[str], None]


@pytest.fixture
def plant(client: FlaskClient, driver: neo4j.Driver) -> Plant:
    """A cloud in order, and what writes to it past graphplace."""
    load(client, CLOUD)
    return lambda text: driver.execute_query(text) and None


def run(graphplace: Command, *arguments: str, found: bool = True, **options: Any) -> dict[str, Any]:
    """What each audit found, by its name."""
    result = graphplace("audit", "--json", *arguments, **options)
    assert result.exit_code == (1 if found else 0), result.output
    document = json.loads(result.stdout)
    assert document["total"] == sum(one["total"] for one in document["audits"])
    return {one["name"]: one for one in document["audits"] if one["total"]}


def only(found: dict[str, Any], name: str) -> dict[str, Any]:
    """The one thing that was found, by the audit *name*."""
    assert found.keys() == {name}
    (finding,) = found[name]["findings"]
    return dict(finding)


def test_a_cloud_in_order(graphplace: Command, plant: Plant) -> None:
    plant("RETURN 1")

    result = graphplace("audit")

    assert result.exit_code == 0
    assert result.stdout == "drift 0, doubled 0, over_capacity 0, stale 0, empty 0, lonely_pools 0, untyped 0.\n"


def test_a_consumer_on_two_hosts(graphplace: Command, client: FlaskClient, plant: Plant) -> None:
    plant("RETURN 1")
    moving = {"numa1": {"MEMORY_MB": 1}, "cn1": {"VCPU": 1}, "cn2": {"VCPU": 1}, "pool": {"DISK_GB": 1}}
    assert put(client, "moving", moving).status_code == 204
    assert (
        put(client, "at home", {"cn1": {"VCPU": 1}, "numa1": {"MEMORY_MB": 1}, "pool": {"DISK_GB": 1}}).status_code
        == 204
    )

    finding = only(run(graphplace), "doubled")

    assert f"{uuid_of('moving')} of type INSTANCE" in finding["words"]
    assert [root["name"] for root in finding["data"]["roots"]] == ["cn1", "cn2"]
    off_cn1, off_cn2 = map(shlex.split, finding["mend"])
    assert off_cn1[-6:] == ["unset", "--provider", uuid_of("cn1"), "--provider", uuid_of("numa1"), uuid_of("moving")]
    assert off_cn2[-4:] == ["unset", "--provider", uuid_of("cn2"), uuid_of("moving")]
    assert held_by(client, "moving").keys() == {uuid_of(name) for name in moving}


def test_an_inventory_that_shrank(graphplace: Command, client: FlaskClient, plant: Plant) -> None:
    plant("RETURN 1")
    path = f"/resource_providers/{uuid_of('numa2')}"
    generation = client.get(path).json["generation"]
    shrunk = {"resource_provider_generation": generation, "inventories": {"MEMORY_MB": {"total": 150}}}
    assert client.put(f"{path}/inventories", json=shrunk).status_code == 200

    finding = only(run(graphplace), "over_capacity")

    assert finding["words"] == f"numa2 ({uuid_of('numa2')}) MEMORY_MB: 512 used by 1 consumers, 150 there"
    ratio = finding["mend"][1].rpartition("=")[2]
    shrunk = {
        "resource_provider_generation": generation + 1,
        "inventories": {"MEMORY_MB": {"total": 150, "allocation_ratio": float(ratio)}},
    }
    assert client.put(f"{path}/inventories", json=shrunk).status_code == 200
    run(graphplace, found=False)
    assert used(client, "numa2") == {"MEMORY_MB": 512}


def test_a_host_that_nobody_uses(graphplace: Command, client: FlaskClient, plant: Plant) -> None:
    plant(f"MATCH (p:ResourceProvider) {LONG_AGO}")
    run(graphplace, found=False)
    load(client, "gone VCPU:1\n  gone1 MEMORY_MB:1\n    gone2 PGPU:1\nquiet VCPU:1\n  busy MEMORY_MB:1")
    plant(f"MATCH (p:ResourceProvider) WHERE p.name STARTS WITH 'gone' OR p.name = 'quiet' {LONG_AGO}")

    finding = only(run(graphplace), "stale")

    assert finding["words"].startswith(f"gone ({uuid_of('gone')}), written ")
    assert finding["mend"][0].count(" && ") == 2
    for command in finding["mend"][0].split(" && "):
        assert client.delete(f"/resource_providers/{shlex.split(command)[-1]}").status_code == 204
    run(graphplace, found=False)
    plant(f"MATCH (p:ResourceProvider {{name: 'busy'}}) {LONG_AGO}")
    assert only(run(graphplace), "stale")["data"]["name"] == "quiet"
    run(graphplace, "--stale-days", "41", found=False)


def test_a_provider_without_anything(graphplace: Command, client: FlaskClient, plant: Plant) -> None:
    load(client, "empty\nstructure\n  cell VCPU:1\nmarked HW_CPU_X86_AVX")
    run(graphplace, found=False)
    plant("MATCH (p:ResourceProvider) SET p.updated_at = datetime() - duration('PT2H')")

    finding = only(run(graphplace), "empty")

    assert finding["data"]["name"] == "empty"
    assert client.delete(f"/resource_providers/{shlex.split(finding['mend'][0])[-1]}").status_code == 204
    run(graphplace, found=False)


def test_a_pool_that_shares_with_nobody(graphplace: Command, client: FlaskClient, plant: Plant) -> None:
    plant("RETURN 1")
    load(
        client,
        "alone DISK_GB:1 MISC_SHARES_VIA_AGGREGATE @B\n  part VCPU:1 @B\nnowhere DISK_GB:1 MISC_SHARES_VIA_AGGREGATE",
    )

    found = run(graphplace)["lonely_pools"]["findings"]

    assert [finding["data"]["name"] for finding in found] == ["alone", "nowhere"]
    assert shlex.split(found[0]["mend"][0])[-3:] == ["HOST", "--aggregate", uuid_of("B")]
    assert "aggregates: none" in found[1]["words"]


def test_a_consumer_without_a_type(graphplace: Command, client: FlaskClient, plant: Plant) -> None:
    plant("RETURN 1")
    body = claim({"cn1": {"VCPU": 2}, "numa1": {"MEMORY_MB": 1}}, user="it's me; rm -rf")
    del body["consumer_type"]
    old = {"OpenStack-API-Version": "placement 1.36"}
    assert client.put(f"/allocations/{uuid_of('old')}", json=body, headers=old).status_code == 204

    command = shlex.split(only(run(graphplace), "untyped")["mend"][0])

    given = dict(zip(command[-6::2], command[-5::2], strict=True))
    assert given == {
        "--project-id": body["project_id"],
        "--user-id": body["user_id"],
        "--consumer-type": "INSTANCE",
    }
    amounts = {f"rp={uuid_of('cn1')},VCPU=2", f"rp={uuid_of('numa1')},MEMORY_MB=1"}
    assert {word for word in command if word.startswith("rp=")} == amounts
    run(graphplace, "--skip", "untyped", found=False)


def test_consumers_that_no_service_knows(graphplace: Command, client: FlaskClient, plant: Plant) -> None:
    plant("RETURN 1")
    every = [f"{name} {kind}" for name, kind in (("numa1", "MEMORY_MB"), ("cn2", "VCPU"), ("numa2", "MEMORY_MB"))]
    known = "\n".join(uuid_of(name) for name in every)
    arguments = ("--only", "orphans", "--known", "-")

    finding = only(run(graphplace, *arguments, input=f"{known}\n\n"), "orphans")

    assert finding["data"]["held"] == ["pool DISK_GB:100"]
    assert client.delete(f"/allocations/{shlex.split(finding['mend'][0])[-1]}").status_code == 204
    run(graphplace, *arguments, input=known, found=False)
    refused = graphplace("audit", *arguments, input=f"{known}\nnova\n")
    assert (refused.exit_code, "Line 4 of the file of --known is no uuid: nova" in refused.stderr) == (2, True)


def test_what_drifted(graphplace: Command, plant: Plant) -> None:
    plant("MATCH (i:Inventory {resource_class: 'DISK_GB'}) SET i.used = 7")
    plant("MATCH (p {name: 'numa1'}), (q {name: 'pool'}) CREATE (p)-[:CHILD_OF]->(q)")

    result = graphplace("audit")

    assert result.exit_code == 1
    assert f"  used: inventory pool ({uuid_of('pool')}) DISK_GB used is 7, should be 100\n" in result.stdout
    assert "    mend: graphplace check --repair\n" in result.stdout
    assert "    mend: PUT /resource_providers/{uuid} with the right parent_provider_uuid" in result.stdout


def test_much_is_told_in_few_lines(graphplace: Command, client: FlaskClient, plant: Plant) -> None:
    plant(
        "UNWIND range(1, 40) AS n "
        "CREATE (:Consumer {uuid: 'c' + n, generation: 1, created_at: datetime(), updated_at: datetime()})"
    )

    result = graphplace("audit", "--most", "3")

    assert "What graphplace check finds (drift): 120\n" in result.stdout
    assert "  ... and 117 more\n" in result.stdout
    assert "Consumers without a type (untyped): 40\n" in result.stdout
    assert "  ... and 37 more\n" in result.stdout
    assert len(result.stdout.splitlines()) < 30


def test_every_audit_is_listed_and_can_be_chosen(graphplace: Command, plant: Plant) -> None:
    listed = graphplace("audit", "--list").stdout
    for one in AUDITS:
        assert f"{one.name}: {one.title}. {one.sentence}\n" in listed
    plant(f"MATCH (p:ResourceProvider) {LONG_AGO}")
    assert graphplace("audit", "--only", "stale", "--only", "empty").stdout == "stale 0, empty 0.\n"


def test_without_neo4j_nothing_is_known(graphplace: Command) -> None:
    result = graphplace("audit", env={"GRAPHPLACE_NEO4J_URI": "bolt://127.0.0.1:1"})

    assert result.exit_code == 2
    assert "Neo4j cannot be reached" in result.stderr


def test_audits_are_there_for_programs(database: Database, client: FlaskClient) -> None:
    load(client, "empty")
    found = {one.audit.name: one.total for one in audit(database, stale=timedelta(days=1))}
    assert found == {one.name: 0 for one in AUDITS if one.name != "orphans"}
