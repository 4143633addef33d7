"""``graphplace discover``: what a host has, beside what Placement knows of it."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING
from uuid import UUID

import click
import orjson
from rich.console import Console
from rich.text import Text

from graphplace.cli.command import Command
from graphplace.cli.compute import driver_options, placement_at, url_option
from graphplace.views.text import console

if TYPE_CHECKING:
    from graphplace.compute.difference import Exchange, Pair, ProviderChange
    from graphplace.compute.discovery import Discovered
    from graphplace.compute.driver import Driver

SIGNS = {"added": ("+", "green"), "removed": ("-", "red"), "changed": ("~", "yellow"), "same": (" ", "")}


@click.command(
    cls=Command,
    examples=[
        "graphplace discover --host compute1 --dry-run",
        "graphplace discover --host compute1 --xml compute1.xml",
        "graphplace discover --host compute1 --file compute1.yaml --json",
        "OS_TOKEN=admin graphplace discover --host compute1 --option dedicated_cpus=2-15 --url http://placement:8778",
    ],
)
@click.option("--host", required=True, metavar="NAME", help="The root provider; it is made if it is not there.")
@click.option("--dry-run", is_flag=True, help="Show what is different, and write nothing.")
@driver_options
@click.option("--uuid", type=click.UUID, help="The uuid of a host that is not there yet.")
@url_option
@click.option("--json", "as_json", is_flag=True, help="Print plain data instead of text.")
def discover(*, driver: "Driver", host: str, dry_run: bool, uuid: UUID | None, url: str | None, as_json: bool) -> None:
    """Find out what a host has, show what is different from what Placement knows, and write that.

    Without another choice, hwloc looks at the machine that this runs on. Where inventory moves to other providers of
    the host, what consumers hold of it moves in the same step. While consumers hold something that the host no longer
    has, nothing is written, and the exit status is 1.
    """
    from graphplace.compute.discovery import discover as find  # noqa: PLC0415  # the command line works without it

    with placement_at(url) as session:
        found = find(session, driver, host, uuid=None if uuid is None else str(uuid), dry_run=dry_run)
    if as_json:
        click.echo(orjson.dumps({"host": host, "changed": found.changed} | asdict(found)).decode())
    else:
        _print(console(), host, found)
    if found.conflicts:
        raise click.exceptions.Exit(1)


def _print(out: Console, host: str, found: "Discovered") -> None:
    if not found.changed:
        out.print(Text(f"{host} is as Placement has it."))
        return
    for provider in _with_those_above(found.providers):
        _print_provider(out, provider)
    for consumer in found.consumers:
        names = {provider.uuid: provider.name for provider in found.providers}
        line = f"Consumer {consumer.uuid}: {_held(consumer.before, names)} -> {_held(consumer.after, names)}"
        out.print(Text(line), soft_wrap=True)
    for conflict in found.conflicts:
        out.print(Text(conflict, "red"), soft_wrap=True)
    out.print("Written." if found.written else "Nothing is written.")


def _with_those_above(providers: "list[ProviderChange]") -> "Iterator[ProviderChange]":
    """Yield the providers that are different, and where in the tree they are."""
    above: dict[int, ProviderChange] = {}
    for provider in providers:
        above = {depth: one for depth, one in above.items() if depth < provider.depth}
        if provider.change != "same":
            yield from above.values()
            above = {}
            yield provider
        else:
            above[provider.depth] = provider


def _print_provider(out: Console, provider: "ProviderChange") -> None:
    sign, style = SIGNS[provider.change]
    indent = "    " * provider.depth
    out.print(Text(f"{sign} {indent}{provider.name}", style), soft_wrap=True)
    for line in _lines(provider):
        out.print(Text(f"{sign} {indent}    {line}", style), soft_wrap=True)


def _lines(provider: "ProviderChange") -> Iterator[str]:
    if provider.parent is not None:
        yield f"below {provider.parent.before} -> {provider.parent.after}"
    for name, pair in provider.inventories.items():
        yield f"{name} {_fields(pair)}"
    for what, exchange in (("traits", provider.traits), ("aggregates", provider.aggregates)):
        if exchange.added or exchange.removed:
            yield f"{what} {_exchange(exchange)}"


def _fields(pair: "Pair") -> str:
    """Tell all fields that differ; of a class that is new or gone the amount alone."""
    if pair.before is None or pair.after is None:
        return f"{'+' if pair.before is None else '-'}{(pair.after or pair.before)['total']}"
    return ", ".join(
        f"{name} {value} -> {pair.after[name]}" for name, value in pair.before.items() if value != pair.after[name]
    )


def _exchange(exchange: "Exchange") -> str:
    return " ".join([f"+{name}" for name in exchange.added] + [f"-{name}" for name in exchange.removed])


def _held(held: Mapping[str, Mapping[str, int]], names: Mapping[str, str]) -> str:
    parts = [
        f"{amount} {name} of {names.get(uuid, uuid)}" for uuid, one in held.items() for name, amount in one.items()
    ]
    return " + ".join(parts) or "nothing"
