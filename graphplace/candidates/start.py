"""The roots of the trees that are worth a look, from the most selective condition of a request."""

from collections.abc import Iterator
from itertools import islice

from graphplace.candidates.names import Names
from graphplace.compiler.start import Start, TreeStart, search_of
from graphplace.graph.database import Transaction

# One batch is one round trip and one row: small enough to stop early, great enough to carry the cost of both.
SMALLEST_BATCH = 16
GREATEST_BATCH = 2000
GROWTH = 4
ALL = 2**31


def root_batches(transaction: Transaction, names: Names, starts: list[Start], limit: int | None) -> Iterator[list[str]]:
    """Yield the uuids of roots, each once, in batches: the first is enough for *limit* if every tree is viable.

    What comes after the first batch is asked for in one go, before anything else is matched: paging through an
    index that claims are changing would miss roots. Without any of *starts* there are none: nothing meets a group
    that only says what must not be.
    """
    if not starts:
        return
    start = min(starts, key=names.size)
    enough = first_batch(limit)
    first = _roots(transaction, names, start, enough)
    yield from _cut(first, GREATEST_BATCH)
    if len(first) < enough:
        return
    known = set(first)
    rest = [root for root in _roots(transaction, names, start, ALL) if root not in known]
    yield from _cut(rest, len(first) * GROWTH)


def first_batch(limit: int | None) -> int:
    """Return how many roots a search for *limit* candidates asks for first."""
    return ALL if limit is None else max(SMALLEST_BATCH, limit)


def _cut(roots: list[str], size: int) -> Iterator[list[str]]:
    """Yield *roots* in batches that grow from *size*."""
    remaining = iter(roots)
    while batch := list(islice(remaining, min(size, GREATEST_BATCH))):
        yield batch
        size *= GROWTH


def _roots(transaction: Transaction, names: Names, start: Start, most: int) -> list[str]:
    if isinstance(start, TreeStart):
        tree = names.trees[start.provider]
        if tree is None:
            return []
        if start.anchors:
            return [tree[0]]
    search, parameters = search_of(start)
    (row,) = transaction.run(search, most=most, **parameters)
    return list(row["roots"])
