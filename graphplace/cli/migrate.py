"""``graphplace migrate-compute-inventory``: a host's reshape while the services are down (specs: reshaper)."""

import click

from graphplace.cli.command import Command
from graphplace.cli.database import running_neo4j
from graphplace.errors import BadRequestError, SettingsError
from graphplace.settings import Settings


@click.command(
    "migrate-compute-inventory",
    cls=Command,
    examples=[
        "graphplace migrate-compute-inventory --host compute1 --driver hwloc",
        "graphplace migrate-compute-inventory --host node1 --host node2 --driver file --option path=nodes.yaml",
    ],
)
@click.option("--host", "nodes", multiple=True, required=True, metavar="NAME", help="A node of the host; repeatable.")
@click.option("--driver", "name", required=True, metavar="NAME", help="What knows the host.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="What the driver asks for; repeatable.")
def migrate_compute_inventory(*, nodes: tuple[str, ...], name: str, options: tuple[str, ...]) -> None:
    """Do for each node what its compute service does when it starts, while the API is down.

    The driver says what the node has. Where inventory moves to other providers or resource classes, what consumers hold
    of it moves in the same step. A second run finds nothing to do. A node that fails keeps no other from being
    migrated; the exit status is 1 then.
    """
    try:  # the command line works without the compute extra
        from graphplace.compute.direct import PlacementDirect  # noqa: PLC0415
        from graphplace.compute.drivers import driver_named  # noqa: PLC0415
        from graphplace.compute.migration import migrate  # noqa: PLC0415
        from graphplace.compute.resource_tracker import Update  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise SettingsError(f"This needs the extra 'compute': pip install 'graphplace[compute]' ({error}).") from error
    words = {
        Update.NOTHING: "nothing to do",
        Update.WRITTEN: "brought up to date; nothing moved that consumers hold",
        Update.RESHAPED: "reshaped; what consumers hold moved along",
    }
    driver = driver_named(name, dict(map(_read_option, options)))
    failed = []
    with running_neo4j(Settings.load()) as settings, PlacementDirect(settings) as session:
        for migrated in migrate(session, driver, nodes):
            if migrated.update is not None:
                click.echo(f"{migrated.node}: {words[migrated.update]}.")
            else:
                click.echo(f"{migrated.node}: {migrated.failure}", err=True)
                failed.append(migrated.node)
    if failed:
        raise click.ClickException(f"{', '.join(failed)} could not be migrated; the reason is above.")


def _read_option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise BadRequestError(f"The option {text} is not NAME=VALUE.")
    return name, value
