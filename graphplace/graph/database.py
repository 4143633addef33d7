"""One Neo4j database: a driver, transactions that are tried again, and Neo4j's failures in graphplace's words."""

import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import neo4j
from neo4j.exceptions import (
    AuthError,
    ClientError,
    ConstraintError,
    DatabaseError,
    DriverError,
    IncompleteCommit,
    Neo4jError,
    TransientError,
)

from graphplace.cypher import Statement
from graphplace.errors import (
    BadRequestError,
    ConcurrentUpdateError,
    SettingsError,
    StoreUnavailableError,
    TimeBudgetError,
)
from graphplace.graph import metrics
from graphplace.graph.budget import ANY_TIME, Budget
from graphplace.settings import Settings

T = TypeVar("T")
# What gives Neo4j a text and its parameters.
Run = Callable[..., Iterable[neo4j.Record]]

# Together they bound how long a request waits for a Neo4j that is gone: a client is told within five seconds.
CONNECT_SECONDS = 2.0
RETRY_SECONDS = 2.0
# How long the second try waits at most, of which chance takes a part so that two that met do not meet again; each one
# after it waits longer by this factor.
FIRST_DELAY_SECONDS = 0.05
DELAY_GROWTH = 1.5
# How often a write starts anew because another came first. Each round one of those that race wins.
ROUNDS = 10
# Neo4j compiles a text once more, and keeps that beside the first, when it has run ten times.
RUNS_UNTIL_SETTLED = 12
GONE = "Neo.ClientError.Statement.EntityNotFound"
# How many rows of a text that is not graphplace's own come at once.
FETCH_SIZE = 1000
OUT_OF_MEMORY = "OutOfMemoryError"
TIMED_OUT = "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration"


class StaleReadError(Exception):
    """What a write read before it had its locks no longer holds: :meth:`Database.write` starts the work anew."""


@dataclass(frozen=True)
class Found:
    """What a text gave that is no statement of graphplace's own.

    ``rows`` are as many as were wanted, and ``complete`` tells whether they are all. ``kind`` is ``r`` for what only
    reads, and ``plan`` is Neo4j's if it was asked for one by EXPLAIN.
    """

    columns: tuple[str, ...]
    rows: list[list[Any]]
    complete: bool
    kind: str | None
    plan: dict[str, Any] | None


