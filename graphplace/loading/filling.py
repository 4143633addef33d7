"""Filling an empty graph, in as many transactions as that takes, with a mark that tells that they are not all done."""

from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from graphplace.cypher import statement
from graphplace.errors import BadRequestError, ConflictError, GraphplaceError
from graphplace.graph.database import Database, Transaction
from graphplace.loading.batches import Batch
from graphplace.loading.creating import create

Check = Callable[[Transaction], object]
Progress = Callable[[str, int], None]


@dataclass
class Filled:
    """How many providers and allocations have been written."""

    providers: int = 0
    allocations: int = 0


def is_empty(database: Database) -> bool:
    """Tell whether *database* holds no providers and no consumers. Raises ConflictError for a part of a file."""
    return database.read(_is_empty)


def fill(
    database: Database,
    batches: Iterable[Batch],
    check: Check = lambda _tx: None,
    progress: Progress = lambda *_: None,
) -> Filled:
    """Write *batches* to *database*, which must not hold providers or consumers, a transaction for each.

    *check* is run first, in the transaction of the first batch. The last batch has the totals of all. When there are
    several, a mark tells that they are not all there yet; when one of them fails, it stays, the error says so, and the
    graph has to be wiped. While a batch is written the next is read. *progress* is told what is written, and how much.

    Raises ConflictError for a graph that is not empty, BadRequestError for totals that are not those of the batches,
    and what *batches* and *check* raise.
    """
    filling = _Filling(database, check)
    try:
        with ThreadPoolExecutor(1) as writer:
            writing: Future[None] | None = None
            for batch in batches:
                if writing is not None:
                    writing.result()
                    progress("providers", filling.done.providers)
                writing = writer.submit(filling.write, batch)
            if writing is not None:
                writing.result()
    except GraphplaceError as error:
        if not filling.marked:
            raise
        raise type(error)(
            f"{error} The load is broken off: {filling.done.providers} providers have been written, and what belongs "
            "to them. Empty the graph with graphplace db wipe before another load."
        ) from error
    return filling.done


class _Filling:
    """One filling, and how far it has come: ``done``, whether there is a mark, and which consumers exist."""

    def __init__(self, database: Database, check: Check) -> None:
        self.done = Filled()
        self.marked = False
        self._database = database
        self._check = check
        self._consumers: set[str] = set()

    def write(self, batch: Batch) -> None:
        """Write *batch*, which has the totals if it is the last one."""
        allocations = sum(len(held) for entry in batch.consumers for held in entry["allocations"].values())
        now = Filled(self.done.providers + len(batch.providers), self.done.allocations + allocations)
        is_last = batch.totals is not None
        if is_last and batch.totals != vars(now):
            raise BadRequestError(f"The totals are not those of what they are of: {batch.totals}, not {vars(now)}.")
        new = {entry["uuid"]: entry for entry in reversed(batch.consumers) if entry["uuid"] not in self._consumers}

        def work(tx: Transaction) -> None:
            if not self.marked:
                _begin(tx)
                self._check(tx)
            create(tx, batch, new.values())
            if is_last:
                tx.run(statement("restoring.end"))

        self._database.write(work)
        self.done, self.marked = now, not is_last
        self._consumers.update(new)


def _begin(tx: Transaction) -> None:
    tx.run(statement("restoring.lock"))
    if not _is_empty(tx):
        raise ConflictError(
            "This file is loaded into an empty graph, and this one holds providers or consumers. Empty it with "
            "graphplace db wipe."
        )
    tx.run(statement("restoring.begin"))


def _is_empty(tx: Transaction) -> bool:
    row = tx.one(statement("restoring.occupied"))
    if row is None or row["unfinished"]:
        raise ConflictError(
            "The graph holds a part of a file: a load was broken off, or runs now. Empty it with graphplace db wipe."
        )
    return not (row["providers"] or row["consumers"])
