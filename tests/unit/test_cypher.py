"""The loader of Cypher statements."""

import pytest
from graphplace.cypher import migrations, statement, statements


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


def test_migrations_are_numbered_without_gaps() -> None:
    assert [number for number, _, _ in migrations()] == list(range(1, len(list(migrations())) + 1))
