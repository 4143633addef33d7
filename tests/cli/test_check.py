"""graphplace check: its lines and its exit status. tests/test_check.py has the checks themselves."""

import json

import neo4j
from claims import load
from cloud import uuid_of
from commands import Command
from flask.testing import FlaskClient

from graphplace.check import CHECKS

ADVICE = {one.name: one.advice for one in CHECKS}


def test_the_lines_and_the_exit_status(graphplace: Command, client: FlaskClient, driver: neo4j.Driver) -> None:
    load(client, "pool  DISK_GB:1000(used=100)\n  child")
    clean = graphplace("check")
    assert clean.exit_code == 0
    assert (
        clean.stdout
        == "1 inventory, 2 providers, 1 consumer, 0 hosts, 0 host aggregates, 0 metadata: 0 findings, 0 mended.\n"
    )
    driver.execute_query("MATCH (i:Inventory) SET i.used = 7")
    driver.execute_query("MATCH (c:Consumer)-[r:OF_USER]->() DELETE r")

    found = graphplace("check")
    assert found.exit_code == 1
    assert f"used: inventory pool ({uuid_of('pool')}) DISK_GB used is 7, should be 100\n" in found.stdout
    assert "used: graphplace check --repair mends it.\n" in found.stdout
    mended = graphplace("check", "--repair")
    assert mended.exit_code == 1
    assert f"used: inventory pool ({uuid_of('pool')}) DISK_GB used is 7, should be 100: mended\n" in mended.stdout
    assert f"owner: {ADVICE['owner']}\n" in mended.stdout
    assert mended.stdout.endswith(": 2 findings, 1 mended.\n")
    again = graphplace("check", "--json")
    assert again.exit_code == 1
    assert [one["check"] for one in json.loads(again.stdout)["findings"]] == ["owner"]


def test_a_check_that_fails_says_so_by_its_exit_status(graphplace: Command) -> None:
    result = graphplace("check", env={"GRAPHPLACE_NEO4J_URI": "bolt://127.0.0.1:9"})
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: Neo4j cannot be reached")


def test_all_checks_are_listed(graphplace: Command) -> None:
    listed = graphplace("check", "--list", env={"GRAPHPLACE_NEO4J_URI": "bolt://127.0.0.1:9"}).stdout.splitlines()
    assert "used (mended): used is the sum of all allocations." in listed
    assert len(listed) == len(CHECKS)
