"""Retries of writes, without a database."""

from collections.abc import Callable
from typing import Self

import pytest
from neo4j.exceptions import ClientError, ConstraintError, Neo4jError, TransientError

from graphplace.errors import ConcurrentUpdateError, StoreUnavailableError
from graphplace.graph.database import GONE, ROUNDS, Database, StaleReadError, Transaction


class Driver:
    """A driver, its session and its transaction in one; it counts what was committed."""

    committed = 0

    def session(self, **_: object) -> Self:
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def begin_transaction(self) -> Self:
        return self

    def run(self, *_: object) -> None:
        raise AssertionError("The work of these tests runs no statement.")

    def commit(self) -> None:
        self.committed += 1


def failing(*failures: Exception) -> Callable[[Transaction], str]:
    """Work that fails so, once each, and then is done."""
    left = list(failures)

    def work(_tx: Transaction) -> str:
        if left:
            raise left.pop()
        return "done"

    return work


def neo4j_error(code: str) -> Neo4jError:
    return Neo4jError._hydrate_neo4j(code=code, message="on purpose")  # noqa: SLF001  # nothing public makes one


@pytest.mark.parametrize("failure", [ConstraintError(), StaleReadError(), neo4j_error(GONE), TransientError()])
def test_a_lost_race_is_run_again(failure: Exception) -> None:
    driver = Driver()
    database = Database(driver, "neo4j")  # type: ignore[arg-type]  # a double

    assert database.write(failing(failure)) == "done"
    assert driver.committed == 1


def test_races_are_not_run_for_ever() -> None:
    driver = Driver()
    database = Database(driver, "neo4j")  # type: ignore[arg-type]  # a double

    with pytest.raises(ConcurrentUpdateError, match="being changed by others"):
        database.write(failing(*[ConstraintError()] * ROUNDS))
    assert driver.committed == 0


def test_what_fails_for_good_is_not_run_again() -> None:
    database = Database(Driver(), "neo4j")  # type: ignore[arg-type]  # a double

    with pytest.raises(ClientError):
        database.write(failing(neo4j_error("Neo.ClientError.Statement.SyntaxError")))


@pytest.mark.parametrize("kind", ["MemoryPoolOutOfMemoryError", "TransactionOutOfMemoryError", "OutOfMemoryError"])
def test_too_little_memory_is_not_called_a_race(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphplace.graph.database.RETRY_SECONDS", 0)
    database = Database(Driver(), "neo4j")  # type: ignore[arg-type]  # a double

    with pytest.raises(StoreUnavailableError, match=r"not enough memory.*GRAPHPLACE_NEO4J_HEAP"):
        database.write(failing(neo4j_error(f"Neo.TransientError.General.{kind}")))
