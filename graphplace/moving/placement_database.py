"""Reading Placement straight from its database: one snapshot, read-only, some trees and consumers at a time."""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from graphplace.dumping.lines import Tree
from graphplace.moving.placement_tables import (
    AGGREGATE_ROWS,
    ALLOCATION_ROWS,
    AMOUNTS,
    CONSUMER_ROWS,
    CONSUMERS,
    COUNTS,
    CUSTOM,
    HOLDERS,
    INVENTORY_ROWS,
    NAMES,
    PROBLEMS,
    PROVIDER_ROWS,
    PROVIDERS,
    TRAIT_ROWS,
)
from graphplace.moving.source import Progress, SourceError

AT_ONCE = 1000
# How many of what cannot be taken over an error names.
NAMED = 5
# What makes a transaction of all that follows, which sees one moment and cannot write.
_MYSQL = (
    "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
    "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
)
SNAPSHOT = {
    "mariadb": _MYSQL,
    "mysql": _MYSQL,
    "postgresql": ("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",),
    "sqlite": ("BEGIN",),
}

Entry = dict[str, Any]
Condition = sa.ColumnElement[bool]
# SQLAlchemy's, each with its columns as attributes.
Row = Any


@contextmanager
def placement_database(url: str) -> Iterator["PlacementDatabase"]:
    """Open the Placement database at *url*, which SQLAlchemy understands, at the moment that it has now.

    Raises SourceError when it cannot be read, and for what it holds that cannot be taken over.
    """
    shown = url.partition("://")[0]
    try:
        parsed = sa.make_url(url)
        shown = parsed.render_as_string()
        snapshot = SNAPSHOT[parsed.get_backend_name()]
        with sa.create_engine(_read_only(parsed), poolclass=sa.NullPool).connect() as connection:
            for statement in snapshot:
                connection.exec_driver_sql(statement)
            database = PlacementDatabase(connection)
            database.require_sound()
            yield database
    except KeyError as error:
        raise SourceError(f"{shown}: Placement has its data in MariaDB, MySQL, PostgreSQL or SQLite.") from error
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        raise SourceError(f"{shown}: install the driver that the URL names with pip: {error}.") from error
    except ArgumentError as error:
        raise SourceError(f"This is neither the URL of an API nor one of SQLAlchemy: {shown}") from error
    except SQLAlchemyError as error:
        reason = getattr(error, "orig", None) or error
        raise SourceError(f"{shown} cannot be read: {' '.join(str(reason).split())}") from error


def _read_only(url: sa.URL) -> sa.URL:
    # SQLite would make a file that is not there.
    if url.get_backend_name() != "sqlite" or not url.database:
        return url
    return url.set(database=f"file:{url.database}", query={"mode": "ro", "uri": "true"})


