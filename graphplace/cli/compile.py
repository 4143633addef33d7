"""``graphplace compile``: the Cypher that a request for candidates becomes."""

from collections.abc import Iterator
from typing import Any

import click

from graphplace.candidates.names import FACTS, REACHES, names_in
from graphplace.candidates.start import first_batch
from graphplace.cli.command import Command
from graphplace.cli.query import read_query
from graphplace.compiler.compile import ANCHORING, OFFERS, compile_request, starts_of
from graphplace.compiler.pattern import compile_pattern
from graphplace.compiler.start import TreeStart, search_of
from graphplace.cypher import Statement, literal, statement
from graphplace.request.model import CandidateRequest

EXAMPLES = (
    "graphplace compile 'resources=VCPU:1,DISK_GB:10&required=HW_CPU_X86_AVX'",
    "graphplace compile --engine 'resources=VCPU:1&limit=10'",
)


@click.command("compile", cls=Command, examples=EXAMPLES)
@click.argument("query")
@click.option("--engine", is_flag=True, help="Print what the API runs instead: constant texts and their parameters.")
def compile_query(query: str, *, engine: bool) -> None:
    """Print the Cypher that finds the candidates of QUERY, without asking any database.

    QUERY is the query string of GET /allocation_candidates, with all extensions. The Cypher is one statement that runs
    as it stands in any client of Neo4j, and in Neo4j Browser draws the candidates.
    """
    request = read_query(query)
    if engine:
        click.echo("\n".join(_engine_form(request)))
    else:
        click.echo(compile_pattern(request), nl=False)


def _engine_form(request: CandidateRequest) -> Iterator[str]:
    """Say what the engine runs, in the notation of Neo4j's shell."""
    yield "// What the names stand for, and how selective they are."
    yield _runnable(statement(FACTS), names_in(request))
    yield "\n// If any provider shares: how many they reach by that."
    yield _runnable(statement(REACHES), names_in(request))
    yield "\n// The roots of trees worth a look, from that of these searches whose condition the fewest providers meet."
    for start in starts_of(request):
        if isinstance(start, TreeStart) and start.anchors:
            yield f"\n// Or only the root of the tree of {start.provider}, which is known from the names."
        else:
            search, parameters = search_of(start)
            yield _runnable(search, parameters | {"most": first_batch(request.limit)})
    yield "\n// If these are not enough: the trees with which the $sharers among those providers share."
    yield f"{statement('candidates.anchors').text};"
    trees = {group.in_tree: f"root of the tree of {group.in_tree}" for group in request.groups if group.in_tree}
    query = compile_request(request, trees)
    if query.anchoring:
        yield "\n// Which of these trees, $roots, are such as the request wants them, batch by batch."
        yield _runnable(statement(ANCHORING), query.anchoring)
    yield "\n// Who fits what in these trees, $roots, batch by batch; $sharing says whether any provider shares."
    yield "// The choice within each tree is made in Python."
    yield _runnable(query.statement, query.parameters)
    if query.offers:
        yield "\n// What these $providers can give of what may be split."
        yield _runnable(statement(OFFERS), query.offers)
    yield "\n// The summaries of the trees that give resources, whose roots are in $batches, and which moved meanwhile."
    yield f"{statement('candidates.summaries').text};"


def _runnable(one: Statement, parameters: dict[str, Any]) -> str:
    return f"\n:param {literal(parameters)}\n{one.text};"
