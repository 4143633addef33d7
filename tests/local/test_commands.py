"""``graphplace neo4j``: start, status, uri and stop, as a person at a shell sees them."""

import pytest
from click.testing import CliRunner, Result

from graphplace.cli import main
from graphplace.graph import local
from graphplace.settings import Settings


@pytest.fixture
def environment(local_settings: Settings) -> dict[str, str]:
    return {
        "GRAPHPLACE_DATA_DIR": str(local_settings.data_dir),
        "GRAPHPLACE_CACHE_DIR": str(local_settings.cache_dir),
    }


def command(environment: dict[str, str], name: str) -> Result:
    return CliRunner().invoke(main, ["neo4j", name], env=environment)


def test_nothing_runs(environment: dict[str, str]) -> None:
    assert command(environment, "stop").stdout == "No managed Neo4j runs on this data folder.\n"
    status = command(environment, "status")
    assert status.exit_code == 3
    assert "not running" in status.stdout
    uri = command(environment, "uri")
    assert uri.exit_code == 3
    assert uri.stdout == ""
    assert "graphplace neo4j start" in uri.stderr


def test_from_start_to_stop(environment: dict[str, str], local_settings: Settings) -> None:
    started = command(environment, "start")
    found = local.running(local_settings)
    assert found is not None
    assert started.stdout == f"Neo4j runs: process {found.pid}, {found.uri}\n"
    assert command(environment, "start").stdout == f"Neo4j already runs: process {found.pid}, {found.uri}\n"
    assert command(environment, "uri").stdout == f"{found.uri}\n"
    status = command(environment, "status")
    assert status.exit_code == 0
    for expected in (f"running, process {found.pid}", found.uri, str(found.log_file), str(local_settings.data_dir)):
        assert expected in status.stdout
    assert found.password not in status.stdout
    assert command(environment, "stop").stdout == "Neo4j is stopped.\n"
    assert local.running(local_settings) is None
