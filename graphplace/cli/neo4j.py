"""``graphplace neo4j``: the managed local Neo4j, by hand."""

import click

from graphplace.graph import local
from graphplace.settings import Settings

NOT_RUNNING = 3  # the exit status that service scripts use for it


@click.group()
def neo4j() -> None:
    """Start, find and stop the managed local Neo4j."""


@neo4j.command()
def start() -> None:
    """Start Neo4j on the data folder, to run until it is stopped."""
    settings = Settings.load()
    if found := local.running(settings):
        click.echo(f"Neo4j already runs: process {found.pid}, {found.uri}")
        return
    found = local.start(settings, detached=True, progress=local.Progress())
    click.echo(f"Neo4j runs: process {found.pid}, {found.uri}")


@neo4j.command()
def stop() -> None:
    """Stop the Neo4j that runs on the data folder."""
    click.echo("Neo4j is stopped." if local.stop(Settings.load()) else "No managed Neo4j runs on this data folder.")


@neo4j.command()
def status() -> None:
    """Tell what runs on the data folder, and where things are. Exits with 3 when nothing runs."""
    now = local.status(Settings.load())
    found = now.running
    state = f"running, process {found.pid}" if found else "starting or stopping" if now.busy else "not running"
    rows = {
        "state": state,
        "uri": found.uri if found else "-",
        "user": found.user if found else "-",
        "password": str(now.password_file),
        "version": f"{now.version} ({'' if now.cached else 'not yet '}in {now.jars})",
        "data": str(now.data_dir),
        "log": str(now.log_file),
    }
    for name, value in rows.items():
        click.echo(f"{name:9} {value}")
    if not found:
        raise SystemExit(NOT_RUNNING)


@neo4j.command()
def uri() -> None:
    """Print the Bolt URI of the Neo4j that runs. Exits with 3 when none does."""
    found = local.running(Settings.load())
    if found is None:
        click.echo("No managed Neo4j runs on this data folder; start one with 'graphplace neo4j start'.", err=True)
        raise SystemExit(NOT_RUNNING)
    click.echo(found.uri)
