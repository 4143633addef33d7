"""How commands choose the driver that knows a host."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from graphplace.errors import BadRequestError, SettingsError

FILE = click.Path(exists=True, dir_okay=False)


def driver_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give *command* the options that choose a driver, and the driver as ``driver``."""

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
        try:  # the command line works without the compute extra
            from graphplace.compute.drivers import driver_named  # noqa: PLC0415

            driver_made = driver_named(name or "hwloc", given)
        except ModuleNotFoundError as error:
            raise SettingsError(
                f"This needs the extra 'compute': pip install 'graphplace[compute]' ({error})."
            ) from error
        command(driver=driver_made, **others)

    return with_driver


def _read_option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise BadRequestError(f"The option {text} is not NAME=VALUE.")
    return name, value
