"""The schema of the graph: migrations, standard traits and resource classes, and wiping it all."""

import re
from dataclasses import dataclass

import os_resource_classes
import os_traits

from graphplace.cypher import migrations, statement
from graphplace.graph.database import Database

WIPE_BATCH = 10_000
# An index of a hundred thousand entries is there in a second.
INDEX_SECONDS = 600
_ITEM = re.compile(
    r"CREATE (?:TEXT )?(?P<kind>CONSTRAINT|INDEX) (?P<name>\w+) IF NOT EXISTS FOR \(\w+:(?P<label>\w+)\)(?P<rest>.*)"
)
_DROPPED = re.compile(r"DROP (?:CONSTRAINT|INDEX) (\w+) IF EXISTS")
_PROPERTY = re.compile(r"\w+\.(\w+)")


@dataclass(frozen=True)
class SchemaItem:
    """A constraint (``unique``) or an index over ``properties`` of ``label``, and the ``text`` that creates it."""

    name: str
    label: str
    properties: tuple[str, ...]
    unique: bool
    text: str


def initialise(database: Database) -> list[str]:
    """Bring *database* to the newest schema and return the names of the migrations that were applied.

    It may be run at any time, and by several processes at once: everything in it is idempotent.
    """
    database.execute(statement("schema.create_migration_key").text)
    applied = []
    for number, name, texts in _not_applied(database):
        for text in texts:
            database.execute(text)
        _record(database, number, name)
        applied.append(_title(number, name))
    if applied:
        database.execute(statement("schema.await_indexes").text, seconds=INDEX_SECONDS)
    sync_standard_names(database)
    return applied


def missing(database: Database) -> list[SchemaItem]:
    """Return the constraints and indexes that the migrations made and that are not there any more."""
    # A constraint has an index of its own, of the same name.
    row = database.read(lambda tx: tx.one(statement("schema.list_indexes")))
    present = set(row["names"]) if row else set()
    texts = [text for _, _, texts in migrations() for text in texts]
    dropped = {found[1] for text in texts if (found := _DROPPED.match(text))}
    return [
        SchemaItem(
            name=item["name"],
            label=item["label"],
            properties=tuple(_PROPERTY.findall(item["rest"])),
            unique=item["kind"] == "CONSTRAINT",
            text=item.string,
        )
        for item in map(_ITEM.match, texts)
        if item and item["name"] not in present | dropped
    ]


def sync_standard_names(database: Database) -> None:
    """Create the standard traits and resource classes that *database* lacks (os-traits, os-resource-classes)."""
    names = sorted(os_traits.get_traits())
    database.write(lambda tx: tx.run(statement("schema.sync_traits"), names=names))
    classes = sorted(os_resource_classes.STANDARDS)
    database.write(lambda tx: tx.run(statement("schema.sync_resource_classes"), names=classes))


def missing_migrations(database: Database) -> list[str]:
    """Return the names of the migrations that :func:`initialise` would apply to *database*."""
    return [_title(number, name) for number, name, _ in _not_applied(database)]


def missing_standard_names(database: Database) -> list[str]:
    """Return the standard traits and resource classes that *database* lacks."""
    traits, classes = sorted(os_traits.get_traits()), sorted(os_resource_classes.STANDARDS)
    rows = database.read(
        lambda tx: [
            *tx.run(statement("schema.missing_traits"), names=traits),
            *tx.run(statement("schema.missing_resource_classes"), names=classes),
        ]
    )
    return [row["name"] for row in rows]


def neo4j_version(database: Database) -> str:
    """Return the version of the Neo4j behind *database*, such as ``5.26.20``."""
    (row,) = database.read(lambda tx: tx.run(statement("schema.neo4j_version")))
    return str(row["version"])


def wipe(database: Database) -> int:
    """Delete all that *database* holds, keep its schema, and return how many nodes there were.

    The standard traits and resource classes are there again afterwards, so a running server carries on.
    """
    total = 0
    while deleted := _delete_batch(database):
        total += deleted
    database.write(lambda tx: tx.run(statement("restoring.end")))
    sync_standard_names(database)
    return total


def _not_applied(database: Database) -> list[tuple[int, str, tuple[str, ...]]]:
    known = {row["number"] for row in database.read(lambda tx: tx.run(statement("schema.list_migrations")))}
    return [migration for migration in migrations() if migration[0] not in known]


def _title(number: int, name: str) -> str:
    return f"{number:04}_{name}"


def _record(database: Database, number: int, name: str) -> None:
    database.write(lambda tx: tx.run(statement("schema.record_migration"), number=number, name=name))


def _delete_batch(database: Database) -> int:
    row = database.write(lambda tx: tx.one(statement("schema.delete_batch"), batch=WIPE_BATCH))
    return int(row["deleted"]) if row else 0
