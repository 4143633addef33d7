"""``graphplace what-if``: ask for the candidates that there would be, on the command line."""

from dataclasses import replace
from typing import BinaryIO

import click

from graphplace import providers
from graphplace.candidates.find import find_candidates
from graphplace.cli.candidates import show_candidates
from graphplace.cli.command import Command, schema_option
from graphplace.cli.database import open_database
from graphplace.cli.explain import show_explanation
from graphplace.cli.query import read_query
from graphplace.explain.explain import explain
from graphplace.settings import Settings
from graphplace.validation import load_json
from graphplace.what_if.changes import Changes
from graphplace.what_if.document import WhatIf, read_changes
from graphplace.what_if.suppose import suppose


@click.command(
    "what-if",
    cls=Command,
    examples=[
        "graphplace what-if 'resources=VCPU:8,MEMORY_MB:16384' --drain compute-17",
        "graphplace what-if 'resources=VCPU:8' --gone 6d5c5ab4-bd9f-4a4f-8b6f-5b6f0c1d8f7a",
        "graphplace what-if 'resources=VCPU:8' --changes changes.json --json",
        "graphplace what-if --schema",
    ],
)
@click.argument("query")
@click.option("--drain", multiple=True, metavar="NAME|UUID", help="A provider that gives nothing more. Repeatable.")
@click.option("--gone", multiple=True, metavar="UUID", help="A consumer that releases all it holds. Repeatable.")
@click.option("--changes", type=click.File("rb"), help="A JSON file with all that is supposed (- is standard input).")
@click.option("--explain", "explains", is_flag=True, help="Say why there would be none, as graphplace explain does.")
@click.option("--json", "as_json", is_flag=True, help="Print the body that the API answers with.")
@schema_option(WhatIf)
def what_if(
    query: str,
    *,
    drain: tuple[str, ...],
    gone: tuple[str, ...],
    changes: BinaryIO | None,
    explains: bool,
    as_json: bool,
) -> None:
    """Show which candidates QUERY would have if something were changed first. Nothing is.

    QUERY is the query string of GET /allocation_candidates, at the newest version and with all extensions. A provider
    is drained with all that is below it. The file has the body of POST /allocation_candidates/what-if.
    """
    request = read_query(query)
    supposed = read_changes(load_json(changes.read(), WhatIf)) if changes else Changes()
    settings = Settings.load()
    with open_database(settings) as database:
        drained = {providers.called(database, one) for one in drain}
        supposed = replace(
            supposed, drained=supposed.drained | drained, consumers_gone=supposed.consumers_gone | set(gone)
        )
        overlay = suppose(database, supposed)
        if explains:
            show_explanation(explain(database, request, settings, overlay=overlay), as_json=as_json)
        else:
            show_candidates(database, find_candidates(database, request, settings, overlay), as_json=as_json)
