"""``graphplace status upgrade check``: whether this version can serve what is there, as ``placement-status`` tells."""

import sys
from dataclasses import dataclass
from enum import IntEnum

import click

from graphplace.cli.database import running_neo4j
from graphplace.errors import GraphplaceError
from graphplace.graph import schema
from graphplace.graph.database import Database
from graphplace.settings import Settings, ignored_options

# The series that graphplace is tested on.
OLDEST_NEO4J = (5, 26)
SYNC = "Run `graphplace db sync`."


class Outcome(IntEnum):
    """How a check went; the worst one is the exit status."""

    SUCCESS = 0
    WARNING = 1
    FAILURE = 2


@dataclass(frozen=True)
class Result:
    """How one check went, and what to do about it or what else to know."""

    check: str
    outcome: Outcome
    details: str = ""


@click.group()
def status() -> None:
    """Tell the state of this deployment."""


@status.group()
def upgrade() -> None:
    """Tell whether a new version can be started."""


@upgrade.command()
def check() -> None:
    """Look whether Neo4j, the schema and the settings are as this version needs them, and change nothing.

    The exit status is 0 if so, 1 if something may be done first, and 2 if something must be.
    """
    results = [_settings(Settings.load()), *_neo4j(Settings.load())]
    for result in results:
        click.echo(f"Check: {result.check}\nResult: {result.outcome.name.capitalize()}")
        if result.details:
            click.echo(f"Details: {result.details}")
        click.echo()
    sys.exit(max(result.outcome for result in results))


def _settings(settings: Settings) -> Result:
    ignored = ignored_options(settings)
    return Result("Settings", Outcome.SUCCESS, f"Without effect here: {', '.join(ignored)}." if ignored else "")


def _neo4j(settings: Settings) -> list[Result]:
    try:
        with running_neo4j(settings) as found:
            database = Database.connect(found)
            try:
                return [_version(database), _schema(database), _standard_names(database)]
            finally:
                database.close()
    except GraphplaceError as error:
        return [Result("Neo4j", Outcome.FAILURE, str(error))]


def _version(database: Database) -> Result:
    version = schema.neo4j_version(database)
    numbers = tuple(int(part) for part in version.split(".")[:2])
    if numbers < OLDEST_NEO4J:
        oldest = ".".join(map(str, OLDEST_NEO4J))
        return Result("Neo4j", Outcome.FAILURE, f"Neo4j is {version}; {oldest} is the oldest that will do.")
    return Result("Neo4j", Outcome.SUCCESS, f"Neo4j is {version}.")


def _schema(database: Database) -> Result:
    if missing := schema.missing_migrations(database):
        return Result("Schema", Outcome.FAILURE, f"Not applied: {', '.join(missing)}. {SYNC}")
    return Result("Schema", Outcome.SUCCESS)


def _standard_names(database: Database) -> Result:
    if missing := schema.missing_standard_names(database):
        details = f"Traits and resource classes that are missing: {', '.join(missing)}. {SYNC}"
        return Result("Standard names", Outcome.WARNING, details)
    return Result("Standard names", Outcome.SUCCESS)
