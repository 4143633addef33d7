"""The loader of Cypher statements."""

import re
from importlib.resources import files
from itertools import chain

import pytest
from graphplace.cypher import Statement, migrations, overlaid, statement, statements

from graphplace import cypher

STEMS = ("conditions", "overlay")
# A clause that reads, up to the next one; what is in it that is found by properties; and what is said of an index.
CLAUSES = "MATCH|MERGE|CREATE|SET|WITH|UNWIND|RETURN|CALL|WHERE|OPTIONAL|DELETE"
READ = re.compile(rf"(?<!ON )\bMATCH\b(?P<pattern>.*?)(?=\b(?:{CLAUSES})\b|$)", re.DOTALL)
KEYED = re.compile(r"\((?P<variable>\w*):(?P<label>\w+) \{(?P<property>\w+):")
KEY = re.compile(r"CONSTRAINT .*\(\w+:(\w+)\) REQUIRE \(?\w+\.(\w+)")


def test_every_block_declares_the_parameters_it_uses_and_has_a_name_of_its_own() -> None:
    names = [one.name for one in statements()]

    assert len(names) == len(set(names)) > 0


def test_a_statement_is_found_by_file_and_block() -> None:
    found = statement("traits.get")

    assert found.parameters == {"name"}
    assert found.columns == ("name", "updated_at")
    assert found.text.startswith("MATCH (t:Trait {name: $name})")


def test_neo4j_is_given_all_parameters_as_one_map_so_that_it_plans_a_text_once() -> None:
    assert statement("traits.get").packed.startswith("MATCH (t:Trait {name: $given.name})")


def test_an_unknown_statement_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        statement("traits.nothing")


def unhinted(one: Statement) -> list[str]:
    """What the clauses of *one* match by a key without saying that the index of the key is where to start."""
    keys = {pair for _, _, texts in migrations() for text in texts for pair in KEY.findall(text)}
    return [
        node[0]
        for clause in READ.finditer(one.text)
        for node in KEYED.finditer(clause["pattern"])
        if (node["label"], node["property"]) in keys
        and f"USING INDEX SEEK {node['variable']}:{node['label']}({node['property']}" not in clause["pattern"]
    ]


def test_what_is_matched_by_a_key_is_found_in_the_index_of_the_key_whatever_neo4j_believes_of_the_graph() -> None:
    assert list(chain.from_iterable(unhinted(one) for one in statements())) == []


def test_a_key_that_no_index_is_named_for_is_noticed() -> None:
    text = "MATCH (p:ResourceProvider {uuid: $uuid})\nRETURN p.name AS name"
    found = unhinted(Statement("one", text, frozenset({"uuid"}), ("name",)))
    assert found == ["(p:ResourceProvider {uuid:"]


def test_a_fragment_stands_in_every_statement_that_names_it_indented_as_the_line_is() -> None:
    assert "\n  NOT EXISTS {\n    UNWIND $in_tree AS member\n" in statement("explain.roots").text
    assert "\n  AND NOT EXISTS {\n    UNWIND $in_tree AS member\n" in statement("candidates.anchoring").text


def test_no_fragment_is_left_out() -> None:
    assert [one.name for one in statements() if "<<" in one.text] == []


def test_statements_read_an_overlay_only_where_there_is_one() -> None:
    match, other = statement("candidates.match"), statement("traits.get")
    assert overlaid(match).parameters == match.parameters | {"overlay"}
    assert overlaid(match).columns == match.columns
    assert overlaid(other) is other
    ordinary = [one for one in statements() if not one.name.startswith("overlaid.")]
    assert [one.name for one in ordinary if "$overlay" in one.text] == []


def test_each_fragment_for_an_overlay_stands_in_place_of_another() -> None:
    names = [re.findall(r"// fragment: (\w+)", (files(cypher) / f"{stem}.cypher").read_text()) for stem in STEMS]
    assert set(names[1]) < set(names[0])
    assert [len(of_one) for of_one in names] == [len(set(of_one)) for of_one in names]


def test_migrations_are_numbered_without_gaps() -> None:
    assert [number for number, _, _ in migrations()] == list(range(1, len(list(migrations())) + 1))
