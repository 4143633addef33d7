"""The provider summaries of an answer, read so that each tree is of one moment."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import neo4j

from graphplace.cypher import statement
from graphplace.graph.database import Transaction

# A tree that is written to faster than it can be read is given as it was last read.
MOST_READS = 5

Summary = dict[str, Any]


def summarise(transaction: Transaction, roots: Iterable[str]) -> dict[str, Summary]:
    """Return the summary of every provider of the trees under *roots*, by uuid, in the form of the API.

    Neo4j may show the writes of others between two rows, so the membership and the revisions of the trees are
    read again afterwards, and the trees where they moved are read anew.
    """
    summaries: dict[str, Summary] = {}
    unsettled = set(roots)
    for _ in range(MOST_READS):
        if not unsettled:
            break
        summaries = {uuid: one for uuid, one in summaries.items() if one["root_provider_uuid"] not in unsettled}
        (read,) = transaction.run(statement("candidates.summaries"), roots=sorted(unsettled))
        (now,) = transaction.run(statement("candidates.revisions"), roots=sorted(unsettled))
        summaries.update(_summaries(read))
        unsettled = _moved(list(read)[: len(now)], list(now))
    return summaries


def _summaries(row: neo4j.Record) -> Iterator[tuple[str, Summary]]:
    in_order = cache(lambda traits: sorted(traits, key=_standard_first))
    for root, provider, _, parent, inventories, traits in sorted(zip(*row, strict=True)):
        yield (
            provider,
            {
                "resources": {
                    name: {"capacity": capacity, "used": used} for name, capacity, used in sorted(inventories)
                },
                "traits": in_order(tuple(traits)),
                "parent_provider_uuid": parent[0] if parent else None,
                "root_provider_uuid": root,
            },
        )


def _moved(before: list[list[Any]], after: list[list[Any]]) -> set[str]:
    """Return the roots of the trees whose providers or revisions differ; both are columns, the roots first."""
    if before == after:
        return set()
    return {root for root, *_ in set(zip(*before, strict=True)) ^ set(zip(*after, strict=True))}


def _standard_first(trait: str) -> tuple[bool, str]:
    return trait.startswith("CUSTOM_"), trait
