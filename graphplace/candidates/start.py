"""The roots of the trees that are worth a look, from the most selective condition of a request."""

import math
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import neo4j

from graphplace.candidates.names import Extent, Names
from graphplace.candidates.overlay import View
from graphplace.compiler.compile import starts_of
from graphplace.compiler.start import ClassStart, Start, TreeStart, search_of
from graphplace.cypher import statement
from graphplace.request.model import CandidateRequest

# One batch is one round trip and one row: small enough to stop early, great enough to carry the cost of both.
SMALLEST_BATCH = 16
# A tree that has to be put in order costs about so many of those that come in order and may be looked at in vain.
SORTED = 3
# The first batch should hold more than is expected to be needed, because the next one costs a list of all trees.
MARGIN = 1.5
GREATEST_BATCH = 2000
GROWTH = 4
ALL = 2**31
# Where all candidates are wanted, so many trees tell whether the others are worth a look as they are.
PROBE = 64
# To look at a tree costs as much as to list so many providers that meet a condition.
LISTED_FOR_ONE = 8


@dataclass
class Tally:
    """How many trees have been looked at, and how many of them had a provider for everything."""

    trees: int = 0
    viable: int = 0

    @property
    def in_vain(self) -> float:
        """The share of them that was looked at in vain."""
        return 1 - self.viable / self.trees if self.trees else 0


def root_batches(
    view: View, names: Names, request: CandidateRequest, tally: Tally, *, shuffled: bool
) -> Iterator[list[str]]:
    """Yield the uuids of roots, each once, in batches: the first is enough for the limit if every tree is viable.

    Trees with a provider of their own that meets the condition come first, in an order that what they hold decides,
    and those that one only shares with come last; or all of them *shuffled*. What comes after the first batch is
    asked for in one go, before anything else is matched: paging through an index that claims are changing would miss
    roots. When *tally*, which whoever looks at the batches keeps, says that many trees of the first batch were looked
    at in vain, only those others come that meet further conditions. A request without any start has no roots: nothing
    meets a group that only says what must not be.

    The condition is looked up in the graph as it is. What an overlay may add to that are the trees that its providers
    are in, which are the first ones, whatever they hold, and those with which its providers would share.
    """
    starts = starts_of(request)
    if not starts:
        return
    start, enough = best_start(starts, names, request.limit)
    if isinstance(start, TreeStart) and start.anchors:
        tree = names.trees[start.provider]
        if tree is not None:
            yield [tree[0]]
        return
    search, parameters = search_of(start)
    if shuffled:
        (found,) = view.run(search, most=ALL, **parameters)
        everywhere = list(_with_anchors(view, names, found))
        random.shuffle(everywhere)
        yield from _cut(everywhere, enough)
        return
    (found,) = view.run(search, most=enough, **parameters)
    first = list(dict.fromkeys([*view.overlay.roots, *found["roots"]]))
    if enough == ALL:
        first = first[:PROBE]
    yield from _cut(first, GREATEST_BATCH)
    if len(found["roots"]) == enough:
        (found,) = view.run(search, most=ALL, **parameters)
    given = set(first)
    rest = [root for root in _with_anchors(view, names, found) if root not in given]
    rest = _narrowed(view, names, [other for other in starts if other != start], rest, tally.in_vain)
    yield from _cut(rest, GREATEST_BATCH if enough == ALL else len(first) * GROWTH)


def best_start(starts: Iterable[Start], names: Names, limit: int | None) -> tuple[Start, int]:
    """Return the start from which the fewest trees have to be listed, and how many of them to ask for first.

    The trees of a class come from an index in order, so that with a *limit* the first of them may do; those of any
    other start have to be put in order. Which one it is does not depend on the limit, so that a lower one gives the
    first of the same candidates.
    """
    extents = {start: names.extent(start) for start in starts}

    def rating(start: Start) -> tuple[int, bool]:
        own = extents[start]
        in_order = isinstance(start, ClassStart)
        return own.providers * (1 if in_order else SORTED) + own.reach * SORTED, not in_order

    best = min(extents, key=rating)
    others = (extent for start, extent in extents.items() if start != best)
    return best, first_batch(limit, math.prod(_share(other, extents[best]) for other in others))


def first_batch(limit: int | None, share: float = 1) -> int:
    """Return how many roots to ask for first for *limit* candidates, if a *share* of the trees gives some."""
    if limit is None or share == 0:
        return ALL
    return min(ALL, max(SMALLEST_BATCH, limit, math.ceil(MARGIN * limit / share)))


def _narrowed(view: View, names: Names, starts: Iterable[Start], roots: list[str], in_vain: float) -> list[str]:
    """Return those of *roots* whose trees meet such of the conditions *starts* as so few providers meet that it pays.

    *in_vain* is the share of *roots* that would be looked at in vain.
    """
    for start in sorted(starts, key=lambda one: sum(names.extent(one))):
        if sum(names.extent(start)) >= LISTED_FOR_ONE * in_vain * len(roots):
            break
        search, parameters = search_of(start)
        (found,) = view.run(search, most=ALL, **parameters)
        meeting = _with_anchors(view, names, found)
        roots = [root for root in roots if root in meeting]
    return roots


def _share(other: Extent, own: Extent) -> float:
    """Return in which share of the trees that *own* providers are in one of the *other* is expected, at the most."""
    return min(1, (other.providers + other.reach) / max(1, own.providers + own.reach))


def _cut(roots: Iterable[str], size: int) -> Iterator[list[str]]:
    """Yield *roots* in batches that grow from *size*."""
    remaining = iter(roots)
    while batch := list(islice(remaining, min(size, GREATEST_BATCH))):
        yield batch
        size *= GROWTH


def _with_anchors(view: View, names: Names, found: neo4j.Record) -> dict[str, None]:
    """Return all the roots *found*, each once, and behind them those of the trees that are shared with."""
    roots = dict.fromkeys([*view.overlay.roots, *found["roots"]])
    sharers = sorted({sharer for sharer in found["sharers"] if sharer}.union(*view.overlay.sharers.values()))
    if names.sharing and sharers:
        (shared,) = view.run(statement("candidates.anchors"), sharers=sharers)
        roots |= dict.fromkeys(shared["roots"])
    return roots
