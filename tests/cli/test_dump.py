"""graphplace dump, and graphplace load of what it wrote."""

import json
from pathlib import Path

import pytest
from claims import load
from commands import Command
from flask.testing import FlaskClient

CLOUD = "cn1  VCPU:8(used=2)  @A\n  numa1  MEMORY_MB:64\npool  DISK_GB:9(used=1)  MISC_SHARES_VIA_AGGREGATE  @A"


@pytest.mark.parametrize("mode", [[], ["--per-tree"]])
def test_dump_wipe_load_dump(graphplace: Command, client: FlaskClient, tmp_path: Path, mode: list[str]) -> None:
    load(client, CLOUD)
    first, second = tmp_path / "first", tmp_path / "second"

    told = graphplace("dump", str(first), *mode)
    assert told.exit_code == 0, told.output
    assert told.stdout == ""
    assert told.stderr.startswith("3 providers, 2 allocations.\n")
    assert ("Writers waited up to " in told.stderr) == (not mode)
    assert graphplace("db", "wipe", "--yes").exit_code == 0
    loaded = graphplace("load", str(first))
    assert loaded.output == "3 providers, 2 allocations.\n"
    assert graphplace("dump", str(second), *mode).exit_code == 0
    assert second.read_bytes() == first.read_bytes()
    assert sorted(tmp_path.iterdir()) == [first, second]
    assert graphplace("check").exit_code == 0


def test_standard_output_and_input(graphplace: Command, client: FlaskClient) -> None:
    load(client, CLOUD)
    written = graphplace("dump", "-")
    assert written.exit_code == 0, written.output
    data = written.stdout
    assert [line.keys() - {"version"} for line in map(json.loads, data.splitlines())][-1] == {"totals"}
    graphplace("db", "wipe", "--yes")

    assert graphplace("load", "-", input=data).exit_code == 0
    assert graphplace("dump", "-").stdout == data


def test_a_graph_that_is_not_empty(graphplace: Command, client: FlaskClient, tmp_path: Path) -> None:
    load(client, CLOUD)
    file = tmp_path / "dump"
    graphplace("dump", str(file))

    refused = graphplace("load", str(file))
    assert refused.exit_code == 1
    assert refused.stderr.startswith(f"Error: {file}: This file is loaded into an empty graph")
    assert "db wipe" in refused.stderr


def test_a_folder_that_is_not_there(graphplace: Command, tmp_path: Path) -> None:
    file = tmp_path / "nowhere" / "dump"

    refused = graphplace("dump", str(file))
    assert refused.exit_code == 1
    assert refused.stderr == f"Error: {file} cannot be written: No such file or directory.\n"


def test_a_failed_dump_leaves_the_old_one(graphplace: Command, tmp_path: Path) -> None:
    file = tmp_path / "dump"
    file.write_text("precious")

    assert graphplace("dump", str(file), env={"GRAPHPLACE_NEO4J_URI": "bolt://127.0.0.1:9"}).exit_code == 1
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("dump", "precious")]


def test_the_schema_is_printed(graphplace: Command) -> None:
    schema = json.loads(graphplace("dump", "--schema").output)

    assert {"version", "providers", "consumers", "totals"} < schema["properties"].keys()
