"""``graphplace check``: find out whether the graph is what it must be."""

import dataclasses
import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

import click

from graphplace.check import CHECKS, Check, Finding, Report, check
from graphplace.cli.command import Command, FailedError, printing_option
from graphplace.cli.database import open_database
from graphplace.cli.progress import Progress
from graphplace.errors import GraphplaceError
from graphplace.settings import Settings
from graphplace.views.text import printable

FINDINGS = 1


@click.command(
    "check",
    cls=Command,
    examples=["graphplace check", "graphplace check --repair", "graphplace check --json | jq '.findings[].check'"],
)
@click.option("--repair", is_flag=True, help="Mend what is derived from other parts of the graph.")
@click.option("--json", "as_json", is_flag=True, help="Print plain data instead of text.")
@printing_option("--list", lambda: "\n".join(map(_sentence, CHECKS)), "List all checks.")
def check_graph(*, repair: bool, as_json: bool) -> None:
    """Find what is not as it must be in the graph: derived values that drifted, and invariants that do not hold.

    It may run while the cloud is written to, and then reports nothing that is only half written. One line a finding;
    with --repair, what is derived is mended at once, and of the rest it says what an operator can do.

    The exit status is 0 when nothing is wrong, or is not any more; 1 when something is; 2 when the check failed.
    """
    report, progress = Report(), Progress()
    try:
        with open_database(Settings.load()) as database:
            found = check(database, repair=repair, report=report, progress=progress)
            count, left = _print_json(found, report) if as_json else _print_lines(found, report, progress)
    except GraphplaceError as error:
        raise FailedError(str(error)) from error
    finally:
        progress.clear()
    if count and left:
        raise click.exceptions.Exit(FINDINGS)


def _print_lines(found: Iterable[Finding], report: Report, progress: Progress) -> tuple[int, int]:
    """Print a line for each finding, advice for what is not mended, and the sums; return all and how many left."""
    mended: Counter[bool] = Counter()
    advice: dict[str, str] = {}
    for finding in found:
        progress.clear()
        click.echo(printable(finding.words) + (": mended" if finding.mended else ""))
        mended[finding.mended] += 1
        if not finding.mended:
            advice[finding.check] = finding.advice or "graphplace check --repair mends it."
    for name, text in advice.items():
        click.echo(f"{name}: {text}")
    progress.clear()
    counted = ", ".join(f"{count} {_plural(kind, count)}" for kind, count in report.checked.items())
    total = mended.total()
    click.echo(f"{counted}: {total} {_plural('finding', total)}, {mended[True]} mended.")
    return total, mended[False]


def _print_json(found: Iterable[Finding], report: Report) -> tuple[int, int]:
    findings = [dataclasses.asdict(finding) for finding in found]
    left = sum(not finding["mended"] for finding in findings)
    body: dict[str, Any] = {"checked": report.checked, "findings": findings, "left": left}
    click.echo(json.dumps(body))
    return len(findings), left


def _sentence(one: Check) -> str:
    return f"{one.name} ({'mended' if one.advice is None else 'not mended'}): {one.sentence}"


def _plural(word: str, count: int) -> str:
    return word if count == 1 else {"inventory": "inventories", "metadata": "metadata"}.get(word, f"{word}s")
