"""``graphplace tree``: a host's tree as text."""

import json

import click

from graphplace import providers
from graphplace.cli.command import Command
from graphplace.cli.database import open_database
from graphplace.settings import Settings
from graphplace.views import text, trees


@click.command(cls=Command, examples=["graphplace tree", "graphplace tree compute1", "graphplace tree compute1 --json"])
@click.argument("provider", required=False, metavar="[NAME|UUID]")
@click.option("--json", "as_json", is_flag=True, help="Print plain data instead of text.")
def tree(*, provider: str | None, as_json: bool) -> None:
    """Show the whole tree that a provider is in, with a bar of what is used for each inventory.

    Below it stand the pools of other trees that share with it. Without a name or uuid, list all trees.
    """
    with open_database(Settings.load()) as database:
        if provider is None:
            roots = trees.roots(database)
            if as_json:
                click.echo(json.dumps([root._asdict() for root in roots]))
            else:
                text.print_roots(text.console(), roots)
            return
        view = trees.tree(database, providers.called(database, provider))
    if as_json:
        click.echo(json.dumps(trees.document(view)))
    else:
        text.print_tree(text.console(), view)
