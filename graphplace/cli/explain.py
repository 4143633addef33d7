"""``graphplace explain``: why a request has no candidates, on the command line."""

from dataclasses import asdict

import click
import orjson

from graphplace.cli.command import Command
from graphplace.cli.database import open_database
from graphplace.cli.query import read_query
from graphplace.explain import text
from graphplace.explain.explain import Explanation, explain
from graphplace.settings import Settings


@click.command(
    "explain",
    cls=Command,
    examples=[
        "graphplace explain 'resources=VCPU:8,MEMORY_MB:16384&required=HW_CPU_X86_AVX2'",
        "graphplace explain 'resources=VCPU:8' --host compute-17",
        "graphplace explain 'resources=VCPU:8' --json",
    ],
)
@click.argument("query")
@click.option("--host", metavar="NAME", help="Also say why this provider, a uuid or a name, is in no candidate.")
@click.option("--json", "as_json", is_flag=True, help="Print the body that the API answers with.")
def explain_query(query: str, *, host: str | None, as_json: bool) -> None:
    """Say why QUERY has no candidates, or how it comes to have so few.

    QUERY is the query string of GET /allocation_candidates, at the newest version and with all extensions.
    """
    request = read_query(query)
    settings = Settings.load()
    with open_database(settings) as database:
        show_explanation(explain(database, request, settings, host), as_json=as_json)


def show_explanation(explanation: Explanation, *, as_json: bool) -> None:
    """Print *explanation* in words, or as the API gives it."""
    if as_json:
        click.echo(orjson.dumps(asdict(explanation)).decode())
    else:
        click.echo("\n".join(text.lines(explanation)))
