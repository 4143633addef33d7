"""graphplace compile."""

import json
import re

import neo4j
import pytest
from click.testing import CliRunner, Result

from graphplace.cli import main
from graphplace.compiler.compile import compile_request
from graphplace.compiler.pattern import compile_pattern
from graphplace.request.model import CandidateRequest, RequestGroup

NOWHERE = {"GRAPHPLACE_NEO4J_URI": "bolt://127.0.0.1:9"}
QUERY = "resources=VCPU:1&required=HW_CPU_X86_AVX&limit=10"
REQUEST = CandidateRequest(
    groups=(RequestGroup(resources=(("VCPU", 1),), required=(frozenset({"HW_CPU_X86_AVX"}),)),), limit=10
)


def compiled(*arguments: str) -> Result:
    """Run the command where there is no database."""
    return CliRunner().invoke(main, ["compile", *arguments], env=NOWHERE)


@pytest.mark.parametrize("query", [QUERY, f"?{QUERY}"])
def test_the_pattern_form_is_printed(query: str) -> None:
    result = compiled(query)
    assert result.exit_code == 0
    assert result.output == compile_pattern(REQUEST)


def test_the_engine_form_is_printed_with_parameters_that_neo4j_reads(neo4j_driver: neo4j.Driver) -> None:
    output = compiled("--engine", QUERY).output
    *_, literal = re.findall("^:param (.*)$", output, re.MULTILINE)
    query = compile_request(REQUEST, {})
    assert query.statement.text in output
    (record,) = neo4j_driver.execute_query(f"RETURN {literal} AS parameters").records
    assert json.dumps(record["parameters"], sort_keys=True) == json.dumps(query.parameters, sort_keys=True)


def test_the_searches_of_the_engine_form_run_as_they_are_printed(neo4j_driver: neo4j.Driver) -> None:
    parts = compiled("--engine", QUERY + "&in_tree=11111111-1111-4111-8111-111111111111").output.split("\n:param ")[
        1:-1
    ]
    assert len(parts) == 3
    for part in parts:
        literal, _, text = part.partition("\n")
        parameters = neo4j_driver.execute_query(f"RETURN {literal} AS parameters").records[0]["parameters"]
        assert neo4j_driver.execute_query(text.partition(";")[0], parameters).keys == ["roots", "sharers"]


@pytest.mark.parametrize("query", ["resources=VCPU", "", "resources=VCPU:1&colour=blue", "resources=%88", "limit=é"])
def test_a_bad_query_is_refused(query: str) -> None:
    result = compiled(query)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
