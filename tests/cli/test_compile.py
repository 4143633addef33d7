"""graphplace compile."""

import json
import re
from typing import Any

import neo4j
import pytest
from click.testing import CliRunner, Result
from cloud import read_cloud, uuid_of
from graphplace.cypher import Statement, statement
from oracle.graph import write_graph

from graphplace.candidates.find import find_candidates
from graphplace.cli import main
from graphplace.compiler.compile import compile_request
from graphplace.compiler.pattern import compile_pattern
from graphplace.graph.database import Database, Transaction
from graphplace.request.model import CandidateRequest, RequestGroup
from graphplace.request.parse import parse_candidate_request
from graphplace.request.query import decode_query

NOWHERE = {"GRAPHPLACE_NEO4J_URI": "bolt://127.0.0.1:9"}
NOBODY = "11111111-1111-4111-8111-111111111111"
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


@pytest.mark.usefixtures("connected")
def test_the_searches_of_the_engine_form_run_as_they_are_printed(neo4j_driver: neo4j.Driver) -> None:
    parts = compiled("--engine", f"{QUERY}&resources1=VCPU:1&in_tree1={NOBODY}").output.split("\n:param ")[1:-1]
    columns = []
    for part in parts:
        literal, _, text = part.partition("\n")
        parameters = neo4j_driver.execute_query(f"RETURN {literal} AS parameters").records[0]["parameters"]
        columns.append(neo4j_driver.execute_query(text.partition(";\n")[0], parameters).keys)
    facts = ["classes", "traits", "aggregates", "trees", "sharing"]
    assert columns == [facts, facts[:-1], ["roots", "sharers"], ["roots", "sharers"], ["roots", "sharers"]]


def test_the_engine_form_names_every_statement_that_a_request_runs(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unsuffixed in_tree names the one tree: no search for it is run, and none is printed."""
    write_graph(database, read_cloud("cn1  VCPU:8  HW_CPU_X86_AVX\ncn2  VCPU:8  HW_CPU_X86_AVX"))
    stream = Transaction.stream
    ran: set[str] = set()

    def noted(self: Transaction, one: Statement, /, **parameters: Any) -> Any:
        ran.add(one.name)
        return stream(self, one, **parameters)

    monkeypatch.setattr(Transaction, "stream", noted)
    for query in (QUERY, f"{QUERY}&in_tree={uuid_of('cn1')}"):
        ran.clear()
        find_candidates(database, parse_candidate_request(decode_query(query.encode())))
        output = compiled("--engine", query).output
        assert all(statement(name).text in output for name in ran)
    assert statement("candidates.start_at_tree").text not in output


@pytest.mark.parametrize("query", ["resources=VCPU", "", "resources=VCPU:1&colour=blue", "resources=%88", "limit=é"])
def test_a_bad_query_is_refused(query: str) -> None:
    result = compiled(query)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
