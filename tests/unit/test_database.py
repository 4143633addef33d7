"""Retries of writes, without a database."""

from collections.abc import Callable
from typing import Any, Self

import pytest
from neo4j.exceptions import ConstraintError, Neo4jError, ResultFailedError, TransientError

from graphplace.errors import ConcurrentUpdateError, StoreUnavailableError
from graphplace.graph.database import ROUNDS, Database, StaleReadError


class Session:
    """A session of a driver that fails as it is told to, then does as it should."""

    def __init__(self, failures: list[Exception]) -> None:
        self.failures = failures

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def execute_write(self, work: Callable[[Any], str]) -> str:
        if self.failures:
            raise self.failures.pop()
        return work(None)


class Driver:
    """A driver whose sessions fail as it is told to."""

    def __init__(self, failures: list[Exception]) -> None:
        self.failures = failures

    def session(self, **_: object) -> Session:
        return Session(self.failures)


def failed_result(cause: Exception) -> Exception:
    failure = ResultFailedError(None, "The result has failed.")
    failure.__cause__ = cause
    return failure


def gone() -> Neo4jError:
    return Neo4jError._hydrate_neo4j(code="Neo.ClientError.Statement.EntityNotFound", message="gone")  # noqa: SLF001  # the driver has no public way to make one


def write(*failures: Exception) -> str:
    return Database(Driver(list(failures)), "neo4j").write(lambda _tx: "written")  # type: ignore[arg-type]  # a double


@pytest.mark.parametrize(
    "failure",
    [
        ConstraintError(),
        StaleReadError(),
        gone(),
        failed_result(TransientError()),
        failed_result(ConstraintError()),
    ],
)
def test_a_lost_race_is_run_again(failure: Exception) -> None:
    assert write(failure) == "written"


def test_races_are_not_run_for_ever() -> None:
    with pytest.raises(ConcurrentUpdateError, match="being changed by others"):
        write(*[ConstraintError()] * ROUNDS)


def test_a_result_that_failed_for_good_is_not_run_again() -> None:
    with pytest.raises(StoreUnavailableError):
        write(failed_result(OSError()))
