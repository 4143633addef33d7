"""Neo4j ends a transaction at any point of any write: it is tried again, and what is there then is exact."""

from collections.abc import Callable, Iterator
from typing import Any, Self

import neo4j
import pytest
from claims import load
from each_write import CASES, CLOUD, PREVIEWS, name_of, send
from flask.testing import FlaskClient
from graph import stored
from graphplace.api import create_app
from graphplace.api.routes import ROUTES
from graphplace.cypher import Statement
from neo4j.exceptions import IncompleteCommit, Neo4jError

from graphplace.graph.database import Database
from graphplace.graph.schema import initialise
from graphplace.settings import Settings

CLEAR = """
MATCH (n) WHERE NOT n:Migration AND (NOT (n:Trait OR n:ResourceClass) OR n.name STARTS WITH 'CUSTOM_')
DETACH DELETE n
"""


class Faults:
    """A driver whose transactions can fail: the one at hand fails at its statement or commit number ``fails_at``."""

    def __init__(self, driver: neo4j.Driver) -> None:
        self._driver = driver
        self.points = 0
        self.fails_at = -1
        # What a commit does beside failing: nothing, or what a commit does before the connection is lost.
        self.loses_commit: Callable[[neo4j.Transaction], None] | None = None

    def pass_point(self) -> None:
        self.points += 1
        if self.points == self.fails_at:
            code = "Neo.TransientError.Transaction.DeadlockDetected"
            raise Neo4jError._hydrate_neo4j(code=code, message="on purpose")  # noqa: SLF001  # nothing public makes one

    def session(self, **given: Any) -> "Session":
        return Session(self, self._driver.session(**given))

    def close(self) -> None:
        self._driver.close()


class Session:
    """A session of :class:`Faults`."""

    def __init__(self, faults: Faults, session: neo4j.Session) -> None:
        self._faults, self._session = faults, session

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._session.close()

    def begin_transaction(self) -> "Failing":
        return Failing(self._faults, self._session.begin_transaction())

    def run(self, query: neo4j.Query, *parameters: dict[str, Any], **given: Any) -> neo4j.Result:
        self._faults.pass_point()
        return self._session.run(query, *parameters, **given)


class Failing:
    """A transaction of :class:`Faults`: it may fail before each statement, and so after each one, and at its commit."""

    def __init__(self, faults: Faults, transaction: neo4j.Transaction) -> None:
        self._faults, self._transaction = faults, transaction
        self._writes = False

    def run(self, text: str, given: dict[str, Any]) -> list[neo4j.Record]:
        self._faults.pass_point()
        result = self._transaction.run(text, given=given)  # type: ignore[arg-type]  # as the engine does
        rows = list(result)
        self._writes |= result.consume().counters.contains_updates
        return rows

    def commit(self) -> None:
        self._faults.pass_point()
        if self._writes and self._faults.loses_commit:
            self._faults.loses_commit(self._transaction)
            raise IncompleteCommit("on purpose")
        self._transaction.commit()


@pytest.fixture
def faults(neo4j_settings: Settings) -> Iterator[Faults]:
    auth = (neo4j_settings.neo4j_user, neo4j_settings.neo4j_password)
    with neo4j.GraphDatabase.driver(str(neo4j_settings.neo4j_uri), auth=auth) as driver:
        yield Faults(driver)


@pytest.fixture
def faulty(faults: Faults, client: FlaskClient, neo4j_settings: Settings) -> FlaskClient:
    """A client of an API whose transactions fail as *faults* says."""
    database = Database(faults, neo4j_settings.neo4j_database)  # type: ignore[arg-type]  # a double
    found = create_app(database).test_client()
    found.environ_base = client.environ_base
    return found


def begin(client: FlaskClient, database: Database) -> None:
    """Make the graph what it is before a case."""
    database.write(lambda tx: tx.run(Statement("test.clear", CLEAR, frozenset(), ())))
    load(client, CLOUD)
    client.put("/traits/CUSTOM_UNUSED")
    client.put("/resource_classes/CUSTOM_UNUSED")


def test_every_route_that_writes_has_a_case() -> None:
    writing = {name_of(route) for routes in ROUTES.values() for route in routes if route.method != "GET"}
    assert writing == CASES.keys() | PREVIEWS.keys()


@pytest.mark.parametrize("name", CASES)
def test_a_write_that_fails_is_done_exactly_once(
    client: FlaskClient, faulty: FlaskClient, faults: Faults, database: Database, name: str
) -> None:
    case = CASES[name]
    begin(client, database)
    before, faults.points = stored(database), 0
    assert send(faulty, case).status_code == case.status
    after, points = stored(database), faults.points
    assert before != after
    for point in range(1, points + 1):
        begin(client, database)
        faults.points, faults.fails_at = 0, point
        answer = send(faulty, case)
        assert answer.status_code == case.status, answer.text
        assert faults.points > points
        assert stored(database) == after


def test_the_schema_is_made_though_others_are_in_the_way(faults: Faults, neo4j_settings: Settings) -> None:
    """As when a server and a load begin on one empty database."""
    database = Database(faults, neo4j_settings.neo4j_database)  # type: ignore[arg-type]  # a double
    initialise(database)
    points = faults.points
    for point in range(1, points + 1):
        faults.points, faults.fails_at = 0, point
        assert initialise(database) == []
        assert faults.points > points


@pytest.mark.parametrize("name", CASES)
def test_a_commit_whose_answer_is_lost_is_said_to_be_uncertain(
    client: FlaskClient, faulty: FlaskClient, faults: Faults, database: Database, name: str
) -> None:
    case = CASES[name]
    begin(client, database)
    before = stored(database)
    faults.loses_commit = neo4j.Transaction.rollback
    assert "may have been done or not" in send(faulty, case).text
    assert stored(database) == before

    faults.loses_commit = neo4j.Transaction.commit
    answer = send(faulty, case)
    assert answer.status_code == 503
    assert "may have been done or not" in answer.text
    assert stored(database) != before
