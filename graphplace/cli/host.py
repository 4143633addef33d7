"""``graphplace host``: which services run which nodes, and which providers these stand for."""

import json
from collections.abc import Iterable
from dataclasses import asdict

import click

from graphplace import hosts
from graphplace.cli.command import Command
from graphplace.cli.database import open_database
from graphplace.settings import Settings
from graphplace.views.text import console, print_table

cell_option = click.option("--cell", required=True, metavar="NAME|UUID", help="The cell; graphplace cell makes one.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print plain data instead of text.")


@click.group()
def host() -> None:
    """Map compute services and their nodes to cells and to root providers."""


@host.command(
    "map",
    cls=Command,
    examples=[
        "graphplace host map compute1 --cell cell1",
        "graphplace host map ironic1 9d8c --provider 9d8c --cell cell1",
    ],
)
@click.argument("service_host")
@click.argument("nodename", required=False)
@click.option("--provider", metavar="NAME|UUID", help="The root provider; NODENAME is its name otherwise.")
@cell_option
def map_one(service_host: str, nodename: str | None, *, provider: str | None, cell: str) -> None:
    """Map the node NODENAME of SERVICE_HOST, which is named as the service is if it has no other name.

    A node that is mapped already is mapped anew. A new node of a service is in the host aggregates of the service.
    """
    node = nodename or service_host
    with open_database(Settings.load()) as database:
        mapped = hosts.map_host(database, service_host, node, cell=cell, provider=provider or node)
    _print([mapped])


@host.command(cls=Command, examples=["graphplace host discover --cell cell1"])
@cell_option
def discover(*, cell: str) -> None:
    """Map a host to each root provider that has none and does not share, in one cell.

    Service and node are called as the provider is. A host whose provider was deleted gets the one that has its node's
    name.
    """
    with open_database(Settings.load()) as database:
        mapped = hosts.discover(database, cell)
    for service_host, nodename in mapped:
        click.echo(f"{service_host} {nodename}")
    click.echo(f"{len(mapped)} hosts mapped.", err=True)


@host.command("list", cls=Command, examples=["graphplace host list", "graphplace host list compute1 --json"])
@click.argument("service_host", required=False)
@json_option
def list_hosts(service_host: str | None, *, as_json: bool) -> None:
    """List all hosts, or those that SERVICE_HOST runs, with their cells, root providers and host aggregates."""
    with open_database(Settings.load()) as database:
        found = hosts.index(database) if service_host is None else hosts.of_service(database, service_host)
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found]))
    else:
        _print(found)


@host.command(cls=Command, examples=["graphplace host unmap compute1", "graphplace host unmap ironic1 9d8c"])
@click.argument("service_host")
@click.argument("nodename", required=False)
def unmap(service_host: str, nodename: str | None) -> None:
    """Forget the node NODENAME of SERVICE_HOST, or all of its nodes. They leave their host aggregates."""
    with open_database(Settings.load()) as database:
        gone = hosts.unmap(database, service_host, nodename)
    click.echo(f"{gone} hosts unmapped.")


def _print(found: Iterable[hosts.Host]) -> None:
    rows = (
        [one.service_host, one.nodename, one.cell.name, one.provider_uuid or "", ", ".join(one.aggregates)]
        for one in found
    )
    print_table(console(), ["host", "node", "cell", "provider", "aggregates"], rows)
