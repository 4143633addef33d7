"""``graphplace candidates``: ask for allocation candidates on the command line."""

import click
import orjson

from graphplace import providers
from graphplace.candidates.find import Candidates, find_candidates
from graphplace.cli.command import Command
from graphplace.cli.database import open_database
from graphplace.cli.query import read_query
from graphplace.graph.database import Database
from graphplace.settings import Settings
from graphplace.views import text


@click.command(
    cls=Command,
    examples=[
        "graphplace candidates 'resources=VCPU:2,MEMORY_MB:2048&limit=5'",
        "graphplace candidates 'resources=VCPU:1&required=HW_CPU_X86_AVX2' --json",
    ],
)
@click.argument("query")
@click.option("--json", "as_json", is_flag=True, help="Print the body that the API answers with.")
def candidates(query: str, *, as_json: bool) -> None:
    """Show which combinations of providers can satisfy QUERY.

    QUERY is the query string of GET /allocation_candidates, at the newest version and with all extensions.
    """
    request = read_query(query)
    settings = Settings.load()
    with open_database(settings) as database:
        show_candidates(database, find_candidates(database, request, settings), as_json=as_json)


def show_candidates(database: Database, found: Candidates, *, as_json: bool) -> None:
    """Print what was *found*, with the names of the providers, or as the API gives it."""
    if as_json:
        body = {"allocation_requests": found.allocation_requests, "provider_summaries": found.provider_summaries}
        click.echo(orjson.dumps(body).decode())
    elif found.allocation_requests:
        named = {uuid for one in found.allocation_requests for uuids in one["mappings"].values() for uuid in uuids}
        names = providers.names(database, sorted(named))
        text.print_candidates(text.console(), found.allocation_requests, names)
    else:
        click.echo("No candidates.")
