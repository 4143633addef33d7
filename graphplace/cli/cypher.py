"""``graphplace cypher``: any Cypher that only reads."""

import json
import sys
from typing import Any

import click

from graphplace import ask as asking
from graphplace.ask import Limits
from graphplace.cli.answers import answer_options, print_answer
from graphplace.cli.command import Command
from graphplace.cli.database import open_database
from graphplace.errors import BadRequestError
from graphplace.settings import Settings


@click.command(
    "cypher",
    cls=Command,
    examples=[
        "graphplace cypher 'MATCH (p:Root) RETURN p.name, p.generation ORDER BY p.name'",
        "graphplace cypher 'MATCH (p {name: $name})-[r]->(n) RETURN type(r), n' --param name=compute1 --json",
        "graphplace cypher - < question.cypher",
    ],
)
@click.argument("text")
@click.option(
    "--param", "params", multiple=True, metavar="NAME=VALUE", help="A parameter, as JSON or text. Repeatable."
)
@answer_options
def cypher(
    *, text: str, params: tuple[str, ...], as_json: bool, as_csv: bool, show: bool, seconds: float, rows: int
) -> None:
    """Run TEXT, one statement of Cypher that only reads the graph (- is standard input).

    Neo4j plans it first. What would write, load a file, administrate, or call what is not known to read is refused.
    """
    text = sys.stdin.read() if text == "-" else text
    values = dict(_parameter(one) for one in params)
    if show:
        click.echo(asking.browser_text(text.strip().removesuffix(";"), values), nl=False)
        return
    with open_database(Settings.load()) as database:
        answer = asking.ask(database, text, values, Limits(seconds, rows))
    print_answer(answer, as_json=as_json, as_csv=as_csv)


def _parameter(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise BadRequestError(f"A parameter is given as NAME=VALUE, not {text!r}.")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
