"""Running the checks: without locks to find what may be wrong, then under locks to be sure.

Neo4j shows readers other writes half done, so a finding without locks means nothing on a live cloud. With the locks
under which all that it depends on is written, it is true.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphplace.check.checks import CHECKS, Check, Finding
from graphplace.check.whole import check_whole
from graphplace.cypher import statement
from graphplace.errors import ConcurrentUpdateError
from graphplace.graph.database import Database, StaleReadError, Transaction
from graphplace.locks import lock_hosts, lock_providers

# How many nodes one statement looks at, and how many suspects are locked at once.
BATCH = 1000
AT_ONCE = 25
LISTS = {
    "inventory": "check.inventories",
    "provider": "check.providers",
    "consumer": "check.consumers",
    "host": "check.hosts",
    "host aggregate": "check.host_aggregates",
    "metadata": "check.metadata",
}

Progress = Callable[[str, int, int], None]
Row = dict[str, Any]


@dataclass
class Report:
    """How many nodes of each kind were looked at; filled in while :func:`check` runs."""

    checked: dict[str, int] = field(default_factory=dict)


def check(
    database: Database, *, repair: bool = False, report: Report | None = None, progress: Progress = lambda *_: None
) -> Iterator[Finding]:
    """Yield all that is not as it must be, as it is found.

    Others may write meanwhile: whatever is yielded was so at one moment. With *repair*, what is derived is mended at
    once, and the finding says so. *progress* is told the kind of nodes, how many have been looked at, and of how many.

    Raises StoreUnavailableError, ConcurrentUpdateError when a node is written to faster than it can be locked.
    """
    report = report or Report()
    yield from check_whole(database, repair=repair)
    for kind, listing in LISTS.items():
        row = database.read(lambda tx, name=listing: tx.one(statement(name)))  # type: ignore[misc]  # bound here
        ids = row["ids"] if row else []
        checks = [one for one in CHECKS if one.kind == kind]
        for first in range(0, len(ids), BATCH):
            progress(kind, first, len(ids))
            suspects = _suspects(database, checks, ids[first : first + BATCH])
            for start in range(0, len(suspects), AT_ONCE):
                yield from _confirm(database, checks, suspects[start : start + AT_ONCE], repair=repair)
        report.checked[kind] = len(ids)
        progress(kind, len(ids), len(ids))


def _suspects(database: Database, checks: Sequence[Check], ids: list[str]) -> list[str]:
    """Return the ids of the nodes that seem wrong, read without locks."""
    seen = database.read(lambda tx: {row["id"] for one in checks for row in _wrong(tx, one, ids)})
    return [id_ for id_ in ids if id_ in seen]


def _confirm(database: Database, checks: Sequence[Check], ids: list[str], *, repair: bool) -> list[Finding]:
    """Return what is wrong with the nodes *ids* in truth, as it is under their locks."""

    def work(tx: Transaction) -> list[Finding]:
        _lock(tx, ids)
        return [finding for one in checks for finding in _findings(tx, one, ids, repair=repair)]

    try:
        return database.write(work)
    except ConcurrentUpdateError:
        if len(ids) == 1:
            raise
        # The fewer locks, the sooner they are all there.
        half = len(ids) // 2
        parts = (ids[:half], ids[half:])
        return [finding for part in parts for finding in _confirm(database, checks, part, repair=repair)]


def _lock(tx: Transaction, ids: list[str]) -> None:
    """Take the locks that cover all that is checked of the nodes *ids*, in the order of :mod:`graphplace.locks`."""
    lock_hosts(tx)
    tx.run(statement("check.lock_consumers"), uuids=_owners(tx, "check.owning_consumers", ids))
    owners = _owners(tx, "check.owning_providers", ids)
    lock_providers(tx, owners)
    if _owners(tx, "check.owning_providers", ids) != owners:
        raise StaleReadError


def _owners(tx: Transaction, name: str, ids: list[str]) -> list[str]:
    row = tx.one(statement(name), ids=ids)
    return sorted(row["uuids"]) if row else []


def _findings(tx: Transaction, check: Check, ids: list[str], *, repair: bool) -> list[Finding]:
    wrong = _wrong(tx, check, ids)
    left = wrong
    if repair and wrong and check.advice is None:
        tx.run(statement(f"check.mend_{check.name}"), rows=wrong)
        left = _wrong(tx, check, ids)
    return [
        Finding(
            check=check.name,
            kind=check.kind,
            uuid=row["uuid"],
            name=row["name"],
            part=row["part"],
            stored=row["stored"],
            expected=row["expected"],
            advice=check.advice,
            mended=row not in left,
        )
        for row in wrong
    ]


def _wrong(tx: Transaction, check: Check, ids: list[str]) -> list[Row]:
    rows = [dict(row) for row in tx.run(statement(f"check.{check.name}"), ids=ids)]
    if check.compute is None:
        return rows
    computed = [row | {"expected": check.compute(row["expected"])} for row in rows]
    return [row for row in computed if row["expected"] is not None and row["stored"] != row["expected"]]
