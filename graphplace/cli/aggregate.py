"""``graphplace aggregate``: host aggregates and their metadata, mirrored into Placement's aggregates."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict

import click

from graphplace import host_aggregates
from graphplace.cli.command import Command
from graphplace.cli.database import open_database
from graphplace.cli.host import json_option
from graphplace.host_aggregates import HostAggregate
from graphplace.settings import Settings
from graphplace.views.text import console, print_table

aggregate_argument = click.argument("aggregate", metavar="NAME|UUID")
host_argument = click.argument("service_host")
property_option = click.option(
    "--property", "properties", multiple=True, metavar="KEY=VALUE", help="Metadata to be set. Repeatable."
)


@click.group()
def aggregate() -> None:
    """Keep host aggregates. The aggregate of the same uuid mirrors each of them in Placement."""


@aggregate.command(
    cls=Command,
    examples=[
        "graphplace aggregate create rack1 --zone az1",
        "graphplace aggregate create gold --property filter_tenant_id=4f1c --property filter_tenant_id_2=9a0b",
    ],
)
@click.argument("name")
@click.option("--uuid", type=click.UUID, help="Its uuid, and that of the aggregate that mirrors it; else one is made.")
@click.option("--zone", metavar="NAME", help="The availability zone that its hosts are in.")
@property_option
def create(name: str, *, uuid: object, zone: str | None, properties: Sequence[str]) -> None:
    """Create the host aggregate NAME, which has no hosts yet."""
    metadata = _metadata(properties, zone=zone)
    with open_database(Settings.load()) as database:
        made = host_aggregates.create(database, name, str(uuid) if uuid else None, metadata)
    _print([made])


@aggregate.command(
    "set",
    cls=Command,
    examples=[
        "graphplace aggregate set gold --property filter_tenant_id_3=77aa --unset filter_tenant_id_2",
        "graphplace aggregate set rack1 --name rack-1 --zone az2",
    ],
)
@aggregate_argument
@click.option("--name", help="Its new name.")
@click.option("--zone", metavar="NAME", help="The availability zone that its hosts are in.")
@property_option
@click.option("--unset", multiple=True, metavar="KEY", help="Metadata to be removed. Repeatable.")
def set_aggregate(
    aggregate: str, *, name: str | None, zone: str | None, properties: Sequence[str], unset: Sequence[str]
) -> None:
    """Rename a host aggregate, and change its metadata. What is not named stays as it is."""
    metadata = _metadata(properties, zone=zone, unset=unset)
    with open_database(Settings.load()) as database:
        changed = host_aggregates.update(database, aggregate, name=name, metadata=metadata)
    _print([changed])


@aggregate.command("add-host", cls=Command, examples=["graphplace aggregate add-host rack1 compute1"])
@aggregate_argument
@host_argument
def add_host(aggregate: str, service_host: str) -> None:
    """Put all nodes of SERVICE_HOST into a host aggregate, and their root providers into its mirror."""
    with open_database(Settings.load()) as database:
        changed = host_aggregates.add_host(database, aggregate, service_host)
    _print([changed])


@aggregate.command("remove-host", cls=Command, examples=["graphplace aggregate remove-host rack1 compute1"])
@aggregate_argument
@host_argument
def remove_host(aggregate: str, service_host: str) -> None:
    """Take all nodes of SERVICE_HOST out of a host aggregate, and their root providers out of its mirror."""
    with open_database(Settings.load()) as database:
        changed = host_aggregates.remove_host(database, aggregate, service_host)
    _print([changed])


@aggregate.command(cls=Command, examples=["graphplace aggregate show rack1 --json"])
@aggregate_argument
@json_option
def show(aggregate: str, *, as_json: bool) -> None:
    """Show a host aggregate: its metadata and its hosts."""
    with open_database(Settings.load()) as database:
        found = host_aggregates.get(database, aggregate)
    if as_json:
        click.echo(json.dumps(asdict(found)))
    else:
        _print([found])


@aggregate.command("list", cls=Command, examples=["graphplace aggregate list"])
@json_option
def list_aggregates(*, as_json: bool) -> None:
    """List all host aggregates."""
    with open_database(Settings.load()) as database:
        found = host_aggregates.index(database)
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found]))
    else:
        _print(found)


@aggregate.command(cls=Command, examples=["graphplace aggregate delete rack1"])
@aggregate_argument
def delete(aggregate: str) -> None:
    """Delete a host aggregate that no host is in. The aggregate that mirrors it stays."""
    with open_database(Settings.load()) as database:
        host_aggregates.delete(database, aggregate)


def _metadata(properties: Sequence[str], *, zone: str | None, unset: Sequence[str] = ()) -> dict[str, str | None]:
    metadata: dict[str, str | None] = dict.fromkeys(unset)
    for text in properties:
        key, sign, value = text.partition("=")
        if not sign:
            raise click.BadParameter(f"{text!r} is not KEY=VALUE.", param_hint="--property")
        metadata[key] = value
    if zone is not None:
        metadata[host_aggregates.AVAILABILITY_ZONE] = zone
    return metadata


def _print(found: Iterable[HostAggregate]) -> None:
    rows = (
        [one.name, one.uuid, ", ".join(f"{key}={value}" for key, value in one.metadata.items()), ", ".join(one.hosts)]
        for one in found
    )
    print_table(console(), ["aggregate", "uuid", "metadata", "hosts"], rows)
