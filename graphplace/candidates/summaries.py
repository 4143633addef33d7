"""The provider summaries of an answer, read so that each tree is of one moment."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import neo4j

from graphplace.candidates.overlay import View
from graphplace.candidates.remembered import Memory, Remembered, Summary
from graphplace.cypher import statement

# A tree that is written to faster than it can be read is given as it was last read.
MOST_READS = 5
# So long after a write some of it may not show yet. A commit takes a few, if others leave it the time.
RECENT_MILLISECONDS = 500
# Enough to outweigh what a row costs, few enough to work on them while Neo4j reads the next.
TREES_IN_A_ROW = 250
# Of so many sets of traits the order is kept: providers that are built alike have the same.
SETS_OF_TRAITS = 1000


def summarise(view: View, roots: Iterable[str], memory: Memory | None = None) -> dict[str, Summary]:
    """Return the summary of every provider of the trees under *roots*, by uuid, in the form of the API.

    Neo4j may show the writes of others while it reads, so the membership and the revisions of the trees are read
    again behind them, and the trees where they moved are read anew. Those that somebody wrote to just now are read
    until they are twice alike. Trees that are in *memory* are not read if nobody wrote to them; what is read is
    remembered there.
    """
    unsettled = set(roots)
    known = _unchanged(view, memory.trees(unsettled)) if memory else {}
    read: dict[str, Remembered] = {}
    unsettled -= known.keys()
    for _ in range(MOST_READS):
        if not unsettled:
            break
        in_order = sorted(unsettled)
        before = {root: read.pop(root, None) for root in in_order}
        batches = [in_order[start : start + TREES_IN_A_ROW] for start in range(0, len(in_order), TREES_IN_A_ROW)]
        unsettled = set()
        for row in view.stream(statement("candidates.summaries"), batches=batches, recent=RECENT_MILLISECONDS):
            read.update(_trees(row))
            unsettled.update(row["moved"])
            unsettled.update(root for root in row["doubted"] if read[root] != before[root])
    if memory:
        memory.remember({root: tree for root, tree in read.items() if root not in unsettled}, beside=known)
    # In one order, whichever of them were remembered.
    trees = known | read
    return {uuid: summary for root in sorted(trees) for uuid, summary in trees[root].summaries.items()}


def _unchanged(view: View, trees: dict[str, Remembered]) -> dict[str, Remembered]:
    """Return those of *trees* to which nobody has written."""
    if not trees:
        return trees
    (row,) = view.run(statement("candidates.stamps"), roots=list(trees))
    return {root: trees[root] for root, *stamp in row["stamps"] if trees[root].stamp == tuple(stamp)}


def _trees(row: neo4j.Record) -> Iterator[tuple[str, Remembered]]:
    for (root, *stamp), providers, held in zip(row["stamps"], row["providers"], row["held"], strict=True):
        summaries = {
            provider: _summary(root, everything) for provider, everything in sorted(zip(providers, held, strict=True))
        }
        yield root, Remembered(tuple(stamp), summaries)


def _summary(root: str, everything: list[Any]) -> Summary:
    parent = None
    inventories = []
    traits = []
    for one in everything:
        if isinstance(one, str):
            traits.append(one)
        elif len(one) > 1:
            inventories.append(one)
        else:
            (parent,) = one
    inventories.sort()
    return {
        "resources": {name: {"capacity": capacity, "used": used} for name, capacity, used in inventories},
        "traits": _traits_in_order(tuple(traits)),
        "parent_provider_uuid": parent,
        "root_provider_uuid": root,
    }


@lru_cache(SETS_OF_TRAITS)
def _traits_in_order(traits: tuple[str, ...]) -> list[str]:
    """Return *traits* sorted, the standard ones before the custom ones; a list that many share."""
    return sorted(traits, key=lambda trait: (trait.startswith("CUSTOM_"), trait))
