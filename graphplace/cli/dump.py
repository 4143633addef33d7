"""``graphplace dump``: write the whole graph to a file."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

import click

from graphplace.cli.command import Command, schema_option
from graphplace.cli.database import open_database
from graphplace.cli.progress import Progress
from graphplace.dumping import dump, dump_per_tree
from graphplace.loading import DumpLine
from graphplace.settings import Settings

STANDARD_OUTPUT = "-"


@click.command(
    "dump",
    cls=Command,
    examples=[
        "graphplace dump cloud.jsonl",
        "graphplace dump --per-tree - | gzip > cloud.jsonl.gz",
        "graphplace dump - | jq -r '.providers[]?.name'",
    ],
)
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True))
@click.option("--per-tree", is_flag=True, help="Let nobody wait: each tree as it is at a moment of its own.")
@schema_option(DumpLine)
def dump_file(file: str, *, per_tree: bool) -> None:
    """Write all providers, consumers, allocations and custom names to FILE (- is standard output).

    It is the state of one moment: the locks of all providers are held while it is read, and whoever writes to one
    waits. How long is said on standard error. With --per-tree nobody waits, and what moves between trees meanwhile may
    be missed. FILE is replaced when all is written. graphplace load brings it into an empty graph;
    docs/keeping.md has more.
    """
    progress = Progress()
    with open_database(Settings.load()) as database, _replacing(file) as out:
        dumped = dump_per_tree(database, out, progress) if per_tree else dump(database, out, progress)
    progress.clear()
    click.echo(f"{dumped.providers} providers, {dumped.allocations} allocations.", err=True)
    if not per_tree:
        click.echo(f"Writers waited up to {dumped.waited:.1f} s.", err=True)
    if dumped.missed:
        click.echo(f"{dumped.missed} providers were created or moved meanwhile and are not in the file.", err=True)


@contextmanager
def _replacing(file: str) -> Iterator[BinaryIO]:
    """Yield a file that takes the place of *file*, or is written to standard output, when the block succeeds."""
    if file == STANDARD_OUTPUT:
        with tempfile.TemporaryFile() as spool:
            yield cast("BinaryIO", spool)
            spool.seek(0)
            shutil.copyfileobj(spool, sys.stdout.buffer)
            sys.stdout.buffer.flush()
        return
    path = Path(file)
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w+b") as out:
            yield out
        part.replace(path)
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}.") from error
    finally:
        part.unlink(missing_ok=True)
