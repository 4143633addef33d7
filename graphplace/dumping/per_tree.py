"""Dumping each tree as it is at a moment of its own, without making anybody wait."""

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from graphplace.cypher import statement
from graphplace.dumping.lines import Tree
from graphplace.dumping.whole import Dumped, Progress, batches, read_hosts, read_names, read_roots, read_trees, write
from graphplace.graph.database import Database, StaleReadError, Transaction
from graphplace.locks import MOST_READS, lock_hosts


def dump_per_tree(database: Database, out: BinaryIO, progress: Progress = lambda *_: None) -> Dumped:
    """Write all that *database* holds to *out*, each tree as it is at a moment of its own.

    A tree is read until it is twice the same; one that is written to faster than that is locked while it is read. What
    a consumer holds of several trees is of several moments, and a provider that moves between trees may be missed.
    Hosts, cells and host aggregates are read at one moment, which whoever writes them waits for.

    *progress* is told what is done, how much of it, and of how much. Raises StoreUnavailableError.
    """
    seen: set[str] = set()
    roots = database.read(read_roots)
    trees = (_unseen(tree, seen) for batch in batches(roots, progress) for tree in _settled(database, batch))
    providers, allocations = write(out, trees, lambda: database.read(read_names), lambda: database.write(_read_hosts))
    row = database.read(lambda tx: tx.one(statement("dumping.everything")))
    missed = len(set(row["providers"]) - seen) if row else 0
    return Dumped(providers, allocations, missed=missed)


def _read_hosts(tx: Transaction) -> dict[str, Any]:
    lock_hosts(tx)
    return read_hosts(tx)


def _settled(database: Database, uuids: list[str]) -> Iterator[Tree]:
    """Yield the trees of the roots *uuids*, each twice read the same; a root that went meanwhile is left out."""
    settled: dict[str, Tree] = {}
    moving, before = uuids, dict[str, Tree]()
    for _ in range(MOST_READS):
        found = database.read(lambda tx, wanted=moving: read_trees(tx, wanted))  # type: ignore[misc]  # bound here
        settled |= {uuid: tree for uuid, tree in found.items() if tree == before.get(uuid) and _is_whole(tree)}
        moving, before = [uuid for uuid in found if uuid not in settled], found
        if not moving:
            break
    for uuid in uuids:
        if uuid in settled:
            yield settled[uuid]
        elif uuid in moving:
            yield from _locked(database, uuid)


def _locked(database: Database, root: str) -> list[Tree]:
    def work(tx: Transaction) -> list[Tree]:
        members = _members(read_trees(tx, [root]).values())
        tx.run(statement("dumping.lock_providers"), names=members)
        trees = list(read_trees(tx, [root]).values())
        if _members(trees) != members:
            raise StaleReadError
        return trees

    return database.write(work)


def _members(trees: Iterable[Tree]) -> list[str]:
    return sorted(entry["uuid"] for tree in trees for entry in tree["providers"] if entry["uuid"] is not None)


def _is_whole(tree: Tree) -> bool:
    # What is being deleted has no properties any more.
    return all(entry["uuid"] is not None for entry in [*tree["providers"], *tree["consumers"]])


def _unseen(tree: Tree, seen: set[str]) -> dict[str, Any]:
    """Return *tree* without what stood in another tree when that was read, by uuid or by name, and what is below it."""
    kept: dict[str, dict[str, Any]] = {}
    waiting = list(tree["providers"])
    while waiting:
        left = []
        for entry in waiting:
            parents = entry["parent"]
            if parents and parents[0] not in kept:
                left.append(entry)
            elif not {entry["uuid"], entry["name"]} & seen:
                kept[entry["name"]] = entry
        if len(left) == len(waiting):
            break
        waiting = left
    seen.update(uuid for entry in kept.values() for uuid in (entry["uuid"], entry["name"]))
    allocations = [one for one in tree["allocations"] if one[1] in kept]
    holding = {one[0] for one in allocations}
    return {
        "providers": [entry for entry in tree["providers"] if entry["name"] in kept],
        "consumers": [entry for entry in tree["consumers"] if entry["uuid"] in holding],
        "allocations": allocations,
    }
