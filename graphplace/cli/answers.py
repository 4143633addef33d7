"""How answers to questions are printed: as a table, as JSON or as CSV."""

import csv
import json
import sys
from collections.abc import Callable
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from graphplace.ask import Answer, Limits, document
from graphplace.views.text import console, printable

USUAL = Limits()


def answer_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give *command* the options of all that asks: how to print, what to print instead, and the limits."""
    for option in (
        click.option(
            "--rows", default=USUAL.rows, show_default=True, type=click.IntRange(1), help="How many rows at the most."
        ),
        click.option(
            "--seconds", default=USUAL.seconds, show_default=True, type=float, help="How long it may take at the most."
        ),
        click.option("--show", is_flag=True, help="Print the Cypher and its :params for Neo4j Browser; ask nothing."),
        click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values."),
        click.option("--json", "as_json", is_flag=True, help="Print plain data instead of text."),
    ):
        command = option(command)
    return command


def print_answer(answer: Answer, *, as_json: bool, as_csv: bool) -> None:
    """Print *answer*; what is left out of it is said on standard error."""
    if as_json:
        click.echo(json.dumps(document(answer), ensure_ascii=False))
    elif as_csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerows([answer.columns, *([_cell(value) for value in row] for row in answer.rows)])
    elif answer.rows:
        _print_table(answer)
    else:
        click.echo("Nothing.")
    if not answer.complete:
        click.echo(f"There are more than these {len(answer.rows)} rows; --rows allows more.", err=True)


def _print_table(answer: Answer) -> None:
    table = Table(box=None, pad_edge=False)
    for name, *values in zip(answer.columns, *answer.rows, strict=True):
        numbers = all(isinstance(value, int | float | None) for value in values)
        table.add_column(Text(printable(name)), justify="right" if numbers else "left", overflow="fold")
    for row in answer.rows:
        table.add_row(*(Text(printable(_cell(value))) for value in row))
    console().print(table)


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case list() if all(isinstance(item, str) for item in value):
            return ", ".join(value)
        case _:
            return json.dumps(value, ensure_ascii=False)
