"""graphplace import that is interrupted, or refused."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from threading import Event, Lock
from typing import Any

import pytest
from cloud import uuid_of
from commands import Command
from graph import look
from graphplace.cypher import statement
from http_server import serving
from moving.conftest import FEW_TREES, TOKEN, pushed
from moving.dumps import dumped
from moving.peer import Peer
from werkzeug import Response
from wire import CrashError

from graphplace.check import check
from graphplace.cli.serve import environment
from graphplace.dumping.lines import Tree
from graphplace.errors import BadRequestError, ConflictError
from graphplace.graph import schema
from graphplace.graph.database import Database, Transaction
from graphplace.loading import restart, restore
from graphplace.moving import Progress, take_over
from graphplace.moving.placement_database import placement_database
from graphplace.moving.take_over import lines_of


@pytest.fixture(scope="module")
def placement(connected: Database, graphplace: Command) -> Iterator[Peer]:
    """A small Placement that nobody changes."""
    with pushed(connected, graphplace, FEW_TREES) as running:
        yield running


def test_a_dry_run_writes_nothing(placement: Peer, file: str, graphplace: Command, database: Database) -> None:
    for url in (file, placement.url):
        told = graphplace("import", "--from", url, "--dry-run", env=TOKEN | {"GRAPHPLACE_NEO4J_URI": "bolt://nowhere"})
        assert told.exit_code == 0, told.output
        assert "allocations can be taken over" in told.output
    assert graphplace("import", "--from", file, "--only-verify").exit_code == 1


# The schema's two come first.
DIES_AFTER = 2
SMALL_BATCHES = """
import graphplace.loading.batches, graphplace.moving.placement_api
graphplace.loading.batches.ENTRIES_AT_ONCE = 5
graphplace.moving.placement_api.AT_ONCE = 1
from graphplace.cli import main
main()
"""


@pytest.mark.parametrize("when", ["among the trees", "among the consumers"])
def test_an_import_that_is_killed_is_run_again(
    placement: Peer, file: str, graphplace: Command, database: Database, when: str
) -> None:
    """It dies while it waits for the last tree, or the last consumer."""
    providers = placement.send("GET", "/resource_providers").json["resource_providers"]
    *_, last = [one["uuid"] for one in providers if one["parent_provider_uuid"] is None]
    last_path = f"/resource_providers/{last}/traits"
    if when == "among the consumers":
        last_path = f"/allocations/{max(uuid_of(f'consumer{number}') for number in range(2 * FEW_TREES))}"
    reached, go_on = Event(), Event()

    def hold_up(path: str) -> None:
        if path == last_path:
            reached.set()
            go_on.wait()

    placement.served.before = hold_up
    command = [sys.executable, "-c", SMALL_BATCHES, "import", "--from", placement.url]
    process = subprocess.Popen(command, env=environment(graphplace.settings) | TOKEN)  # noqa: S603  # made here
    try:
        assert reached.wait(60)
        while not look(database, "MATCH (r:Restoration) RETURN r"):
            assert process.poll() is None
    finally:
        process.kill()
        process.wait()
        go_on.set()
        placement.served.before = lambda _path: None

    assert "run it again with --restart" in graphplace("check").output
    refused = graphplace("import", "--from", file)
    assert refused.exit_code == 1
    assert "Start again with --restart" in refused.stderr
    again = graphplace("import", "--from", file, "--restart")
    assert again.exit_code == 0, again.output
    assert list(check(database)) == []


def test_an_import_that_died_after_any_transaction_is_run_again(
    placement: Peer, file: str, graphplace: Command, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it had written, the next one ends with the same graph as one that nothing happens to."""
    monkeypatch.setattr("graphplace.loading.batches.ENTRIES_AT_ONCE", 8)
    assert graphplace("import", "--from", file).exit_code == 0
    whole = dumped(database)
    for transactions in count(DIES_AFTER):
        schema.wipe(database)
        try:
            with dying(monkeypatch, transactions):
                graphplace("import", "--from", file)
        except CrashError:
            again = graphplace("import", "--from", file, "--restart")
            assert again.exit_code == 0, again.output
            assert dumped(database) == whole
        else:
            break
    assert transactions > DIES_AFTER + 2

    refused = graphplace("import", "--from", file, "--restart")
    assert refused.exit_code == 1
    assert "holds providers or consumers" in refused.stderr
    assert dumped(database) == whole, "what is whole is never emptied"
    assert graphplace("import", "--from", file, "--only-verify").exit_code == 0


