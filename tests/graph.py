"""Looking into the graph itself, past the API."""

from typing import Any

from graphplace.cypher import Statement

from graphplace.graph.database import Database

# All that writes write, without the times and without the counts of tries.
GRAPH = """
MATCH (n) WHERE NOT n:Migration AND (NOT (n:Trait OR n:ResourceClass) OR n.name STARTS WITH 'CUSTOM_')
WITH n, [key IN keys(n) WHERE NOT key ENDS WITH '_at' AND key <> 'revision' | key + ': ' + n[key]] AS fields
UNWIND fields + [null] AS field
WITH n, field ORDER BY field
WITH n, labels(n) AS labels, collect(field) AS fields
RETURN labels, fields, COLLECT {
  MATCH (n)-[r]->(other)
  RETURN [type(r), r.resource_class, r.amount, coalesce(other.uuid, other.name, other.id, other.resource_class)]
} AS related
"""


def look(database: Database, text: str, **parameters: Any) -> list[dict[str, Any]]:
    """Run a reading query and return its rows."""
    statement = Statement("test", text, frozenset(parameters), ())
    return [dict(row) for row in database.read(lambda tx: tx.run(statement, **parameters))]


def stored(database: Database) -> list[str]:
    """Return all that is in the graph, each node as text, but for times and for what counts tries."""
    rows = look(database, GRAPH)
    return sorted(f"{sorted(row['labels'])} {row['fields']} {sorted(map(str, row['related']))}" for row in rows)
