"""graphplace status upgrade check, and graphplace db sync."""

from pathlib import Path

import neo4j
from commands import Command

CHECK = ("status", "upgrade", "check")


def test_all_is_well(graphplace: Command) -> None:
    result = graphplace(*CHECK)

    assert result.exit_code == 0
    assert result.output.count("Result: Success") == 4


def test_options_without_effect_are_named(graphplace: Command, tmp_path: Path) -> None:
    config = tmp_path / "placement.conf"
    config.write_text("[placement_database]\nconnection = sqlite://\n")

    result = graphplace(*CHECK, env={"GRAPHPLACE_CONFIG": str(config)})

    assert result.exit_code == 0
    assert "Without effect here: [placement_database] connection." in result.output


def test_a_name_that_is_missing_is_a_warning_until_the_sync(graphplace: Command, driver: neo4j.Driver) -> None:
    driver.execute_query("MATCH (t:Trait {name: 'HW_CPU_X86_AVX'}) DELETE t")

    result = graphplace(*CHECK)

    assert result.exit_code == 1
    assert "missing: HW_CPU_X86_AVX. Run `graphplace db sync`." in result.output
    assert graphplace("db", "sync").exit_code == 0
    assert graphplace(*CHECK).exit_code == 0


def test_a_migration_that_is_missing_is_a_failure_until_the_sync(graphplace: Command, driver: neo4j.Driver) -> None:
    driver.execute_query("MATCH (m:Migration {number: 1}) DELETE m")

    result = graphplace(*CHECK)

    assert result.exit_code == 2
    assert "Not applied: 0001_" in result.output
    graphplace("db", "sync")
    assert graphplace(*CHECK).exit_code == 0


def test_a_neo4j_that_is_gone_is_a_failure(graphplace: Command) -> None:
    result = graphplace(*CHECK, env={"GRAPHPLACE_NEO4J_URI": "bolt://127.0.0.1:9"})

    assert result.exit_code == 2
    assert "Result: Failure" in result.output
