"""``graphplace ask``: the questions of the cookbook."""

import json
from dataclasses import asdict
from functools import partial
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from graphplace import ask as asking
from graphplace.ask import Limits, Parameter, Question
from graphplace.cli.answers import answer_options, print_answer
from graphplace.cli.command import Command
from graphplace.cli.database import open_database
from graphplace.settings import Settings
from graphplace.views.text import console


class Cookbook(click.Group):
    """A command for each question, with an option for each of its parameters: read from the headers when asked for."""

    def list_commands(self, _context: click.Context) -> list[str]:  # click's
        """Return the names of the questions."""
        return list(asking.cookbook())

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:  # click's
        """Return the command that asks the question *name*."""
        found = asking.cookbook().get(name)
        return _command(found) if found else None


@click.group("ask", cls=Cookbook, invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="List them as plain data.")
@click.pass_context
def ask(context: click.Context, *, as_json: bool) -> None:
    """Ask the graph a question of the cookbook. Without a name, list the questions.

    What a question takes, `graphplace ask NAME --help` tells. `--show` prints its Cypher for Neo4j Browser.
    """
    if context.invoked_subcommand is not None:
        return
    questions = asking.cookbook().values()
    if as_json:
        click.echo(json.dumps([asdict(one) for one in questions]))
        return
    table = Table("question", "what it answers", box=None, pad_edge=False)
    for one in questions:
        table.add_row(one.name, Text(one.answers))
    console().print(table)


def _command(question: Question) -> click.Command:
    needed = " ".join(f"{_option(one)} {one.example}" for one in question.parameters if one.required)
    command = Command(
        question.name,
        callback=answer_options(partial(_ask, question)),
        params=[_parameter(one) for one in question.parameters],
        help=f"{question.answers} {question.note}\n\nColumns: {', '.join(question.columns)}.",
        short_help=question.title,
        examples=[f"graphplace ask {question.name} {needed}".strip()],
    )
    command.params += reversed(getattr(command.callback, "__click_params__", []))
    return command


def _option(parameter: Parameter) -> str:
    return f"--{parameter.name.replace('_', '-')}"


def _parameter(parameter: Parameter) -> click.Option:
    return click.Option(
        [_option(parameter), parameter.name],
        required=parameter.required,
        default=parameter.default,
        show_default=parameter.default is not None,
        metavar=parameter.type.upper(),
        help=f"{parameter.words[0].upper()}{parameter.words[1:]}.",
    )


def _ask(
    question: Question, *, as_json: bool, as_csv: bool, show: bool, seconds: float, rows: int, **given: Any
) -> None:
    values = asking.read_values(question, {name: text for name, text in given.items() if text is not None})
    if show:
        click.echo(asking.browser_text(question.text, values), nl=False)
        return
    with open_database(Settings.load()) as database:
        answer = asking.run(database, question, values, Limits(seconds, rows))
    print_answer(answer, as_json=as_json, as_csv=as_csv)