class Transaction:
    """An open transaction, which runs named statements only."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def run(self, statement: Statement, /, **parameters: Any) -> list[neo4j.Record]:
        """Run *statement* and return all its rows; a row is read by column name or unpacked in column order.

        Raises TypeError unless exactly the declared parameters are given.
        """
        begin = time.perf_counter()
        rows = list(self._sent(statement, parameters))
        metrics.STATEMENTS.labels(statement.name).observe(time.perf_counter() - begin)
        return rows

    def stream(self, statement: Statement, /, **parameters: Any) -> Iterable[neo4j.Record]:
        """Run *statement* and return its rows as they come, once, each of which Neo4j makes while others are used.

        Raises TypeError unless exactly the declared parameters are given.
        """
        begin = time.perf_counter()
        return metrics.timed(statement.name, begin, self._sent(statement, parameters))

    def _sent(self, statement: Statement, parameters: dict[str, Any]) -> Iterable[neo4j.Record]:
        if parameters.keys() != statement.parameters:
            raise TypeError(f"{statement.name} takes {sorted(statement.parameters)}, not {sorted(parameters)}.")
        return self._run(statement.packed, given=parameters)

    def one(self, statement: Statement, /, **parameters: Any) -> neo4j.Record | None:
        """Run *statement*, which gives at most one row, and return that row or None."""
        rows = self.run(statement, **parameters)
        return rows[0] if rows else None


class Database:
    """A database that requests read from and write to, each in one transaction.

    The work given to :meth:`read` and :meth:`write` may run several times (deadlocks, lost leaders, races for the
    same new node), so it must start from the same inputs each time and keep its effects inside the transaction.
    """

    def __init__(self, driver: neo4j.Driver, name: str, *, routed: bool = False) -> None:
        self._driver = driver
        self._name = name
        # In a cluster, reads go to the leader as well: a client that carries no bookmark must read its own writes.
        self._read_access = neo4j.WRITE_ACCESS if routed else neo4j.READ_ACCESS

    @classmethod
    def connect(cls, settings: Settings) -> "Database":
        """Return the database that *settings* name; no connection is made before the first transaction.

        Raises SettingsError when ``neo4j_uri`` is missing or is not a Bolt URI.
        """
        uri = settings.neo4j_uri
        if uri is None:
            raise SettingsError("No Neo4j is named: set GRAPHPLACE_NEO4J_URI, or start the managed local one.")
        try:
            driver = neo4j.GraphDatabase.driver(
                uri,
                auth=(settings.neo4j_user, settings.neo4j_password),
                connection_timeout=CONNECT_SECONDS,
                connection_acquisition_timeout=CONNECT_SECONDS + RETRY_SECONDS,
                notifications_min_severity="OFF",
                # It would tell Neo4j of each transaction which of the driver's ways was taken, a message each time.
                telemetry_disabled=True,
                user_agent="graphplace",
            )
        except (DriverError, ValueError) as error:
            raise SettingsError(f"GRAPHPLACE_NEO4J_URI={uri} cannot be used: {error}") from error
        return cls(driver, settings.neo4j_database, routed=uri.startswith("neo4j"))

    def read(self, work: Callable[[Transaction], T], budget: Budget = ANY_TIME) -> T:
        """Return what *work* returns, which reads, and which Neo4j ends when the time of *budget* is over.

        Each statement is a transaction of its own: one around several would not show them the same state, as Neo4j is
        read-committed, and would wait for Neo4j two times more. Raises StoreUnavailableError and TimeBudgetError.
        """
        return self._run(lambda: self._try_read(work, budget), budget)

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Return what *work* returns, run in one write transaction that is committed whole or not at all.

        What lost a race (for the same new node, for a node that was deleted meanwhile, or by its own account, with
        StaleReadError) is run again in a new transaction, which then sees what the winner wrote.
        Raises StoreUnavailableError, and ConcurrentUpdateError when races are lost too often.
        """
        return self._run(lambda: self._try_write(work, keep=True), ANY_TIME)

    def rehearse(self, work: Callable[[Transaction], T]) -> T:
        """Return what *work* returns, run as :meth:`write` runs it, and undo all that it wrote. Raises the same."""
        return self._run(lambda: self._try_write(work, keep=False), ANY_TIME)

    def _run(self, attempt: Callable[[], T], budget: Budget) -> T:
        delay, give_up = FIRST_DELAY_SECONDS, None
        races = 0
        with _explained():
            while races < ROUNDS:
                try:
                    with metrics.TRANSACTIONS.track_inprogress():
                        return attempt()
                except (ConstraintError, StaleReadError) as error:
                    lost: Exception = error
                    races += 1
                    metrics.RETRIES.labels(metrics.RACE).inc()
                except ClientError as error:
                    if error.code == TIMED_OUT:
                        raise budget.exceeded() from error
                    if error.code != GONE:
                        raise
                    lost = error
                    races += 1
                    metrics.RETRIES.labels(metrics.RACE).inc()
                except (Neo4jError, DriverError) as error:
                    # The first try may have waited long for its locks, so the time counts from its end.
                    give_up = give_up or time.monotonic() + RETRY_SECONDS
                    if not error.is_retryable() or time.monotonic() + delay > give_up:
                        raise
                    time.sleep(delay * random.random())  # noqa: S311  # nobody gains by guessing it
                    delay *= DELAY_GROWTH
                    metrics.RETRIES.labels(metrics.TRANSIENT).inc()
        raise ConcurrentUpdateError("The same objects are being changed by others; try again.") from lost

    def _try_read(self, work: Callable[[Transaction], T], budget: Budget) -> T:
        with self._driver.session(database=self._name, default_access_mode=self._read_access) as session:

            def run(text: str, given: dict[str, Any]) -> neo4j.Result:
                # The texts are constants of the package: the driver's guard against built strings has nothing to guard.
                return session.run(neo4j.Query(cast("Any", text), timeout=budget.left()), given=given)

            return work(Transaction(run))

    def _try_write(self, work: Callable[[Transaction], T], *, keep: bool) -> T:
        # The driver's own managed transactions will not do: a failed one gives its connection back and then looks at
        # it once more, while it serves another thread. Here nobody touches a transaction that failed, and the session
        # rolls back the one that *work* gave up.
        with self._driver.session(database=self._name, default_access_mode=neo4j.WRITE_ACCESS) as session:
            transaction = session.begin_transaction()
            result = work(Transaction(transaction.run))
            if keep:
                transaction.commit()
            else:
                transaction.rollback()
            return result

    def execute(self, text: str, **parameters: Any) -> None:
        """Run one schema statement, which Neo4j wants in a transaction of its own, and which may be run twice.

        Raises StoreUnavailableError, and ConcurrentUpdateError when others keep changing the schema.
        """
        self._run(lambda: self._try_execute(text, parameters), ANY_TIME)

    def _try_execute(self, text: str, parameters: dict[str, Any]) -> None:
        with self._driver.session(database=self._name) as session:
            session.run(cast("Any", text), parameters).consume()

    def plan(self, statement: Statement, after: Statement | None = None) -> None:
        """Let Neo4j make and keep a plan of *statement*, which EXPLAIN does not: it is run on nothing, and rolled back.

        Neo4j keeps another plan for a transaction that has written, as *after* does. Raises StoreUnavailableError.
        """
        # Nothing is an empty list, of names or of keys, and no row where a number of rows is asked for.
        nothing: dict[str, Any] = {name: 0 if name == "most" else [] for name in statement.parameters}
        with _explained(), self._driver.session(database=self._name) as session:
            transaction = session.begin_transaction()
            if after is not None:
                Transaction(transaction.run).run(after)
            for _ in range(RUNS_UNTIL_SETTLED):
                Transaction(transaction.run).run(statement, **nothing)
            transaction.rollback()

    def columns_of(self, statement: Statement) -> tuple[str, ...]:
        """Return the columns that Neo4j says *statement* has, which it plans and does not run."""
        with _explained(), self._driver.session(database=self._name) as session:
            return tuple(session.run(cast("Any", f"EXPLAIN {statement.packed}"), given={}).keys())

    @property
    def name(self) -> str:
        """The name of the database on its server."""
        return self._name

    def look(self, text: str, given: Mapping[str, Any], *, seconds: float, most: int) -> Found:
        """Run any *text* in a transaction that reads, for *seconds* at most, and return at *most* so many of its rows.

        Neo4j refuses to write in it, and ends it when the time is over. In a cluster a follower may answer. Raises
        BadRequestError with Neo4j's words for what it refuses, TimeBudgetError and StoreUnavailableError.
        """
        session = self._driver.session(
            database=self._name, default_access_mode=neo4j.READ_ACCESS, fetch_size=min(most + 1, FETCH_SIZE)
        )
        # The session rolls back at its end, so what was not fetched is not even sent.
        with _explained(), _refused(seconds), session:
            result = session.begin_transaction(timeout=seconds).run(cast("Any", text), dict(given))
            records = result.fetch(most + 1)
            summary = result.consume() if len(records) <= most else None
            return Found(
                tuple(result.keys()),
                [list(record.values()) for record in records[:most]],
                complete=len(records) <= most,
                kind=summary.query_type if summary else None,
                plan=summary.plan if summary else None,
            )

    def close(self) -> None:
        """Close every connection."""
        self._driver.close()


