"""Trees whose summaries were read before: they are not read again as long as nobody writes to these trees."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from cachetools import LRUCache

# Neo4j may show a part of what others commit just then, and no revision tells. What is read twice, so many seconds
# apart, is alike only if neither was such a part, for no commit takes that long.
DOUBTED_SECONDS = 5.0

Summary = dict[str, Any]


@dataclass(frozen=True)
class Remembered:
    """The summaries of one tree's providers by uuid, and the ``stamp`` that the tree had then.

    A stamp has the revision of the root, the number of the providers, and the sum of their revisions: each write
    to a provider changes it.
    """

    stamp: tuple[int, ...]
    summaries: dict[str, Summary]


@dataclass(frozen=True)
class _Kept:
    tree: Remembered
    since: float
    trusted: bool = False


class Memory:
    """The trees of one database that are remembered, by their roots: those of *most* providers, the last used.

    Whoever asks for them must compare their stamps with those that the trees have in the database now, so what is
    remembered is never older than what a read would give. Threads may share it.
    """

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._kept: LRUCache[str, _Kept] = LRUCache(most, getsizeof=lambda kept: len(kept.tree.summaries))
        self._clock = clock
        self._lock = Lock()

    def trees(self, roots: Iterable[str]) -> dict[str, Remembered]:
        """Return those of the trees under *roots* that may be used, if their stamps are still these."""
        with self._lock:
            found = {root: self._kept.get(root) for root in roots}
        return {root: kept.tree for root, kept in found.items() if kept and kept.trusted}

    def remember(self, trees: Mapping[str, Remembered], beside: Mapping[str, Remembered] | None = None) -> None:
        """Remember *trees*, by root, which were just read; those that were read alike a while ago may be used then.

        They are as many as there is room for *beside* those that were found here at the same time: a request that
        needs more than is kept would otherwise push out what the next one like it needs.
        """
        now = self._clock()
        room = self._kept.maxsize - sum(len(tree.summaries) for tree in (beside or {}).values())
        with self._lock:
            for root, tree in trees.items():
                if len(tree.summaries) <= room:
                    room -= len(tree.summaries)
                    self._kept[root] = _seen(self._kept.get(root), tree, now)


def _seen(before: _Kept | None, tree: Remembered, now: float) -> _Kept:
    if before is None or before.tree != tree:
        return _Kept(tree, since=now)
    return replace(before, trusted=now - before.since >= DOUBTED_SECONDS)
