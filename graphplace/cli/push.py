"""``graphplace push``: write all that the graph holds to a running Placement."""

import click

from graphplace.cli.command import Command
from graphplace.cli.database import open_database
from graphplace.cli.placement import NEEDED, conclude, connections_option, session_for, verify_option
from graphplace.cli.progress import Progress
from graphplace.errors import SettingsError
from graphplace.moving import verify
from graphplace.settings import Settings

# Placement counts its own.
NOT_KEPT = ("generation",)


@click.command(
    "push",
    cls=Command,
    examples=[
        "OS_TOKEN=admin graphplace push --to http://controller:8778",
        "graphplace push --to https://placement.example.org --connections 16",
    ],
)
@click.option("--to", "url", required=True, metavar="URL", help="Of Placement's REST API.")
@verify_option
@connections_option
def push_graph(url: str, *, samples: int, connections: int) -> None:
    """Write all that the graph holds to a running Placement, or another graphplace.

    Providers with all that they have, custom names, and what consumers hold. What is there already and right is not
    written, so a push that was broken off is taken up by the next one; what is there and not in the graph is left
    alone. Generations are the other's own. The variables OS_... say who asks, as for the openstack command.

    At the end the counts and some trees, which chance takes, are compared. The exit status is 1 when something differs
    or was refused.
    """
    try:
        from graphplace.moving.placement_api import placement_api  # noqa: PLC0415  # of an extra
        from graphplace.moving.push import push  # noqa: PLC0415  # of an extra
    except ModuleNotFoundError as error:
        raise SettingsError(NEEDED) from error
    session, progress = session_for(url), Progress()
    with open_database(Settings.load()) as database, placement_api(session, connections) as there:
        pushed = push(database, session, connections, progress)
        progress.clear()
        click.echo(
            f"{pushed.trees} trees: {pushed.trees_written} written. "
            f"{pushed.consumers} consumers: {pushed.consumers_written} written."
        )
        verified = verify(database, there, samples, ignoring=NOT_KEPT, progress=progress)
        progress.clear()
        conclude(verified, {"Refused": pushed.refused})
