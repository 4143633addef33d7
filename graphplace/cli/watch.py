"""``graphplace watch``: a tree, or what is full, as it changes."""

import time
from collections.abc import Callable, Iterator
from itertools import count

import click
import orjson
from rich.console import Console, Group, RenderableType
from rich.live import Live

from graphplace import providers
from graphplace.cli.command import Command
from graphplace.cli.database import open_database
from graphplace.cli.top import MOST, read_top, top_json, top_tables
from graphplace.graph.database import Database
from graphplace.settings import Settings
from graphplace.views import text, trees

# Reads what is watched: as data, by which it is told whether it changed, and as it is shown.
Look = Callable[[], tuple[str, RenderableType]]


@click.command(
    cls=Command,
    examples=["graphplace watch", "graphplace watch compute1 --every 1", "graphplace watch compute1 --json --times 1"],
)
@click.argument("provider", required=False, metavar="[NAME|UUID]")
@click.option("--every", default=2.0, show_default=True, type=click.FloatRange(0.1), help="Seconds between two looks.")
@click.option("--times", type=click.IntRange(1), help="How many looks to take; without it, until Ctrl-C.")
@click.option("--json", "as_json", is_flag=True, help="Print plain data, a line for each change.")
def watch(*, provider: str | None, every: float, times: int | None, as_json: bool) -> None:
    """Show the tree that a provider is in, or without a name what graphplace top shows, and keep it up to date.

    Where it is not a terminal, it is printed once, and again whenever it has changed.
    """
    console = text.console()
    with open_database(Settings.load()) as database:
        plain = not console.is_terminal
        look = _top(database, plain=plain) if provider is None else _tree(database, provider, plain=plain)
        try:
            if plain or as_json:
                _print(console, _looks(look, every, times), as_json=as_json)
            else:
                _keep(console, _looks(look, every, times))
        except KeyboardInterrupt:
            return


def _tree(database: Database, provider: str, *, plain: bool) -> Look:
    uuid = providers.called(database, provider)
    view = trees.tree(database, uuid)

    def look() -> tuple[str, RenderableType]:
        nonlocal view
        if trees.tag(database, uuid) != view.tag:
            view = trees.tree(database, uuid)
        return orjson.dumps(trees.document(view)).decode(), Group(*text.tree_lines(view, plain=plain))

    return look


def _top(database: Database, *, plain: bool) -> Look:
    def look() -> tuple[str, RenderableType]:
        found = read_top(database, None, MOST)
        return top_json(*found), Group(*top_tables(*found, plain=plain))

    return look


def _looks(look: Look, every: float, times: int | None) -> Iterator[tuple[str, RenderableType]]:
    for number in count(1):
        yield look()
        if number == times:
            return
        time.sleep(every)


def _print(console: Console, looks: Iterator[tuple[str, RenderableType]], *, as_json: bool) -> None:
    last = None
    for data, shown in looks:
        if data != last:
            if as_json:
                click.echo(data)
            else:
                if last is not None:
                    console.print()
                console.print(shown)
            last = data


def _keep(console: Console, looks: Iterator[tuple[str, RenderableType]]) -> None:
    with Live(console=console, screen=True, auto_refresh=False) as live:
        for _, shown in looks:
            live.update(shown, refresh=True)
