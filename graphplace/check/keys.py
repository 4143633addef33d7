"""Checking that the keys of the graph are unique: that the constraints that make them so are there."""

from collections.abc import Iterator

from graphplace.check.checks import Finding
from graphplace.cypher import statement
from graphplace.graph import schema
from graphplace.graph.database import Database

MAKE_UNIQUE = "Change or delete all but one of the nodes with that key, then check again with --repair."


def check_keys(database: Database, *, repair: bool) -> Iterator[Finding]:
    """Yield the constraints and indexes that are missing, and the keys that occur twice without them.

    With *repair*, what is missing is created, unless a key occurs twice.
    """
    for item in schema.missing(database):
        twice = list(_twice(database, item))
        yield from twice
        if repair and not twice:
            database.execute(item.text)
        advice = MAKE_UNIQUE if twice else None
        mended = repair and not twice
        yield Finding("keys", "schema", None, item.name, None, "missing", item.text, advice, mended)


def _twice(database: Database, item: schema.SchemaItem) -> Iterator[Finding]:
    if not item.unique:
        return
    rows = database.read(
        lambda tx: tx.run(statement("schema.keys_twice"), label=item.label, properties=list(item.properties))
    )
    for row in rows:
        key = " ".join(map(str, row["key"]))
        yield Finding("unique", "schema", None, item.label, key, row["times"], 1, MAKE_UNIQUE)
