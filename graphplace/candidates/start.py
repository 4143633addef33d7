"""The roots of the trees that are worth a look, from the most selective condition of a request."""

from collections.abc import Iterator
from itertools import islice

from graphplace.candidates.names import Names
from graphplace.compiler.start import AggregateStart, ClassStart, Start, TraitStart, TreeStart
from graphplace.cypher import statement
from graphplace.graph.database import Transaction

# One batch is one round trip and one row: small enough to stop early, great enough to carry the cost of both.
SMALLEST_BATCH = 16
GREATEST_BATCH = 2000
GROWTH = 4
ALL = 2**31


def root_batches(transaction: Transaction, names: Names, starts: list[Start], limit: int | None) -> Iterator[list[str]]:
    """Yield the uuids of roots, each once, in batches: the first is enough for *limit* if every tree is viable.

    What comes after the first batch is asked for in one go, before anything else is matched: paging through an
    index that claims are changing would miss roots.
    """
    start = min(starts, key=names.size)
    first = _roots(transaction, names, start, ALL if limit is None else max(SMALLEST_BATCH, limit))
    yield from _cut(first, GREATEST_BATCH)
    if limit is None or len(first) < max(SMALLEST_BATCH, limit):
        return
    known = set(first)
    rest = [root for root in _roots(transaction, names, start, ALL) if root not in known]
    yield from _cut(rest, len(first) * GROWTH)


def _cut(roots: list[str], size: int) -> Iterator[list[str]]:
    """Yield *roots* in batches that grow from *size*."""
    remaining = iter(roots)
    while batch := list(islice(remaining, min(size, GREATEST_BATCH))):
        yield batch
        size *= GROWTH


def _roots(transaction: Transaction, names: Names, start: Start, most: int) -> list[str]:
    match start:
        case ClassStart(resource_class, amount):
            found = {"class": resource_class, "amount": amount}
            (row,) = transaction.run(statement("candidates.start_at_class"), most=most, **found)
        case TraitStart(traits):
            (row,) = transaction.run(statement("candidates.start_at_trait"), most=most, traits=sorted(traits))
        case AggregateStart(aggregates):
            (row,) = transaction.run(
                statement("candidates.start_at_aggregate"), most=most, aggregates=sorted(aggregates)
            )
        case TreeStart(provider, anchors):
            tree = names.trees[provider]
            if tree is None:
                return []
            if anchors:
                return [tree[0]]
            (row,) = transaction.run(statement("candidates.start_at_tree"), most=most, provider=provider)
    return list(row["roots"])
