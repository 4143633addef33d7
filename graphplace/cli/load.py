"""``graphplace load``: bring the graph to what a file says."""

from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import click

from graphplace.cli.command import Command, restart_option, schema_option
from graphplace.cli.database import open_database
from graphplace.cli.progress import Progress
from graphplace.errors import BadRequestError, ConflictError
from graphplace.loading import Document, is_dump, load, read_cloud, restore
from graphplace.loading import restart as empty_part
from graphplace.settings import Settings


@click.command(
    "load",
    cls=Command,
    examples=[
        "graphplace load cloud.json",
        "graphplace load --schema",
        "graphplace load - < cloud.json",
        "zcat cloud.jsonl.gz | graphplace load -",
    ],
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@restart_option
@schema_option(Document)
def load_file(file: Path, *, restart: bool) -> None:
    """Load providers and consumers from a JSON FILE, or a dump (- is standard input).

    What a JSON file names is brought to what the file says; nothing else is touched, and a second load of the same file
    changes nothing. A file with a mistake is refused, and none of it is written.

    What graphplace dump wrote is brought into an empty graph only, generations and times included. Whatever fills an
    empty graph is written in as many steps as its size takes: when one of them fails, the load says so, and the next
    load needs --restart. docs/load-format.md describes both.
    """
    try:
        with click.open_file(str(file), "rb") as stream:
            first = stream.readline()
            if is_dump(first):
                _restore(chain([first], stream), restart=restart)
            else:
                _load(first + stream.read(), restart=restart)
    except (BadRequestError, ConflictError) as error:
        raise click.ClickException(f"{file}: {error}") from error


def _load(data: bytes, *, restart: bool) -> None:
    cloud = read_cloud(data)
    progress = Progress()
    with open_database(Settings.load()) as database:
        if restart:
            empty_part(database)
        loaded = load(database, cloud, progress)
    progress.clear()
    click.echo(
        f"{len(cloud.providers)} providers: {loaded.providers_created} created, {loaded.providers_changed} changed. "
        f"{len(cloud.consumers)} consumers: {loaded.consumers_created} created, {loaded.consumers_changed} changed."
    )


def _restore(lines: Iterable[bytes], *, restart: bool) -> None:
    progress = Progress()
    with open_database(Settings.load()) as database:
        if restart:
            empty_part(database)
        restored = restore(database, lines, progress)
    progress.clear()
    click.echo(f"{restored.providers} providers, {restored.allocations} allocations.")
