"""Measure graphplace beside the real Placement: the same clouds, the same requests in turn, the same answers."""

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from fnmatch import fnmatch
from itertools import groupby
from pathlib import Path
from typing import TypeVar

import click
from cases import CASES, Case
from claims import STORMS, Storm
from clouds import CLOUDS
from loading import LOADINGS, Loading, loading
from measuring import Effort, Side, measure, tell
from peer import TUNED, placement
from report import Record, is_rate, keep, line, rate_record, request_record, table
from server import Server, graphplace, settle
from throughput import storms

SMALL = Effort(measure=500, warm_up=500)

Measured = Case | Storm | Loading
T = TypeVar("T", Case, Storm)


@click.command()
@click.option("--only", multiple=True, metavar="NAME", help="Only these; * stands for anything. May be repeated.")
@click.option("--small", is_flag=True, help="Clouds of at most 1,000 trees, a few rounds each; nothing is kept.")
@click.option("--alone", is_flag=True, help="Measure graphplace without Placement; nothing is kept.")
@click.option("--list", "listing", is_flag=True, help="Print the names, and end.")
def main(*, only: tuple[str, ...], small: bool, alone: bool, listing: bool) -> None:
    """Measure graphplace beside the real Placement, and keep the newest figures in bench/results.

    Needs PostgreSQL, and a C compiler for uwsgi. The first run installs Placement into .venv-peer.
    """
    everything: list[Measured] = [*CASES, *STORMS, *LOADINGS]
    chosen = [one for one in everything if is_chosen(one.name, only) and not (small and is_great(one))]
    if not chosen:
        raise click.UsageError(f"Nothing is named {' or '.join(only)}; --list prints the names.")
    if listing:
        for one in chosen:
            click.echo(f"{one.name:<32} {one.title}")
        return
    records = []
    for record in measured(chosen, SMALL if small else Effort(), alone=alone):
        click.echo(line(record))
        records.append(record)
        if not (small or alone):
            keep(record)
    for rates in (False, True):
        click.echo("\n" + "\n".join(table([one for one in records if is_rate(one) == rates])))


def is_chosen(name: str, only: Sequence[str]) -> bool:
    """Tell whether one of the patterns *only* is of *name*, or there is none."""
    return any(fnmatch(name, pattern) for pattern in only or ["*"])


def is_great(one: Measured) -> bool:
    """Tell whether *one* needs a cloud of more than 1,000 trees."""
    return isinstance(one, Case) and "0000" in one.cloud


def measured(chosen: Sequence[Measured], effort: Effort, *, alone: bool) -> Iterator[Record]:
    """Yield what is found; both servers are started anew for each cloud."""
    requests = [one for one in chosen if isinstance(one, Case)]
    for settings in ({}, TUNED):
        for cloud, cases in by_cloud(one for one in requests if one.tuned == bool(settings)):
            with servers(cloud, settings, alone=alone) as (ours, theirs):
                for row in measure(cases, Side(ours), Side(theirs) if theirs else None, effort):
                    yield request_record(row)
    for cloud, found in by_cloud(one for one in chosen if isinstance(one, Storm)):
        with servers(cloud, {}, alone=alone) as both:
            for case in found:
                tell(case.name)
                yield rate_record(case, *storms(case, *both, effort))
    for case in (one for one in chosen if isinstance(one, Loading)):
        with servers("empty", {}, alone=alone) as both:
            yield rate_record(case, *loading(case, *both))


def by_cloud(cases: Iterable[T]) -> Iterator[tuple[str, list[T]]]:
    """Yield *cases* by their cloud, in the order of the clouds."""
    order = list(CLOUDS)
    ordered = sorted(cases, key=lambda case: order.index(case.cloud))
    for cloud, found in groupby(ordered, key=lambda case: case.cloud):
        yield cloud, list(found)


@contextmanager
def servers(cloud: str, settings: Mapping[str, str], *, alone: bool) -> Iterator[tuple[Server, Server | None]]:
    """Start graphplace, and Placement with *settings* unless *alone*, and load a cloud into them."""
    with ExitStack() as stack:
        tell(f"{cloud}: starting and loading")
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        folder.chmod(0o711)
        ours = stack.enter_context(graphplace(folder / "graphplace"))
        theirs = None if alone else stack.enter_context(placement(folder / "placement", settings))
        for server in (ours, theirs):
            if server:
                server.load(CLOUDS[cloud]())
                server.restart()
                settle(server)
        yield ours, theirs


if __name__ == "__main__":
    main()