@contextmanager
def _refused(seconds: float) -> Iterator[None]:
    """Turn Neo4j's refusals of a text, and of what takes longer than *seconds*, into graphplace's."""
    try:
        yield
    except (ClientError, DatabaseError) as error:
        if error.code == TIMED_OUT:
            raise TimeBudgetError(
                f"The query took longer than {seconds:g} s and was ended. Ask for less, or allow it more time."
            ) from error
        raise BadRequestError(f"Neo4j refuses the query: {error.message}") from error


@contextmanager
def _explained() -> Iterator[None]:
    """Turn the driver's failures into graphplace's."""
    try:
        yield
    except TransientError as error:
        if error.code and error.code.endswith(OUT_OF_MEMORY):
            raise StoreUnavailableError(
                f"Neo4j has not enough memory for this: {error.message} Ask for less at once, load smaller files, or "
                "give Neo4j more heap (GRAPHPLACE_NEO4J_HEAP for the managed one)."
            ) from error
        raise ConcurrentUpdateError(f"Neo4j could not finish among concurrent writes: {error.message}") from error
    except AuthError as error:
        raise StoreUnavailableError(f"Neo4j refuses the user or password of the settings: {error.message}") from error
    except IncompleteCommit as error:
        raise StoreUnavailableError(
            "The connection to Neo4j was lost while it committed: the write may have been done or not. Read what is "
            "there before you try again."
        ) from error
    except DriverError as error:
        # The driver's text has line breaks, and clients show the last line only.
        raise StoreUnavailableError(f"Neo4j cannot be reached: {' '.join(str(error).split())}") from error
    except Neo4jError as error:
        if error.is_retryable():
            raise StoreUnavailableError(f"Neo4j cannot serve the request now: {error.message}") from error
        raise
