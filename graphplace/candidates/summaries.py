"""The provider summaries of an answer, read so that each tree is of one moment."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import neo4j

from graphplace.candidates.overlay import View
from graphplace.cypher import statement

# A tree that is written to faster than it can be read is given as it was last read.
MOST_READS = 5
# Enough to outweigh what a row costs, few enough to work on them while Neo4j reads the next.
TREES_IN_A_ROW = 250

Summary = dict[str, Any]


def summarise(view: View, roots: Iterable[str]) -> dict[str, Summary]:
    """Return the summary of every provider of the trees under *roots*, by uuid, in the form of the API.

    Neo4j may show the writes of others while it reads, so the membership and the revisions of the trees are read
    again behind them, and the trees where they moved are read anew.
    """
    summaries: dict[str, Summary] = {}
    unsettled = set(roots)
    for _ in range(MOST_READS):
        if not unsettled:
            break
        summaries = {uuid: one for uuid, one in summaries.items() if one["root_provider_uuid"] not in unsettled}
        in_order = sorted(unsettled)
        batches = [in_order[start : start + TREES_IN_A_ROW] for start in range(0, len(in_order), TREES_IN_A_ROW)]
        traits_in_order = cache(_traits_in_order)
        unsettled = set()
        for row in view.stream(statement("candidates.summaries"), batches=batches):
            summaries.update(_summaries(row, traits_in_order))
            unsettled.update(row["moved"])
    return summaries


def _summaries(
    row: neo4j.Record, traits_in_order: Callable[[tuple[str, ...]], list[str]]
) -> Iterator[tuple[str, Summary]]:
    for root, providers, held in zip(row["roots"], row["providers"], row["held"], strict=True):
        for provider, everything in sorted(zip(providers, held, strict=True)):
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
            yield (
                provider,
                {
                    "resources": {name: {"capacity": capacity, "used": used} for name, capacity, used in inventories},
                    "traits": traits_in_order(tuple(traits)),
                    "parent_provider_uuid": parent,
                    "root_provider_uuid": root,
                },
            )


def _traits_in_order(traits: tuple[str, ...]) -> list[str]:
    """Return *traits* sorted, the standard ones before the custom ones."""
    return sorted(traits, key=lambda trait: (trait.startswith("CUSTOM_"), trait))
