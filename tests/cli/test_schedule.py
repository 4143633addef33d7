"""graphplace schedule: selecting and claiming on the command line, from one process and from many."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from claims import load, used
from cloud import uuid_of
from commands import Command
from flask.testing import FlaskClient
from graph import look

from graphplace import hosts
from graphplace.check import check
from graphplace.cli.serve import environment
from graphplace.graph.database import Database
from graphplace.loading import load as load_document
from graphplace.loading import read_cloud
from graphplace.scheduler.selection import Selection
from graphplace.settings import Settings

FLAVOR = "name: small\nvcpus: 2\nram: 1024\nextra_specs:\n  trait:HW_CPU_X86_AVX: required\n"
PROCESSES, INSTANCES = 8, 50


@pytest.fixture
def flavor(tmp_path: Path) -> str:
    file = tmp_path / "small.yaml"
    file.write_text(FLAVOR)
    return str(file)


@pytest.fixture
def two_hosts(client: FlaskClient, database: Database) -> None:
    load(client, "h0  VCPU:4  MEMORY_MB:8192  HW_CPU_X86_AVX\nh1  VCPU:4  MEMORY_MB:8192  HW_CPU_X86_AVX")
    hosts.create_cell(database, "cell1", uuid_of("cell1"))
    hosts.discover(database, "cell1")


@pytest.mark.usefixtures("two_hosts")
def test_hosts_are_selected_and_claimed(graphplace: Command, client: FlaskClient, flavor: str) -> None:
    told = graphplace("schedule", "--flavor", flavor, "--project", "p1", "--group", "anti-affinity", "--count", "2")
    assert told.exit_code == 0, told.output
    assert sorted(line.split()[1] for line in told.output.splitlines()) == ["h0", "h1", "host"]
    assert used(client, "h0")["VCPU"] == used(client, "h1")["VCPU"] == 2

    shown = graphplace("schedule", "--flavor", flavor, "--project", "p1", "--host", "h1", "--json")
    ((claimed,),) = json.loads(shown.output).values()
    assert Selection.from_dict(claimed).service_host == "h1"
    assert used(client, "h1")["VCPU"] == 4


@pytest.mark.usefixtures("two_hosts")
def test_a_host_may_have_some_of_a_group(graphplace: Command, client: FlaskClient, flavor: str) -> None:
    command = ("schedule", "--flavor", flavor, "--project", "p1", "--max-server-per-host", "1", "--group")
    assert graphplace(*command, "anti-affinity", "--count", "2").exit_code == 0
    assert used(client, "h0")["VCPU"] == used(client, "h1")["VCPU"] == 2
    refused = graphplace(*command, "affinity")
    assert (refused.exit_code, refused.stderr) == (
        1,
        "Error: Rules are for groups of the policy anti-affinity, not affinity.\n",
    )


@pytest.mark.usefixtures("two_hosts")
def test_a_dry_run_claims_nothing(graphplace: Command, client: FlaskClient, flavor: str) -> None:
    told = graphplace("schedule", "--flavor", flavor, "--project", "p1", "--count", "4", "--dry-run")
    assert sorted(line.split()[1] for line in told.output.splitlines()) == ["h0", "h0", "h1", "h1", "host"]
    assert used(client, "h0")["VCPU"] == 0
    refused = graphplace("schedule", "--flavor", flavor, "--project", "p1", "--count", "5", "--dry-run")
    assert refused.exit_code == 1
    assert "2 are filled by the instances before it" in refused.stderr


@pytest.mark.usefixtures("two_hosts")
def test_no_valid_host_is_one_line_with_the_reason_behind_what_the_filters_did(
    graphplace: Command, flavor: str, client: FlaskClient
) -> None:
    refused = graphplace("schedule", "--flavor", flavor, "--project", "p1", "--count", "5")
    assert refused.exit_code == 1
    filters, error = refused.stderr.splitlines()
    assert filters == "Request filter compute_status: Hosts are not disabled: no COMPUTE_STATUS_DISABLED."
    assert error.startswith("Error: No valid host was found. Instance ")
    assert "VCPU" in error
    assert used(client, "h0")["VCPU"] == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("vcpus: 2", "$: 'ram' is a required property"),
        ("vcpus: 2\nram: 1\nrams: 3", "'rams' was unexpected"),
        ("vcpus: 0\nram: 1", "$.vcpus: 0 is less than the minimum of 1"),
        ("vcpus: many\nram: 1", "$.vcpus: 'many' is not of type 'integer'"),
        ("vcpus: 1\nram: 1\nextra_specs: {'resources:VGPU': 1}", "1 is not of type 'string'"),
        ("vcpus: 1\nram: 1\nextra_specs: {'resources:VGPU': 'x'}", "resources:VGPU must be a whole number from 0 to"),
        ("vcpus: 1\nram: 1\nextra_specs: {'trait:CUSTOM_A': 'y'}", "must be required or forbidden. Got: 'y'"),
        ("", "None is not of type 'object'"),
        ("[", "neither YAML nor JSON"),
        ("[" * 3000, "neither YAML nor JSON"),
        ("vcpus: 1\nvcpus: 2\nram: 1", "'vcpus' is there twice"),
        ("name: caf\xe9", "neither YAML nor JSON"),
    ],
)
def test_a_flavor_with_a_mistake_is_refused(graphplace: Command, tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "flavor"
    file.write_bytes(text.encode("latin-1"))
    refused = graphplace("schedule", "--flavor", str(file), "--project", "p1")
    assert (refused.exit_code, words in refused.stderr) == (1, True), refused.stderr


def test_50_instances_at_once_from_each_of_8_processes_on_200_hosts(
    neo4j_settings: Settings, database: Database, flavor: str
) -> None:
    """There is room for 360 of the 400: who does not get all of its own gets none, and says that VCPUs are short."""
    cloud = {
        "version": 1,
        "providers": [
            {
                "uuid": uuid_of(f"h{number}"),
                "name": f"h{number}",
                "inventories": {"VCPU": {"total": 2 if number % 5 == 0 else 4}, "MEMORY_MB": {"total": 8192}},
                "traits": ["HW_CPU_X86_AVX"],
            }
            for number in range(200)
        ],
    }
    load_document(database, read_cloud(json.dumps(cloud).encode()))
    hosts.create_cell(database, "cell1", uuid_of("cell1"))
    hosts.discover(database, "cell1")
    command = [sys.executable, "-m", "graphplace.cli", "schedule", "--flavor", flavor, "--project", "p1"]
    running = [
        subprocess.Popen(  # noqa: S603  # made here
            [*command, "--count", str(INSTANCES), "--json"],
            # Nobody waits for changes that would give candidates.
            env=environment(neo4j_settings) | {"GRAPHPLACE_EXPLAIN_CHANGES_TIMEOUT": "0.01"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(PROCESSES)
    ]
    told = [process.communicate() for process in running]

    placed = [json.loads(out) for process, (out, _) in zip(running, told, strict=True) if process.returncode == 0]
    refused = [error for process, (_, error) in zip(running, told, strict=True) if process.returncode]
    assert len(placed) + len(refused) == PROCESSES
    assert refused
    for error in refused:
        assert error.startswith("Request filter compute_status: "), error
        assert "\nError: No valid host was found. " in error
        assert "Placement has no candidates for resources=VCPU:2,MEMORY_MB:1024" in error
        assert "traits" not in error
    claimed = {uuid: Selection.from_dict(some[0]) for one in placed for uuid, some in one.items()}
    assert len(claimed) == INSTANCES * len(placed)
    held = look(
        database,
        "MATCH (c:Consumer)-[r:CONSUMES {resource_class: 'VCPU'}]->(i) "
        "RETURN c.uuid AS consumer, i.provider_uuid AS host, r.amount AS amount",
    )
    assert {(row["consumer"], row["host"], row["amount"]) for row in held} == {
        (uuid, one.compute_node_uuid, 2) for uuid, one in claimed.items()
    }
    assert look(database, "MATCH (i:Inventory) WHERE i.used > i.capacity RETURN i.provider_uuid AS uuid") == []
    assert list(check(database)) == []
