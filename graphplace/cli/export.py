"""``graphplace export``: a tree, an aggregate or a candidate as a file."""

from typing import TextIO

import click

from graphplace.cli.command import Command
from graphplace.cli.database import open_database
from graphplace.cli.query import read_query
from graphplace.settings import Settings

FORMS = ("graphml", "dot", "svg", "json-graph", "html")
TREE, AGGREGATE, CANDIDATE = "tree", "aggregate", "candidate"


@click.command(
    cls=Command,
    examples=[
        "graphplace export --format html tree compute1 --output compute1.html",
        "graphplace export --format graphml aggregate 21d7c4aa-d0b6-41b1-8513-12a1eac17c0c > rack.graphml",
        "graphplace export --format svg candidate 'resources=VCPU:2&required=HW_CPU_X86_AVX2' --number 2 > second.svg",
    ],
)
@click.argument("subject", type=click.Choice((TREE, AGGREGATE, CANDIDATE)))
@click.argument("what", metavar="NAME|UUID|QUERY")
@click.option("--format", "form", type=click.Choice(FORMS), required=True, help="svg needs Graphviz.")
@click.option("--number", type=click.IntRange(1), default=1, show_default=True, help="Which of the candidates.")
@click.option("--output", type=click.File("w", encoding="utf-8"), default="-", help="A file to write.")
def export(*, subject: str, what: str, form: str, number: int, output: TextIO) -> None:
    """Write a graph in a format that other programs read, or as a picture.

    It is the tree of the provider NAME or UUID with the pools that share with it, the aggregate UUID with its members,
    or the tree of a candidate of QUERY, a query string of GET /allocation_candidates, with what it takes from whom.
    """
    # The other commands start faster without networkx.
    from graphplace.views import graphs  # noqa: PLC0415
    from graphplace.views.export import export as text_of  # noqa: PLC0415

    settings = Settings.load()
    with open_database(settings) as database:
        if subject == TREE:
            graph = graphs.tree_graph(database, what)
        elif subject == AGGREGATE:
            graph = graphs.aggregate_graph(database, what)
        else:
            graph = graphs.candidate_graph(database, read_query(what), number, settings)
    output.write(text_of(graph, form))
