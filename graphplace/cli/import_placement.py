"""``graphplace import``: take a whole existing Placement over into an empty graph."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from graphplace.cli.command import Command, restart_option
from graphplace.cli.database import open_database
from graphplace.cli.placement import API_SCHEMES, NEEDED, conclude, connections_option, session_for, verify_option
from graphplace.cli.progress import Progress
from graphplace.errors import SettingsError
from graphplace.graph.database import Database
from graphplace.loading import restart as empty_part
from graphplace.moving import Source, read_through, take_over, verify
from graphplace.settings import Settings


@click.command(
    "import",
    cls=Command,
    examples=[
        "graphplace import --from postgresql+psycopg2://placement:secret@db1/placement --dry-run",
        "graphplace import --from mysql+pymysql://placement:secret@db1/placement --restart",
        "OS_TOKEN=admin graphplace import --from http://controller:8778",
        "graphplace import --from http://controller:8778 --only-verify --verify 1000",
    ],
)
@click.option("--from", "url", required=True, metavar="URL", help="Of Placement's REST API, or of its database.")
@click.option("--dry-run", is_flag=True, help="Read and check everything, and write nothing.")
@click.option("--only-verify", is_flag=True, help="Compare what was imported before, and write nothing.")
@restart_option
@verify_option
@connections_option
def import_placement(
    url: str, *, dry_run: bool, only_verify: bool, restart: bool, samples: int, connections: int
) -> None:
    """Take a whole existing Placement over into an empty graph.

    URL is that of the database, in SQLAlchemy's form, which is read as it is at one moment, and quickly; or that of the
    REST API, which has no such moment: what is written meanwhile is told at the end. The variables OS_... say who asks
    the API, as for the openstack command.

    Providers, consumers and custom names are kept with their generations; times are those of the database. At the end
    the counts and some trees, which chance takes, are compared. The exit status is 1 when something differs or has
    moved. docs/moving.md has the whole way in and back out.
    """
    progress = Progress()
    with _opened(url, connections) as source:
        if dry_run:
            read = read_through(source, progress)
            progress.clear()
            click.echo(f"{read.providers} providers, {read.allocations} allocations can be taken over.")
            return
        with open_database(Settings.load()) as database:
            if not only_verify:
                _take_over(database, source, progress, restart=restart)
            verified = verify(database, source, samples, progress=progress)
            progress.clear()
        conclude(verified, {"Moved meanwhile": source.moved()})


def _take_over(database: Database, source: Source, progress: Progress, *, restart: bool) -> None:
    if restart and empty_part(database):
        click.echo("The graph held a part of something, and was emptied.", err=True)
    taken = take_over(database, source, progress)
    progress.clear()
    click.echo(f"{taken.providers} providers, {taken.allocations} allocations.")


@contextmanager
def _opened(url: str, connections: int) -> Iterator[Source]:
    """Open the Placement at *url*, an API or a database. Raises SettingsError, and SourceError."""
    try:
        if url.startswith(API_SCHEMES):
            from graphplace.moving.placement_api import placement_api  # noqa: PLC0415  # of an extra

            with placement_api(session_for(url), connections) as api:
                yield api
        else:
            from graphplace.moving.placement_database import placement_database  # noqa: PLC0415  # of an extra

            with placement_database(url) as database:
                yield database
    except ModuleNotFoundError as error:
        raise SettingsError(NEEDED) from error
