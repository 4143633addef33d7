"""Filling an empty graph, in as many transactions as that takes, with a mark that tells that they are not all done."""

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Self

from graphplace.cypher import statement
from graphplace.errors import BadRequestError, ConflictError, GraphplaceError
from graphplace.graph import schema
from graphplace.graph.database import Database, Transaction
from graphplace.loading.batches import Batch
from graphplace.loading.creating import create

# One that writes waits for Neo4j, which makes one transaction on one core.
WRITERS = 2
HOW_TO_RESTART = "Start again with --restart, which empties the graph first, or empty it with graphplace db wipe."

Entry = dict[str, Any]
Check = Callable[[Transaction], object]
Progress = Callable[[str, int], None]


@dataclass(frozen=True)
class Filled:
    """How many providers and allocations there are."""

    providers: int = 0
    allocations: int = 0

    def with_all_of(self, batch: Batch) -> Self:
        """Return the sums with *batch*."""
        held = sum(len(resources) for entry in batch.consumers for resources in entry["allocations"].values())
        return type(self)(self.providers + len(batch.providers), self.allocations + held)


def is_empty(database: Database) -> bool:
    """Tell whether *database* holds nothing that a file may bring. Raises ConflictError for a part of a file."""
    return database.read(_is_empty)


def restart(database: Database) -> bool:
    """Empty *database* if it holds a part of a file only, and tell whether it did.

    A filling that still runs finds its mark gone, and fails.
    """
    part = database.read(_mark) is not None
    if part:
        schema.wipe(database)
    return part


def fill(
    database: Database,
    batches: Iterable[Batch],
    check: Check = lambda _tx: None,
    progress: Progress = lambda *_: None,
) -> Filled:
    """Write *batches* to *database*, which must be empty (:func:`is_empty`), a transaction for each.

    *check* is run first, in the transaction of the first batch. The last batch has the totals of all. When there are
    several, a mark tells that they are not all there yet; when one of them fails, it stays, the error says so, and the
    graph has to be wiped. While some are written the next is read. *progress* is told what is written, and how much.

    Raises ConflictError for a graph that is not empty, BadRequestError for totals that are not those of the batches,
    and what *batches* and *check* raise.
    """
    filling = _Filling(database, check, progress)
    try:
        with ThreadPoolExecutor(WRITERS) as writers:
            try:
                for batch in batches:
                    filling.submit(writers, batch)
            finally:
                filling.wait(0)
    except GraphplaceError as error:
        if not filling.marked:
            raise
        raise type(error)(
            f"{error} The load is broken off: {filling.written.providers} providers have been written, and what "
            f"belongs to them. {HOW_TO_RESTART}"
        ) from error
    return filling.written


class _Filling:
    """One filling, and how far it has come: what is ``written``, and whether there is a mark."""

    def __init__(self, database: Database, check: Check, progress: Progress) -> None:
        self.written = Filled()
        self.marked = False
        # When this filling made its mark: another one's has another time.
        self._began: str | None = None
        self._database = database
        self._check = check
        self._progress = progress
        self._read = Filled()
        self._consumers: set[str] = set()
        self._running: deque[tuple[Future[None], Batch]] = deque()

    def submit(self, writers: ThreadPoolExecutor, batch: Batch) -> None:
        """Let one of *writers* write *batch*, which has the totals if it is the last one.

        Trees have nothing to do with each other, so several may be written at once, once there is a mark. What
        consumers hold needs what came before.
        """
        self._read = self._read.with_all_of(batch)
        if batch.totals not in (None, vars(self._read)):
            raise BadRequestError(
                f"The totals are not those of what they are of: {batch.totals}, not {vars(self._read)}."
            )
        new = {entry["uuid"]: entry for entry in reversed(batch.consumers) if entry["uuid"] not in self._consumers}
        self._consumers.update(new)
        alone = not self.marked or batch.needs_others or batch.totals is not None
        self.wait(0 if alone else WRITERS - 1)
        self._running.append((writers.submit(self._write, batch, list(new.values())), batch))

    def wait(self, most: int) -> None:
        """Wait until at *most* so many batches are being written. Raises what the writing of one raised."""
        while len(self._running) > most:
            writing, batch = self._running.popleft()
            writing.result()
            self.marked = batch.totals is None
            self.written = self.written.with_all_of(batch)
            self._progress("providers", self.written.providers)

    def _write(self, batch: Batch, new_consumers: list[Entry]) -> None:
        first, last = not self.marked, batch.totals is not None

        def work(tx: Transaction) -> str | None:
            began = _begin(tx) if first else _mark(tx)
            if first:
                self._check(tx)
            elif began != self._began:
                raise ConflictError("The graph was emptied meanwhile.")
            create(tx, batch, new_consumers)
            if last:
                tx.run(statement("restoring.end"))
            return began

        self._began = self._database.write(work)


def _mark(tx: Transaction) -> str | None:
    """Return when the filling began that is not at its end, if there is one."""
    row = tx.one(statement("restoring.unfinished"))
    return row["started_at"] if row else None


def _begin(tx: Transaction) -> str | None:
    tx.run(statement("restoring.lock"))
    if not _is_empty(tx):
        raise ConflictError(
            "This file is loaded into an empty graph, and this one holds providers or consumers, or hosts, cells or "
            "host aggregates. Empty it with graphplace db wipe."
        )
    tx.run(statement("restoring.begin"))
    return _mark(tx)


def _is_empty(tx: Transaction) -> bool:
    row = tx.one(statement("restoring.occupied"))
    if row is None or row["unfinished"]:
        raise ConflictError(f"The graph holds a part of a file: a load was broken off, or runs now. {HOW_TO_RESTART}")
    return not (row["providers"] or row["consumers"] or row["hosts"])
