"""``graphplace audit``: what an operator should look at, and the commands that mend it."""

import json
from collections.abc import Iterable, Sequence
from datetime import timedelta
from uuid import UUID

import click

from graphplace.audit import AUDITS, LONGEST_STALE, MOST, ORPHANS, STALE, Audit, Result, audit, document
from graphplace.cli.command import Command, FailedError, printing_option
from graphplace.cli.database import open_database
from graphplace.cli.progress import Progress
from graphplace.errors import GraphplaceError
from graphplace.settings import Settings
from graphplace.views.text import printable

FOUND = 1
NAMES = click.Choice([one.name for one in AUDITS])


@click.command(
    "audit",
    cls=Command,
    examples=[
        "graphplace audit --skip untyped",
        "openstack server list --all-projects -f value -c ID | graphplace audit --only orphans --known -",
        "graphplace audit --json | jq '.audits[].findings[].mend[0]'",
    ],
)
@click.option("--only", multiple=True, type=NAMES, help="Run this audit and no other; may be repeated.")
@click.option("--skip", multiple=True, type=NAMES, help="Leave this audit out; may be repeated.")
@click.option(
    "--known",
    type=click.File(),
    help="A file with the uuid of each consumer that a service knows, one a line: servers, migrations and so on. All "
    "others are orphans.",
)
@click.option(
    "--stale-days",
    default=STALE.days,
    show_default=True,
    type=click.IntRange(1, LONGEST_STALE),
    help="After how many days without a write a host that nobody uses is stale.",
)
@click.option(
    "--most", default=MOST, show_default=True, type=click.IntRange(1), help="How many findings of each to show."
)
@click.option("--json", "as_json", is_flag=True, help="Print plain data instead of text.")
@printing_option("--list", lambda: "\n".join(map(_described, AUDITS)), "List all audits.")
def audit_graph(
    *,
    only: Sequence[str],
    skip: Sequence[str],
    known: Iterable[str] | None,
    stale_days: int,
    most: int,
    as_json: bool,
) -> None:
    """Find what an operator should look at: claims on two hosts, full inventories, hosts that nobody uses, drift.

    It reads the whole graph and changes nothing. Each finding comes with the command that mends it; where there are
    several, one of them is enough, and which one is for you to know.

    The exit status is 0 when nothing was found, 1 when something was, and 2 when the audit failed.
    """
    chosen = [one for one in AUDITS if one.name not in skip and (not only or one.name in only)]
    uuids = None if known is None else _uuids(known)
    if uuids is None and ORPHANS.name in only:
        raise click.UsageError("orphans are consumers that no service knows: name those that are known with --known.")
    progress = Progress()
    try:
        with open_database(Settings.load()) as database:
            results = audit(
                database, chosen, known=uuids, stale=timedelta(days=stale_days), most=most, progress=progress
            )
            total = _print_json(results) if as_json else _print_text(results, progress)
    except GraphplaceError as error:
        raise FailedError(str(error)) from error
    finally:
        progress.clear()
    if total:
        raise click.exceptions.Exit(FOUND)


def _uuids(lines: Iterable[str]) -> set[str]:
    """Return the uuids of *lines*, blank ones left out. Raises UsageError for anything else."""
    found = set()
    for number, line in enumerate(lines, 1):
        if text := line.strip():
            try:
                found.add(str(UUID(text)))
            except ValueError:
                raise click.UsageError(f"Line {number} of the file of --known is no uuid: {text}") from None
    return found


def _print_text(results: Iterable[Result], progress: Progress) -> int:
    """Print a table for each audit that found something, and how many each found; return how many all did."""
    counts: dict[str, int] = {}
    for result in results:
        progress.clear()
        counts[result.audit.name] = result.total
        if not result.total:
            continue
        click.echo(f"{result.audit.title} ({result.audit.name}): {result.total}\n{result.audit.sentence}")
        for finding in result.findings:
            click.echo(f"  {printable(finding.words)}")
            for number, command in enumerate(finding.mend):
                click.echo(f"    {'or' if number else 'mend'}: {printable(command)}")
        if more := result.total - len(result.findings):
            click.echo(f"  ... and {more} more")
        click.echo()
    click.echo(", ".join(f"{name} {count}" for name, count in counts.items()) + ".")
    return sum(counts.values())


def _print_json(results: Iterable[Result]) -> int:
    found = list(results)
    total = sum(result.total for result in found)
    click.echo(json.dumps({"audits": [document(result) for result in found], "total": total}))
    return total


def _described(one: Audit) -> str:
    return f"{one.name}: {one.title}. {one.sentence}"
