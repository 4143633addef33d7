"""What commands of the compute side share: the extra that they need, their Placement, and the choice of a driver."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from graphplace.cli.database import running_neo4j
from graphplace.cli.placement import session_for
from graphplace.errors import BadRequestError, SettingsError
from graphplace.settings import Settings

if TYPE_CHECKING:
    from keystoneauth1.adapter import Adapter

    from graphplace.compute.placement import Session

FILE = click.Path(exists=True, dir_okay=False)


@contextmanager
def compute_extra() -> Iterator[None]:
    """Say which extra is missing where the block cannot import something: the other commands work without it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise SettingsError(f"This needs the extra 'compute': pip install 'graphplace[compute]' ({error}).") from error


@contextmanager
def placement_direct() -> "Iterator[Adapter]":
    """Yield the API over the database of the settings, in this process."""
    with compute_extra():
        from graphplace.compute.direct import PlacementDirect  # noqa: PLC0415
    with running_neo4j(Settings.load()) as settings, PlacementDirect(settings) as session:
        yield session


url_option = click.option(
    "--url",
    metavar="URL",
    help="The Placement to work on, instead of the database of the settings. The variables OS_... say who asks, as for "
    "the openstack command.",
)


@contextmanager
def placement_at(url: str | None) -> "Iterator[Session]":
    """Yield the Placement at *url*, or without one the API over the database of the settings, in this process."""
    if url is None:
        with placement_direct() as direct:
            yield direct
        return
    with compute_extra():
        from keystoneauth1.exceptions import ClientException  # noqa: PLC0415
    session = session_for(url)
    try:
        yield session
    except ClientException as error:
        raise click.ClickException(f"{url} cannot be asked: {error}") from error


def driver_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give *command* the options that choose what knows a host, and that as ``driver``."""

    @click.option("--xml", type=FILE, help="What lstopo --of xml wrote: the driver hwloc with a file.")
    @click.option("--file", type=FILE, help="YAML or JSON that describes the host: the driver file.")
    @click.option("--driver", "name", metavar="NAME", help="What knows the host.  [default: hwloc]")
    @click.option(
        "--option", "options", multiple=True, metavar="NAME=VALUE", help="What the driver takes; may be repeated."
    )
    @wraps(command)
    def with_driver(
        *, xml: str | None, file: str | None, name: str | None, options: tuple[str, ...], **others: Any
    ) -> None:
        given = dict(map(_read_option, options))
        for short, driver, option, value in (("--xml", "hwloc", "xml", xml), ("--file", "file", "path", file)):
            if value is None:
                continue
            if name not in (None, driver):
                raise click.UsageError(f"{short} is for the driver {driver}, not {name}.")
            name, given[option] = driver, value
        with compute_extra():
            from graphplace.compute.drivers import driver_named  # noqa: PLC0415

            chosen = driver_named(name or "hwloc", given)
        command(driver=chosen, **others)

    return with_driver


def _read_option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise BadRequestError(f"The option {text} is not NAME=VALUE.")
    return name, value
