"""Writing at the worst moment: between two statements of somebody else."""

from collections.abc import Callable
from threading import Thread
from typing import Any

import neo4j
import pytest
from graphplace.cypher import Statement
from neo4j import Record

from graphplace.graph.database import Transaction


def write_between(
    monkeypatch: pytest.MonkeyPatch, name: str, write: Callable[[], object], times: int = 1
) -> Callable[[], int]:
    """Let *write* happen after the statement *name* has been run; return how often that statement was run."""
    run, reads = Transaction.run, 0

    def writing(self: Transaction, statement: Statement, /, **parameters: Any) -> list[Record]:
        nonlocal reads
        rows = run(self, statement, **parameters)
        if statement.name == name:
            reads += 1
            if reads <= times:
                write()
        return rows

    monkeypatch.setattr(Transaction, "run", writing)
    return lambda: reads


def begin(driver: neo4j.Driver, write: Callable[[], object]) -> Thread:
    """Begin *write* in a thread of its own, and return that when it is at its end or waits for a lock."""
    thread = Thread(target=write)
    thread.start()
    blocked = "SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN count(*) AS count"
    while thread.is_alive() and not driver.execute_query(blocked).records[0]["count"]:
        pass
    return thread
