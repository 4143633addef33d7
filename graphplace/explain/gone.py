"""Which consumers are in the way: without them, a host that comes nearest would have room."""

from collections.abc import Callable, Iterator, Sequence

from graphplace.explain.changes import Change
from graphplace.explain.counts import Counts
from graphplace.explain.number import Number
from graphplace.request.model import CandidateRequest
from graphplace.request.write import to_query

MOST_TREES = 3
"""In how many trees consumers are looked for."""
MOST_ALONE = 10
"""How many consumers of a tree, those that hold the most, are each supposed to be gone alone."""

Consumers = Callable[[str], Sequence[str]]
Count = Callable[[Sequence[str]], Number]


def without_consumers(
    request: CandidateRequest, counts: Counts, consumers_of: Consumers, count_without: Count
) -> Iterator[Change]:
    """Yield, for those trees that come nearest, the consumers without which there would be candidates.

    ``consumers_of(root)`` are those in a tree, by what they hold, the most first; ``count_without(consumers)`` asks the
    search. It is one consumer if that is enough, or else as few as are of those that hold the most.
    """
    nearest = dict.fromkeys(miss.root for group in counts.groups for miss in group.nearest)
    for root in list(nearest)[:MOST_TREES]:
        consumers = consumers_of(root)
        if not consumers or not count_without(consumers).count:
            continue
        for gone in [*([one] for one in consumers[:MOST_ALONE]), _first(consumers, count_without)]:
            number = count_without(gone)
            if number.count:
                noun = "consumer" if len(gone) == 1 else "consumers"
                yield Change(f"if {noun} {', '.join(gone)} were gone", to_query(request), number, tuple(gone))
                break


def _first(consumers: Sequence[str], count_without: Count) -> Sequence[str]:
    """Return as few of the first consumers as are enough; all of them are."""
    too_few, enough = 0, len(consumers)
    while enough - too_few > 1:
        between = (too_few + enough) // 2
        if count_without(consumers[:between]).count:
            enough = between
        else:
            too_few = between
    return consumers[:enough]
