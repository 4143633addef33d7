"""Which consumers are in the way: without them, a host that comes nearest would have room."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from graphplace.explain.changes import Change
from graphplace.explain.number import Number
from graphplace.request.model import CandidateRequest
from graphplace.request.write import to_query

MOST_TREES = 3
"""In how many trees consumers are looked for."""
MOST_ALONE = 10
"""How many consumers of a tree, those that hold the most, are each supposed to be gone alone."""

Consumers = Callable[[str], tuple[str, Sequence[str]]]
Count = Callable[[Sequence[str]], Number]


def without_consumers(
    request: CandidateRequest, roots: Iterable[str], consumers_of: Consumers, count_without: Count
) -> Iterator[Change]:
    """Yield, for the first MOST_TREES of *roots*, the consumers in the tree without which there would be candidates.

    ``consumers_of(root)`` is the name of a root, and those in its tree by what they hold, the most first;
    ``count_without(consumers)`` asks the search. It is one consumer if that is enough, or else as few as are of those
    that hold the most.
    """
    for root in islice(dict.fromkeys(roots), MOST_TREES):
        name, consumers = consumers_of(root)
        if not consumers or not count_without(consumers).count:
            continue
        for gone in [*([one] for one in consumers[:MOST_ALONE]), _first(consumers, count_without)]:
            number = count_without(gone)
            if number.count:
                noun = "consumer" if len(gone) == 1 else "consumers"
                words = f"if {noun} {', '.join(gone)} on {name} were gone"
                yield Change(words, to_query(request), number, tuple(gone))
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
