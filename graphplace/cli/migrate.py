"""``graphplace migrate-compute-inventory``: a host's reshape while the services are down (specs: reshaper)."""

from typing import TYPE_CHECKING

import click

from graphplace.cli.command import Command
from graphplace.cli.compute import compute_extra, driver_options, placement_direct

if TYPE_CHECKING:
    from graphplace.compute.driver import Driver


@click.command(
    "migrate-compute-inventory",
    cls=Command,
    examples=[
        "graphplace migrate-compute-inventory --host compute1 --driver hwloc",
        "graphplace migrate-compute-inventory --host node1 --host node2 --file nodes.yaml",
    ],
)
@click.option("--host", "nodes", multiple=True, required=True, metavar="NAME", help="A node of the host; repeatable.")
@driver_options
def migrate_compute_inventory(*, driver: "Driver", nodes: tuple[str, ...]) -> None:
    """Do for each node what its compute service does when it starts, while the API is down.

    The driver says what the node has. Where inventory moves to other providers or resource classes, what consumers hold
    of it moves in the same step. A second run finds nothing to do. A node that fails keeps no other from being
    migrated; the exit status is 1 then.
    """
    with compute_extra():
        from graphplace.compute.migration import migrate  # noqa: PLC0415
        from graphplace.compute.resource_tracker import Update  # noqa: PLC0415
    words = {
        Update.NOTHING: "nothing to do",
        Update.WRITTEN: "brought up to date; nothing moved that consumers hold",
        Update.RESHAPED: "reshaped; what consumers hold moved along",
    }
    failed = []
    with placement_direct() as session:
        for migrated in migrate(session, driver, nodes):
            if migrated.update is not None:
                click.echo(f"{migrated.node}: {words[migrated.update]}.")
            else:
                click.echo(f"{migrated.node}: {migrated.failure}", err=True)
                failed.append(migrated.node)
    if failed:
        raise click.ClickException(f"{', '.join(failed)} could not be migrated; the reason is above.")