class PlacementDatabase:
    """The tables behind *connection*, in a transaction that sees one moment."""

    has_times = True

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        # For rows without times, which only hands may have written.
        self._now = datetime.now(UTC)

    def require_sound(self) -> None:
        """Raise SourceError if there is anything that cannot be taken over, and name the first of each kind."""
        found = []
        for problem, advice, select in PROBLEMS:
            if names := list(self._connection.scalars(select.limit(NAMED + 1))):
                more = " and others" if len(names) > NAMED else ""
                found.append(f"There are {problem} ({advice}): {', '.join(names[:NAMED])}{more}.")
        if found:
            raise SourceError(f"This cannot be taken over, and nothing was. {' '.join(found)}")

    def counts(self, _progress: Progress) -> dict[str, int]:
        """Count what there is, by columns of the statement ``moving.counts``."""
        return {name: self._connection.scalar(select) or 0 for name, select in COUNTS.items()}

    def parts(self, progress: Progress) -> Iterator[Tree]:
        """Yield all trees without consumers, then all consumers without providers."""
        counted, done = self.counts(progress), 0
        for window in self._windows(PROVIDERS.c.root_provider_id):
            for tree in self._trees(window):
                yield {"providers": tree, "consumers": [], "allocations": []}
                done += len(tree)
                progress("providers", done, counted["providers"])
        done = 0
        for window in self._windows(CONSUMERS.c.id):
            held = self._held(window)
            yield {"providers": [], **held}
            done += len(held["consumers"])
            progress("consumers", done, counted["consumers"])

    def names(self) -> dict[str, list[Entry]]:
        """Return what is shared by many providers and consumers, by kind; standard names are left out."""
        return {
            kind: [
                {"name": row.name} | self._times(row)
                for row in self._connection.execute(
                    sa.select(column.label("name"), table.c.created_at, table.c.updated_at)
                    .where(CUSTOM.get(kind, sa.true()))
                    .order_by(column)
                )
            ]
            for kind, (table, column) in NAMES.items()
        }

    def sample(self, most: int) -> list[Tree]:
        """Return *most* trees that chance takes, with what is held of them; all of them if there are no more."""
        roots = list(self._connection.scalars(sa.select(PROVIDERS.c.root_provider_id).distinct()))
        chosen = random.sample(roots, min(most, len(roots)))
        return [self._whole_tree(PROVIDERS.c.root_provider_id == root) for root in chosen]

    def moved(self) -> list[str]:
        """Tell that nothing moved: one moment was read."""
        return []

    def _windows(self, column: sa.ColumnElement[int]) -> Iterator[Condition]:
        """Yield conditions that take in so many of the values of *column* each, in order, and all of them together."""
        last = 0
        while values := list(
            self._connection.scalars(sa.select(column).distinct().where(column > last).order_by(column).limit(AT_ONCE))
        ):
            last = values[-1]
            yield column.between(values[0], last)

    def _trees(self, window: Condition) -> Iterator[list[Entry]]:
        """Yield the providers of each tree of which *window* takes in the root's id."""
        inventories = defaultdict(list)
        for row in self._connection.execute(INVENTORY_ROWS.where(window)):
            amounts = {name: getattr(row, name) for name in AMOUNTS}
            inventories[row.provider].append({"resource_class": row.resource_class} | amounts | self._times(row))
        traits = _grouped(self._connection.execute(TRAIT_ROWS.where(window)))
        aggregates = _grouped(self._connection.execute(AGGREGATE_ROWS.where(window)))
        rows = self._connection.execute(PROVIDER_ROWS.where(window))
        for _, tree in groupby(rows, lambda row: row.root_provider_id):
            yield [
                {
                    "uuid": row.uuid,
                    "name": row.name,
                    "generation": row.generation,
                    "parent": [row.parent] if row.parent else [],
                    "inventories": inventories[row.id],
                    "traits": traits[row.id],
                    "aggregates": aggregates[row.id],
                }
                | self._times(row)
                for row in tree
            ]

    def _held(self, window: Condition) -> dict[str, list[Any]]:
        """Return the consumers that hold something, and what they hold, as *window* takes it in.

        *window* is a condition on consumers, or on the providers that they hold something of.
        """
        # In the order in which they were written.
        written: dict[str, int] = defaultdict(int)
        held = []
        for row in self._connection.execute(ALLOCATION_ROWS.where(window)):
            position = written[row.consumer_id]
            written[row.consumer_id] += 1
            time = self._time(row.created_at)
            held.append([row.consumer_id, row.provider, row.resource_class, row.used, position, time])
        consumers = self._connection.execute(
            CONSUMER_ROWS.where(CONSUMERS.c.uuid.in_(HOLDERS.where(window).correlate(None)))
        )
        return {"consumers": [self._consumer(row) for row in consumers], "allocations": held}

    def _whole_tree(self, window: Condition) -> Tree:
        (providers,) = self._trees(window)
        return {"providers": providers, **self._held(window)}

    def _consumer(self, row: Row) -> Entry:
        return {
            "uuid": row.uuid,
            "generation": row.generation,
            "project_id": [row.project],
            "user_id": [row.user],
            "type": [row.type] if row.type else [],
        } | self._times(row)

    def _times(self, row: Row) -> dict[str, str]:
        return {
            "created_at": self._time(row.created_at),
            "updated_at": self._time(row.updated_at or row.created_at),
        }

    def _time(self, value: datetime | None) -> str:
        return (value.replace(tzinfo=UTC) if value else self._now).isoformat()


def _grouped(rows: Iterable[Row]) -> dict[int, list[str]]:
    groups = defaultdict(list)
    for number, name in rows:
        groups[number].append(name)
    return groups
