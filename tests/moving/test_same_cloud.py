"""graphplace import: what is moved in is what the real Placement has, whichever way it came."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from commands import Command
from differential.candidates import candidates
from differential.session import Session
from differential.words import NAMES
from graph import look
from graphplace.api import create_app
from moving.conftest import TOKEN, TREES, pushed
from moving.dumps import UNTOLD, dumped
from moving.peer import Peer

from graphplace.check import check
from graphplace.graph import schema
from graphplace.graph.database import Database

REQUESTS = 60


@pytest.fixture(scope="module")
def placement(connected: Database, graphplace: Command) -> Iterator[Peer]:
    """A Placement with some hundred providers, which nobody changes."""
    with pushed(connected, graphplace, TREES) as running:
        yield running


def test_it_is_the_same_cloud_whichever_way_it_came(
    placement: Peer, file: str, graphplace: Command, database: Database
) -> None:
    straight = graphplace("import", "--from", file, "--verify", "1000")
    assert straight.exit_code == 0, straight.output
    assert "Verified: the counts are the same" in straight.output
    assert list(check(database)) == []
    by_database = dumped(database, *UNTOLD)

    schema.wipe(database)
    over_http = graphplace("import", "--from", placement.url, "--verify", "10", env=TOKEN)
    assert over_http.exit_code == 0, over_http.output
    assert list(check(database)) == []
    assert dumped(database, *UNTOLD) == by_database


def test_both_answer_alike(
    placement: Peer, file: str, graphplace: Command, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert graphplace("import", "--from", file).exit_code == 0
    tally: Counter[str] = Counter()
    session = Session(create_app(database), placement.service, Random(1), tally)  # noqa: S311  # no secret
    providers = session.look("/resource_providers")["resource_providers"]
    monkeypatch.setattr("differential.words.NAMES", NAMES | {one["uuid"]: one["name"] for one in providers})
    for _ in range(REQUESTS):
        session.compare(candidates(session.world))
    assert tally["with candidates"] > REQUESTS / 3
    assert tally["too many to try"] < REQUESTS / 10


def test_generations_and_times_are_those_of_placement(file: str, graphplace: Command, database: Database) -> None:
    assert graphplace("import", "--from", file).exit_code == 0
    with sqlite3.connect(file.removeprefix("sqlite:///")) as tables:
        theirs = {
            label: sorted(tables.execute(f"SELECT uuid, generation, substr(created_at, 1, 19) FROM {table}"))  # noqa: S608  # named here
            for label, table in (("ResourceProvider", "resource_providers"), ("Consumer", "consumers"))
        }
    ours = {
        label: sorted(
            (row["uuid"], row["generation"], row["created"])
            for row in look(
                database,
                "MATCH (n:$($label)) RETURN n.uuid AS uuid, n.generation AS generation,"
                " replace(substring(toString(datetime.truncate('second', n.created_at)), 0, 19), 'T', ' ') AS created",
                label=label,
            )
        )
        for label in theirs
    }
    assert ours == theirs
