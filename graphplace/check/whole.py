"""Checking the graph as a whole: that keys are unique, and that it holds all of the file that it was filled from."""

from collections.abc import Iterator

from graphplace.check.checks import Finding
from graphplace.cypher import statement
from graphplace.graph import schema
from graphplace.graph.database import Database

MAKE_UNIQUE = "Change or delete all but one of the nodes with that key, then check again with --repair."
LOAD_AGAIN = "Unless graphplace load or import runs now: run it again with --restart."


def check_whole(database: Database, *, repair: bool) -> Iterator[Finding]:
    """Yield the load that is not at its end, missing constraints and indexes, and keys that occur twice without them.

    With *repair*, constraints and indexes are created, unless a key occurs twice.
    """
    for row in database.read(lambda tx: tx.run(statement("restoring.unfinished"))):
        yield Finding(
            "load", "schema", None, None, None, f"unfinished since {row['started_at']}", "at its end", LOAD_AGAIN
        )
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
