"""Dumping the whole graph as it is at one moment."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from graphplace.cypher import statement
from graphplace.dumping.lines import Tree, line, of_hosts, of_names, of_tree
from graphplace.graph.database import Database, Transaction
from graphplace.locks import lock_hosts

TREES_AT_ONCE = 50
LOCKS_AT_ONCE = 1000
LOCKED = ("providers", "traits", "resource_classes")

Progress = Callable[[str, int, int], None]
Locked = dict[str, set[str]]
Reading = Callable[[], dict[str, Any]]


@dataclass(frozen=True)
class Dumped:
    """How many providers and allocations a dump has.

    ``waited`` is for how many seconds writers may have waited, ``missed`` how many providers are not in it, because
    they were created or moved while it was written.
    """

    providers: int
    allocations: int
    waited: float = 0.0
    missed: int = 0


def dump(database: Database, out: BinaryIO, progress: Progress = lambda *_: None) -> Dumped:
    """Write all that *database* holds to *out*, a file that can be rewound, as it is at one moment.

    The locks of all hosts, providers, custom traits and resource classes are held while it is read. Whatever a consumer
    holds is covered by the lock of a provider, so consumers need none of their own. Writers wait.

    *progress* is told what is done, how much of it, and of how much. Raises StoreUnavailableError, and
    ConcurrentUpdateError when the locks cannot be had.
    """

    def work(tx: Transaction) -> Dumped:
        began = time.monotonic()
        lock_hosts(tx)
        locked = _lock_all(tx, progress)
        # An attempt that lost a race may have written something.
        out.seek(0)
        out.truncate()
        # What others create from now on is not locked, and no part of this moment.
        roots = [uuid for uuid in read_roots(tx) if uuid in locked["providers"]]
        trees = (tree for batch in batches(roots, progress) for tree in read_trees(tx, batch).values())
        counted = write(out, trees, lambda: _only(read_names(tx), locked), lambda: read_hosts(tx))
        return Dumped(*counted, waited=time.monotonic() - began)

    return database.write(work)


def write(out: BinaryIO, trees: Iterable[Tree], names: Reading, hosts: Reading) -> tuple[int, int]:
    """Write all lines to *out*, and return how many providers and allocations they have.

    The names come after the trees, so that those that came to be while the trees were read are among them.
    """
    providers: set[str] = set()
    allocations = 0
    for tree in trees:
        providers.update(entry["name"] for entry in tree["providers"])
        allocations += len(tree["allocations"])
        out.writelines(map(line, of_tree(tree)))
    out.writelines(map(line, of_names(names())))
    out.writelines(map(line, of_hosts(hosts(), providers)))
    out.write(line({"totals": {"providers": len(providers), "allocations": allocations}}))
    return len(providers), allocations


def read_names(tx: Transaction) -> dict[str, Any]:
    """Return what is shared by many providers and consumers, by kind."""
    row = tx.one(statement("dumping.names"))
    return dict(row) if row else {}


def read_hosts(tx: Transaction) -> dict[str, Any]:
    """Return what a scheduler knows beside Placement, by kind."""
    row = tx.one(statement("dumping.hosts"))
    return dict(row) if row else {}


def read_trees(tx: Transaction, uuids: list[str]) -> dict[str, Tree]:
    """Return the trees of the roots *uuids*, those that exist, by uuid."""
    return {row["uuid"]: dict(row) for row in tx.run(statement("dumping.trees"), uuids=uuids)}


def read_roots(tx: Transaction) -> list[str]:
    """Return the uuids of all roots, in order."""
    row = tx.one(statement("dumping.roots"))
    return sorted(row["uuids"]) if row else []


def batches(roots: list[str], progress: Progress) -> Iterator[list[str]]:
    """Yield *roots*, some at a time."""
    for first in range(0, len(roots), TREES_AT_ONCE):
        progress("trees", first, len(roots))
        yield roots[first : first + TREES_AT_ONCE]


def _only(names: dict[str, Any], locked: Locked) -> dict[str, Any]:
    """Return *names* without those of a kind that is locked that are not."""
    return {
        kind: [entry for entry in entries if kind not in locked or entry["name"] in locked[kind]]
        for kind, entries in names.items()
    }


def _lock_all(tx: Transaction, progress: Progress) -> Locked:
    """Lock every provider, custom trait and resource class, until none is there that is not locked; return all by kind.

    Each kind is locked in order, so no writer and this wait for each other; a provider that was created meanwhile comes
    late, and that Neo4j may have to solve.
    """
    locked: Locked = {kind: set() for kind in LOCKED}
    while new := [(kind, names) for kind, all_names in _everything(tx) if (names := _without(all_names, locked[kind]))]:
        for kind, names in new:
            for first in range(0, len(names), LOCKS_AT_ONCE):
                tx.run(statement(f"dumping.lock_{kind}"), names=names[first : first + LOCKS_AT_ONCE])
                progress(f"locking {kind.replace('_', ' ')}", first, len(names))
            locked[kind].update(names)
    return locked


def _without(names: list[str], known: set[str]) -> list[str]:
    return [name for name in names if name not in known]


def _everything(tx: Transaction) -> Iterator[tuple[str, list[str]]]:
    row = tx.one(statement("dumping.everything"))
    yield from dict(row).items() if row else ()
