"""``graphplace schedule``: select hosts for instances of a flavor, and claim them."""

import json
from typing import TYPE_CHECKING, BinaryIO
from uuid import uuid4

import click

from graphplace.cli.command import Command
from graphplace.cli.compute import compute_extra, placement_at, url_option
from graphplace.cli.database import open_database
from graphplace.settings import Settings
from graphplace.views.text import console, print_table

if TYPE_CHECKING:
    from graphplace.scheduler.request_spec import Policy
    from graphplace.scheduler.selection import Selection


@click.command(
    cls=Command,
    examples=[
        "graphplace schedule --flavor small.yaml --project 4f1c",
        "graphplace schedule --flavor small.yaml --project 4f1c --count 10 --dry-run",
        "graphplace schedule --flavor small.yaml --project 4f1c --group anti-affinity --count 3 --json",
    ],
)
@click.option("--flavor", required=True, type=click.File("rb"), help="A file: vcpus, ram (MiB), disk (GiB) ...")
@click.option("--project", required=True, metavar="ID", help="Whose instances they are.")
@click.option("--user", default="admin", show_default=True, metavar="ID", help="Who asks for them.")
@click.option("--count", default=1, show_default=True, type=click.IntRange(1), help="How many: all are placed or none.")
@click.option("--zone", metavar="NAME", help="The availability zone.")
@click.option("--host", metavar="NAME", help="The only host that will do.")
@click.option("--cell", metavar="UUID", help="The only cell that will do.")
@click.option(
    "--group",
    "policy",
    type=click.Choice(["affinity", "anti-affinity", "soft-affinity", "soft-anti-affinity"]),
    help="They are a group of this policy.",
)
@click.option("--max-server-per-host", type=click.IntRange(1), help="How many a host may have, with anti-affinity.")
@click.option("--dry-run", is_flag=True, help="Claim nothing.")
@url_option
@click.option("--json", "as_json", is_flag=True, help="Print the selections as plain data.")
def schedule(
    *,
    flavor: BinaryIO,
    project: str,
    user: str,
    count: int,
    zone: str | None,
    host: str | None,
    cell: str | None,
    policy: "Policy | None",
    max_server_per_host: int | None,
    dry_run: bool,
    url: str | None,
    as_json: bool,
) -> None:
    """Select a host for each of some new instances, claim it, and name alternates of the same cell.

    Instances get new uuids. Request filters, weighers and the number of alternates are as the settings say
    (docs/settings.md); hosts, cells and host aggregates as graphplace host, cell and aggregate have written them.
    When an instance finds no host, nothing is claimed, the exit status is 1, and it is told what the request filters
    did.
    """
    with compute_extra():
        from graphplace.scheduler.errors import NoValidHost  # noqa: PLC0415
        from graphplace.scheduler.flavor_file import read_flavor  # noqa: PLC0415
        from graphplace.scheduler.request_spec import (  # noqa: PLC0415
            MAX_SERVER_PER_HOST,
            Destination,
            InstanceGroup,
            RequestSpec,
        )
        from graphplace.scheduler.select import Scheduler  # noqa: PLC0415
    if max_server_per_host and not policy:
        raise click.UsageError("--max-server-per-host is for --group anti-affinity.")
    rules = {MAX_SERVER_PER_HOST: max_server_per_host} if max_server_per_host else {}
    spec = RequestSpec(
        flavor=read_flavor(flavor.read()),
        project_id=project,
        user_id=user,
        availability_zone=zone,
        num_instances=count,
        requested_destination=Destination(host=host, cell=cell),
        instance_group=InstanceGroup(uuid=str(uuid4()), policy=policy, rules=rules) if policy else None,
    )
    uuids = [str(uuid4()) for _ in range(count)]
    settings = Settings.load()
    with open_database(settings) as database, placement_at(url) as session:
        try:
            selected = Scheduler(database, session, settings).select_destinations(None, spec, uuids, dry_run=dry_run)
        except NoValidHost as error:
            for line in error.filters:
                click.echo(f"Request filter {line}", err=True)
            raise
    if as_json:
        found = {uuid: [one.to_dict() for one in some] for uuid, some in zip(uuids, selected, strict=True)}
        click.echo(json.dumps(found))
    else:
        rows = (
            [uuid, _name(claimed), ", ".join(map(_name, alternates))]
            for uuid, (claimed, *alternates) in zip(uuids, selected, strict=True)
        )
        print_table(console(), ["instance", "host", "alternates"], rows)


def _name(selection: "Selection") -> str:
    """Return what people call the host of *selection*."""
    names = dict.fromkeys((selection.service_host, selection.nodename))
    return " ".join(names)