@contextmanager
def dying(monkeypatch: pytest.MonkeyPatch, transactions: int) -> Iterator[None]:
    """Let no thread of this process write any more after so many transactions, as long as the block."""
    left, lock, write = [None] * transactions, Lock(), Database.write

    def last_words(self: Database, work: Callable[[Transaction], Any]) -> Any:
        with lock:
            if not left:
                raise CrashError
            left.pop()
        return write(self, work)

    with monkeypatch.context() as patch:
        patch.setattr(Database, "write", last_words)
        yield


def test_a_filling_whose_graph_is_emptied_meanwhile_fails(
    file: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphplace.loading.batches.ENTRIES_AT_ONCE", 5)
    with placement_database(file) as source:
        parts = list(source.parts(lambda *_: None))

        def emptying(_progress: Progress) -> Iterator[Tree]:
            for part in parts:
                if part["consumers"]:
                    schema.wipe(database)
                yield part

        monkeypatch.setattr(source, "parts", emptying)
        with pytest.raises(ConflictError, match="emptied meanwhile"):
            take_over(database, source)


def test_a_wipe_that_is_broken_off_leaves_the_mark(
    file: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphplace.loading.batches.ENTRIES_AT_ONCE", 5)
    with placement_database(file) as source, pytest.raises(BadRequestError):
        restore(database, list(lines_of(source, lambda *_: None))[:-1])
    while database.write(lambda tx: tx.run(statement("schema.delete_batch"), batch=1000))[0]["deleted"]:
        assert [one.check for one in check(database)][:1] == ["load"]

    assert restart(database)
    assert not restart(database)
    assert list(check(database)) == []


TWICE = """
INSERT INTO allocations (resource_provider_id, consumer_id, resource_class_id, used)
SELECT resource_provider_id, consumer_id, resource_class_id, used FROM allocations LIMIT 1
"""
BROKEN = {
    "no project": ("DELETE FROM projects", "consumers of which no project and user are known"),
    "no inventory": ("DELETE FROM inventories WHERE total = 64", "something of which there is no inventory"),
    "no root": ("UPDATE resource_providers SET root_provider_id = NULL", "providers without a root or a name"),
    "twice": (TWICE, "consumers that hold one class of one provider twice"),
    "no table": ("DROP TABLE allocations", "no such table: allocations"),
    "a name": ("UPDATE traits SET name = 'custom_one' WHERE name = 'CUSTOM_ONE'", "custom_one"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_taken_over_is_named(file: str, graphplace: Command, database: Database, name: str) -> None:
    change, words = BROKEN[name]
    with sqlite3.connect(file.removeprefix("sqlite:///")) as tables:
        tables.execute(change)
    tables.close()
    refused = graphplace("import", "--from", file)
    assert refused.exit_code == 1
    assert words in refused.stderr
    assert not look(database, "MATCH (p:ResourceProvider) RETURN p LIMIT 1")


URLS = {
    "sqlite:////nowhere/placement.sqlite": "unable to open database file",
    "placement.sqlite": "neither the URL of an API nor one of SQLAlchemy",
    "oracle://user:secret@db/placement": "MariaDB, MySQL, PostgreSQL or SQLite",
    "mysql+nothing://user:secret@db/placement": "install the driver",
}


@pytest.mark.parametrize("url", URLS)
def test_what_cannot_be_opened_is_named(graphplace: Command, url: str) -> None:
    refused = graphplace("import", "--from", url)
    assert refused.exit_code == 1
    assert URLS[url] in refused.stderr
    assert "secret" not in refused.stderr


def test_another_service_is_no_placement(graphplace: Command) -> None:
    """Keystone's answer to GET /."""
    with serving(Response('{"versions": {"values": []}}', mimetype="application/json")) as port:
        told = graphplace("import", "--from", f"http://127.0.0.1:{port}", "--dry-run")
    assert (told.exit_code, told.stderr.startswith("Error: This is no Placement")) == (1, True), told.output


def test_a_token_is_needed(placement: Peer, graphplace: Command) -> None:
    assert "refused with 403" in graphplace("import", "--from", placement.url, "--dry-run").stderr
    told = graphplace("push", "--to", placement.url, env={"OS_AUTH_TYPE": "nothing"})
    assert told.stderr.startswith("Error: OS_AUTH_TYPE=nothing: ")
