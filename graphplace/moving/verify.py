"""Whether a graph and a Placement hold the same: counts of everything, and all of some trees that chance takes."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any

from graphplace.cypher import statement
from graphplace.dumping.lines import Tree, of_tree
from graphplace.dumping.whole import read_trees
from graphplace.graph.database import Database
from graphplace.moving.source import Progress, Source

# A graph has one time for all that a consumer was given at once, where Placement may have one for each.
APART = ("allocated_at", "positions")
TIMES = ("created_at", "updated_at")
MISSING = "missing"

Entries = dict[tuple[str, str], dict[str, Any]]


@dataclass(frozen=True)
class Verified:
    """How many trees were compared, beside the counts, and a phrase for each difference."""

    trees: int
    differences: list[str]


def verify(
    database: Database, source: Source, most: int, ignoring: Iterable[str] = (), progress: Progress = lambda *_: None
) -> Verified:
    """Compare *database* with *source*: counts, and all of at *most* so many trees.

    That is all that providers have and what consumers hold of them. Parts of entries that are called one of *ignoring*
    may differ, and times where *source* has none. Raises SourceError.
    """
    apart = {*APART, *ignoring, *(() if source.has_times else TIMES)}
    sampled = {one["uuid"]: tree for tree in source.sample(most) for one in tree["providers"] if not one["parent"]}
    differences = [*_differing_counts(database, source, progress), *_differing_trees(database, sampled, apart)]
    return Verified(len(sampled), differences)


def counts(database: Database) -> dict[str, int]:
    """Count what *database* holds, by columns of the statement ``moving.counts``."""
    row = database.read(lambda tx: tx.one(statement("moving.counts")))
    return dict(row) if row else {}


def _differing_counts(database: Database, source: Source, progress: Progress) -> Iterator[str]:
    ours = counts(database)
    for name, count in source.counts(progress).items():
        if ours[name] != count:
            yield f"{name.replace('_', ' ')}: {count} in Placement, {ours[name]} in the graph"


def _differing_trees(database: Database, sampled: Mapping[str, Tree], apart: set[str]) -> Iterator[str]:
    found = database.read(lambda tx: read_trees(tx, list(sampled)))
    for root, tree in sampled.items():
        theirs, ours = _entries(tree, apart), _entries(found.get(root), apart)
        for key in sorted(theirs.keys() | ours.keys()):
            name, one, other = " ".join(key), theirs.get(key, {}), ours.get(key, {})
            for part in sorted(one.keys() | other.keys()):
                if one.get(part) != other.get(part):
                    yield (
                        f"{name}: {part} is {one.get(part, MISSING)} in Placement, "
                        f"{other.get(part, MISSING)} in the graph"
                    )


def _entries(tree: Tree | None, apart: set[str]) -> Entries:
    """Return what the lines of *tree* say of each provider and consumer, without the parts called one of *apart*."""
    documents = list(of_tree(tree)) if tree else []
    kinds = {"provider": "providers", "consumer": "consumers"}
    return {
        (kind, entry["uuid"]): _comparable(entry, apart)
        for kind, name in kinds.items()
        for entry in chain.from_iterable(document.get(name, ()) for document in documents)
    }


def _comparable(value: Any, apart: set[str]) -> Any:
    if not isinstance(value, dict):
        return value
    return {
        name: datetime.fromisoformat(one) if name in TIMES else _comparable(one, apart)
        for name, one in value.items()
        if name not in apart
    }
