"""Taking a whole Placement over into an empty graph: it is read as a dump, and that is loaded as any dump is."""

from collections.abc import Iterator

from graphplace.dumping.lines import line, of_names, of_tree
from graphplace.graph.database import Database
from graphplace.loading import Filled, restore
from graphplace.loading.dumped import read_batches
from graphplace.moving.source import Progress, Source


def take_over(database: Database, source: Source, progress: Progress = lambda *_: None) -> Filled:
    """Write all that *source* has to *database*, which must not hold providers or consumers.

    It is done as :func:`graphplace.loading.filling.fill` does it. Raises SourceError, ConflictError for a graph that is
    not empty, and BadRequestError for what a dump may not have.
    """
    return restore(database, lines_of(source, progress))


def read_through(source: Source, progress: Progress = lambda *_: None) -> Filled:
    """Read all that *source* has, and count it, as :func:`take_over` would, but write nothing.

    Raises SourceError, and BadRequestError for what a dump may not have.
    """
    read = Filled()
    for batch in read_batches(lines_of(source, progress)):
        read = read.with_all_of(batch)
    return read


def lines_of(source: Source, progress: Progress) -> Iterator[bytes]:
    """Yield the lines of the dump that says what *source* has. Raises SourceError."""
    totals = {"providers": 0, "allocations": 0}
    for part in source.parts(progress):
        for name in totals:
            totals[name] += len(part[name])
        yield from map(line, of_tree(part))
    yield from map(line, of_names(source.names()))
    yield line({"totals": totals})
