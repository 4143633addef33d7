"""``graphplace ask`` and ``graphplace cypher`` on the command line."""

import csv
import io
import json

import pytest
from claims import load
from cloud import uuid_of
from commands import Command
from flask.testing import FlaskClient

from graphplace import ask

CLOUD = """
cn1  VCPU:8(used=2)  @az1
  numa0  MEMORY_MB:4096
"""


def test_the_questions_are_listed_and_each_tells_what_it_takes(graphplace: Command) -> None:
    lines = graphplace("ask").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["question", *ask.cookbook()]
    listed = json.loads(graphplace("ask", "--json").stdout)
    assert [one["name"] for one in listed] == list(ask.cookbook())
    for question in ask.cookbook().values():
        words = graphplace("ask", question.name, "--help").stdout
        for parameter in question.parameters:
            assert f"--{parameter.name.replace('_', '-')} {parameter.type.upper()}" in words
        assert f"graphplace ask {question.name}" in words


def test_an_answer_as_a_table_as_json_and_as_csv(graphplace: Command, client: FlaskClient) -> None:
    load(client, CLOUD)
    table = graphplace("ask", "host-tree", "--host", "numa0").stdout.splitlines()
    assert [line.split() for line in table] == [
        ["level", "provider", "resource_class", "total", "reserved", "used", "free"],
        ["0", "cn1", "VCPU", "8", "0", "2", "6"],
        ["1", "numa0", "MEMORY_MB", "4096", "0", "0", "4096"],
    ]
    found = json.loads(graphplace("ask", "host-tree", "--host", "cn1", "--json").stdout)
    assert found["complete"]
    assert found["rows"][0] == dict(zip(found["columns"], [0, "cn1", "VCPU", 8, 0, 2, 6], strict=True))
    text = graphplace("ask", "fullest-hosts", "--resource-class", "VCPU", "--csv").stdout
    assert list(csv.reader(io.StringIO(text))) == [
        ["host", "resource_class", "used", "capacity", "free", "percent"],
        ["cn1", "VCPU", "2", "8", "6", "25.0"],
    ]


def test_an_answer_without_rows_and_one_with_too_many(graphplace: Command, client: FlaskClient) -> None:
    load(client, CLOUD)
    assert graphplace("ask", "over-capacity").stdout == "Nothing.\n"
    cut = graphplace("ask", "host-tree", "--host", "cn1", "--rows", "1", "--json")
    assert not json.loads(cut.stdout)["complete"]
    assert cut.stderr == "There are more than these 1 rows; --rows allows more.\n"


def test_what_is_shown_asks_nothing(graphplace: Command) -> None:
    nowhere = {"GRAPHPLACE_NEO4J_URI": "bolt://127.0.0.1:9"}
    shown = graphplace("ask", "host-tree", "--host", "it's", "--show", env=nowhere).stdout
    assert shown == f':params {{host: "it\'s"}}\n\n{ask.question("host-tree").text};\n'
    shown = graphplace("cypher", "RETURN $n AS n;", "--param", "n=1", "--show", env=nowhere).stdout
    assert shown == ":params {n: 1}\n\nRETURN $n AS n;\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ask", "host-tree"], "needs the parameter host: the name or the uuid of a provider"),
        (["ask", "host-tree", "--host", "nobody"], "No resource provider has the uuid or the name nobody."),
        (["ask", "several-roots", "--hours", "long"], "must be a number from 0 up, not 'long'"),
        (["ask", "unheard-of"], "No such command 'unheard-of'"),
        (["cypher", "CREATE (:Leak)"], "would do more than read the graph"),
        (["cypher", "RETURN 1", "--param", "x"], "A parameter is given as NAME=VALUE, not 'x'"),
        (["cypher", "RETURN 1", "--seconds", "0"], "must be a number of seconds above 0, not 0.0"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(graphplace: Command, arguments: list[str], words: str) -> None:
    answer = graphplace(*arguments)
    assert answer.exit_code != 0
    assert words in answer.stderr


def test_any_text_with_parameters_as_json_or_text(graphplace: Command, client: FlaskClient) -> None:
    load(client, CLOUD)
    text = "MATCH (p {name: $name})-[:MEMBER_OF]->(a) RETURN p.name AS name, a.uuid AS a, $n + 1 AS n"
    found = graphplace("cypher", text, "--param", "name=cn1", "--param", "n=41", "--csv").stdout
    assert found == f"name,a,n\ncn1,{uuid_of('az1')},42\n"
    piped = graphplace("cypher", "-", input="RETURN {b: [1, null]} AS m // only this\n").stdout
    assert [line.strip() for line in piped.splitlines()] == ["m", '{"b": [1, null]}']
