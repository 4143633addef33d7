"""The ``graphplace`` command: one module for each of its commands."""

from typing import Any

import click

from graphplace.cli.db import db
from graphplace.cli.neo4j import neo4j
from graphplace.errors import GraphplaceError


class Commands(click.Group):
    """A group whose commands fail with one line on standard error and exit status 1."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that *ctx* names."""
        try:
            return super().invoke(ctx)
        except GraphplaceError as error:
            raise click.ClickException(str(error)) from error


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="graphplace")
def main() -> None:
    """OpenStack Placement on a Neo4j property graph.

    Every command works on the Neo4j at GRAPHPLACE_NEO4J_URI. Without that setting it works on the managed local
    Neo4j: the one that runs on the data folder, or one that it starts for as long as it needs it.
    """


for command in (db, neo4j):
    main.add_command(command)
