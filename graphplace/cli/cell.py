"""``graphplace cell``: the cells that hosts are in."""

import json
from dataclasses import asdict

import click

from graphplace import hosts
from graphplace.cli.command import Command
from graphplace.cli.database import open_database
from graphplace.settings import Settings


@click.group()
def cell() -> None:
    """Name the cells that hosts are in: what a scheduler selects for one instance is in one cell."""


@cell.command(cls=Command, examples=["graphplace cell create cell1"])
@click.argument("name")
@click.option("--uuid", type=click.UUID, help="Its uuid, such as Nova's; one is made otherwise.")
def create(name: str, *, uuid: object) -> None:
    """Create the cell NAME."""
    with open_database(Settings.load()) as database:
        made = hosts.create_cell(database, name, str(uuid) if uuid else None)
    click.echo(f"{made.uuid} {made.name}")


@cell.command("list", cls=Command, examples=["graphplace cell list --json"])
@click.option("--json", "as_json", is_flag=True, help="Print plain data instead of text.")
def list_cells(*, as_json: bool) -> None:
    """List all cells."""
    with open_database(Settings.load()) as database:
        found = hosts.cells(database)
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found]))
    for one in () if as_json else found:
        click.echo(f"{one.uuid} {one.name}")


@cell.command(cls=Command, examples=["graphplace cell delete cell1"])
@click.argument("cell", metavar="NAME|UUID")
def delete(cell: str) -> None:
    """Delete a cell that no host is in."""
    with open_database(Settings.load()) as database:
        hosts.delete_cell(database, cell)
