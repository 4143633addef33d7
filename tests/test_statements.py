"""Every Cypher statement against a real Neo4j: it parses, plans, and gives the columns that it declares."""

import pytest
from graphplace.cypher import Statement, statements

from graphplace.graph.database import Database


@pytest.mark.parametrize("statement", list(statements()), ids=lambda one: one.name)
def test_statement_gives_its_columns(connected: Database, statement: Statement) -> None:
    assert connected.columns_of(statement) == statement.columns
