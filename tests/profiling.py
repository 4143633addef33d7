"""What Neo4j reads for each statement, counted by Neo4j."""

from typing import Any, Self

import neo4j

from graphplace.graph.database import Database


class Profiling:
    """A driver that lets Neo4j count what each statement reads, and commits nothing."""

    def __init__(self, driver: neo4j.Driver) -> None:
        self._driver = driver
        self.reads: list[int] = []

    def database(self, name: str) -> Database:
        """The database *name* behind the driver, to whose statements this listens."""
        return Database(self, name)  # type: ignore[arg-type]  # a double

    def session(self, **given: Any) -> "Session":
        return Session(self, self._driver.session(**given))

    def counted(self, result: neo4j.Result) -> list[neo4j.Record]:
        rows = list(result)
        profile = result.consume().profile
        assert profile is not None
        self.reads.append(hits(profile))
        return rows


class Session:
    """A session of :class:`Profiling`."""

    def __init__(self, profiling: Profiling, session: neo4j.Session) -> None:
        self._profiling, self._session = profiling, session

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._session.close()

    def begin_transaction(self) -> "Profiled":
        return Profiled(self._profiling, self._session.begin_transaction())

    def run(self, query: neo4j.Query, given: dict[str, Any]) -> list[neo4j.Record]:
        return self._profiling.counted(self._session.run(f"PROFILE {query.text}", given=given))


class Profiled:
    """A transaction of :class:`Profiling`."""

    def __init__(self, profiling: Profiling, transaction: neo4j.Transaction) -> None:
        self._profiling, self._transaction = profiling, transaction

    def run(self, text: str, given: dict[str, Any]) -> list[neo4j.Record]:
        return self._profiling.counted(self._transaction.run(f"PROFILE {text}", given=given))

    def commit(self) -> None:
        self._transaction.rollback()

    def rollback(self) -> None:
        self._transaction.rollback()


def hits(plan: dict[str, Any]) -> int:
    return int(plan["args"].get("DbHits", 0)) + sum(hits(child) for child in plan.get("children", []))
