"""``graphplace reshape``: a body of POST /reshaper, previewed or applied."""

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any

import click
import orjson
from rich.console import Console
from rich.table import Table
from rich.text import Text

from graphplace.cli.command import Command
from graphplace.cli.compute import placement_direct
from graphplace.views.text import console

# A body that gives consumers types is one of the newest version; one that does not is of the newest version without.
TYPED, UNTYPED = "1.39", "1.37"
NOTHING = "-"


@click.command(
    cls=Command,
    examples=[
        "graphplace reshape --preview reshape.json",
        "graphplace reshape --preview --json reshape.json",
        "graphplace reshape reshape.json",
    ],
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@click.option("--preview", is_flag=True, help="Show what would change and what is in the way, and change nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print the preview as the API answers it.")
def reshape(*, file: Path, preview: bool, as_json: bool) -> None:
    """Give providers new inventories and consumers new allocations in one step, or not at all.

    FILE (- is standard input) is a body of POST /reshaper. A preview ends with status 1 if there are conflicts, as the
    reshape would.
    """
    if as_json and not preview:
        raise click.UsageError("--json is for --preview.")
    with click.open_file(str(file), "rb") as stream:
        data = stream.read()
    answer = _send("/reshaper/preview" if preview else "/reshaper", data)
    if answer.status_code >= HTTPStatus.BAD_REQUEST:
        # As clients show it: what is above the last line is the same for all conflicts.
        reason = answer.json()["errors"][0]["detail"].strip().splitlines()[-1].strip()
        raise click.ClickException(f"{file}: {reason}")
    if not preview:
        body = orjson.loads(data)
        click.echo(f"Reshaped {len(body['inventories'])} providers and {len(body['allocations'])} consumers.")
        return
    if as_json:
        click.echo(answer.text)
    else:
        _print(console(), answer.json())
    if answer.json()["conflicts"]:
        raise click.exceptions.Exit(1)


def _send(path: str, data: bytes) -> Any:
    version = TYPED if b'"consumer_type"' in data else UNTYPED
    headers = {
        "OpenStack-API-Version": f"placement {version}, graphplace 1.0",
        "Content-Type": "application/json",
        "Accept": "application/json",
    }
    with placement_direct() as session:
        return session.post(path, data=data, headers=headers)


def _print(console: Console, preview: dict[str, Any]) -> None:
    names = {provider["uuid"]: provider["name"] for provider in preview["providers"]}
    stocks = Table("provider", "class", "before", "after", box=None, pad_edge=False)
    for provider in preview["providers"]:
        for one in provider["inventories"]:
            row = (provider["name"], one["resource_class"], _stock(one["before"]), _stock(one["after"]))
            stocks.add_row(*map(Text, row), style="" if one["before"] == one["after"] else "bold")
    console.print(stocks)
    console.print()
    claims = Table("consumer", "class", "before", "after", box=None, pad_edge=False)
    for consumer in preview["consumers"]:
        for name in sorted({one["resource_class"] for one in consumer["allocations"]}):
            of_class = [one for one in consumer["allocations"] if one["resource_class"] == name]
            if any(one["before"] != one["after"] for one in of_class):
                sides = [_held(of_class, side, names) for side in ("before", "after")]
                claims.add_row(consumer["uuid"], Text(name), *map(Text, sides))
    console.print(claims if claims.rows else "What consumers hold stays as it is.")
    console.print()
    for conflict in preview["conflicts"]:
        line = f"{conflict['status']} {conflict['code']}: {conflict['detail']}"
        console.print(Text(line, "red"), soft_wrap=True)
    if not preview["conflicts"]:
        console.print("Nothing is in the way.")


def _stock(found: dict[str, int] | None) -> str:
    return f"{found['used']} of {found['capacity']} used" if found else NOTHING


def _held(found: Iterable[dict[str, Any]], side: str, names: Mapping[str, str]) -> str:
    parts = [f"{one[side]} of {names.get(one['provider_uuid'], one['provider_uuid'])}" for one in found if one[side]]
    return ", ".join(parts) or NOTHING
