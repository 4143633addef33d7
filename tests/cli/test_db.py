"""graphplace db."""

import pytest
from commands import Command
from flask.testing import FlaskClient


def test_init_may_be_repeated(graphplace: Command) -> None:
    assert graphplace("db", "init").output == "The schema is up to date.\n"
    assert graphplace("db", "init").exit_code == 0


def test_wipe_asks_first(graphplace: Command, client: FlaskClient) -> None:
    client.put("/traits/CUSTOM_A")

    assert graphplace("db", "wipe", input="n\n").exit_code == 1
    assert client.get("/traits/CUSTOM_A").status_code == 204


def test_after_a_wipe_a_running_server_carries_on(graphplace: Command, client: FlaskClient) -> None:
    client.put("/traits/CUSTOM_A")

    assert graphplace("db", "wipe", "--yes").exit_code == 0
    assert client.get("/traits/CUSTOM_A").status_code == 404
    assert client.get("/resource_classes/VCPU").status_code == 200
    assert client.put("/traits/CUSTOM_A").status_code == 201


def test_a_failure_is_one_line(graphplace: Command) -> None:
    result = graphplace("db", "init", env={"GRAPHPLACE_NEO4J_URI": "redis://example.org"})

    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("Error: GRAPHPLACE_NEO4J_URI=redis://example.org cannot be used:")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("command", [[], ["db"], ["neo4j"]])
def test_help_is_there_without_a_database(graphplace: Command, command: list[str]) -> None:
    result = graphplace(*command, "--help", env={"GRAPHPLACE_NEO4J_URI": "bolt://127.0.0.1:9"})

    assert result.exit_code == 0
    assert "Commands:" in result.output
