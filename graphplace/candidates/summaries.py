"""The provider summaries of an answer, read so that each tree is of one moment."""

from collections.abc import Iterable
from typing import Any

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
        before = _read(transaction, sorted(unsettled), summaries)
        after = _revisions(transaction, sorted(unsettled))
        unsettled = {root for root in unsettled if before.get(root) != after.get(root)}
    return summaries


def _read(transaction: Transaction, roots: list[str], summaries: dict[str, Summary]) -> dict[str, dict[str, int]]:
    """Add the summaries of the trees under *roots*; return the revisions they were read at."""
    (row,) = transaction.run(statement("candidates.summaries"), roots=roots)
    revisions: dict[str, dict[str, int]] = {}
    for root, provider, revision, parent, inventories, traits in zip(*row, strict=True):
        summaries[provider] = {
            "resources": {name: {"capacity": capacity, "used": used} for name, capacity, used in inventories},
            "traits": sorted(traits, key=_standard_first),
            "parent_provider_uuid": parent[0] if parent else None,
            "root_provider_uuid": root,
        }
        revisions.setdefault(root, {})[provider] = revision
    return revisions


def _revisions(transaction: Transaction, roots: list[str]) -> dict[str, dict[str, int]]:
    (row,) = transaction.run(statement("candidates.revisions"), roots=roots)
    revisions: dict[str, dict[str, int]] = {}
    for root, provider, revision in zip(*row, strict=True):
        revisions.setdefault(root, {})[provider] = revision
    return revisions


def _standard_first(trait: str) -> tuple[bool, str]:
    return trait.startswith("CUSTOM_"), trait
