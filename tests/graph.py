"""Looking into the graph itself, past the API."""

from typing import Any

from graphplace.cypher import Statement

from graphplace.graph.database import Database


def look(database: Database, text: str, **parameters: Any) -> list[dict[str, Any]]:
    """Run a reading query and return its rows."""
    statement = Statement("test", text, frozenset(parameters), ())
    return [dict(row) for row in database.read(lambda tx: tx.run(statement, **parameters))]
