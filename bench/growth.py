"""Measure how a request grows with the cloud: it is asked of graphplace in turn in clouds of different sizes.

    .venv/bin/python bench/growth.py [TREES ...]        (default: 100 1000 10000)

Starts ``graphplace serve`` with a Neo4j of its own in a temporary folder for each size, all at once, so that their JVMs
are of one age and what else the machine does is the same for all. Prints the milliseconds that the client waited and
those of CPU, as medians and means of each size, and how many times those of the size before it each is.
"""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import pairwise
from pathlib import Path

from cases import growing
from clouds import CLOUDS
from measuring import Effort, Figures, Side, asked, in_turn, tell, warm_up
from report import cells, number
from server import graphplace, settle

EFFORT = Effort(measure=8000)


def main(sizes: Sequence[int]) -> None:
    """Measure and print."""
    print(cells(["request", *(f"{trees:,} trees: ms, CPU ms" for trees in sizes), "growth in ms", "growth in CPU ms"]))
    print(cells(["---", *["--:"] * (len(sizes) + 2)]))
    for kind in ("flat", "nested"):
        with ExitStack() as stack:
            sides = [_serving(stack, f"{trees} {kind}") for trees in sizes]
            for title, figures in _measured(kind, sides):
                shown = [f"{number(one.median)}, {number(_cpu(one))}" for one in figures]
                growths = [_growth([one.median for one in figures]), _growth([_cpu(one) for one in figures])]
                print(cells([title, *shown, *growths]), flush=True)


def _serving(stack: ExitStack, cloud: str) -> Side:
    tell(f"loading {cloud} ...")
    server = stack.enter_context(graphplace(Path(stack.enter_context(tempfile.TemporaryDirectory())) / "graphplace"))
    server.load(CLOUDS[cloud]())
    server.restart()
    return Side(server)


def _measured(kind: str, sides: Sequence[Side]) -> Iterator[tuple[str, list[Figures]]]:
    """Yield the title of each request of growing clouds of a *kind*, and its figures at each of the *sides*."""
    for side in sides:
        settle(side.server)
    for case in growing(0):
        if case.cloud.endswith(kind):
            _, _, title = case.title.partition(": ")
            tell(f"{title} ...")
            firsts = [side.first(case) for side in sides]
            for side in sides:
                warm_up(partial(asked, case, side, EFFORT.warm_up))
            counts = in_turn(case, sides, EFFORT.measure)
            yield f"{kind}: {title}", [count.figures(first) for count, first in zip(counts, firsts, strict=True)]


def _cpu(figures: Figures) -> float:
    return figures.api_cpu + figures.database_cpu


def _growth(values: Sequence[float]) -> str:
    return ", ".join(f"{after / before:.2f}" for before, after in pairwise(values))


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or [100, 1000, 10_000])
