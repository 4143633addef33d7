"""``graphplace db``: the schema of the graph, and emptying it."""

import click

from graphplace.cli.database import open_database
from graphplace.graph import schema
from graphplace.settings import Settings


@click.group()
def db() -> None:
    """Set up the graph, or empty it."""


@db.command()
def init() -> None:
    """Create the constraints and indexes, the standard traits and resource classes.

    It may be repeated, also while servers run. Every other command does it by itself.
    """
    with open_database(Settings.load()):
        click.echo("The schema is up to date.")


# As operators of Placement know it.
db.add_command(init, "sync")


@db.command()
@click.confirmation_option("--yes", prompt="Delete everything that the graph holds?", help="Do not ask.")
def wipe() -> None:
    """Delete everything that the graph holds: providers, allocations, custom traits and resource classes.

    A running server carries on with the empty graph.
    """
    with open_database(Settings.load()) as database:
        click.echo(f"Deleted {schema.wipe(database)} nodes.")
