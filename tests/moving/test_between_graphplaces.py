"""graphplace push to another graphplace, on a Neo4j of its own, and graphplace import from it."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from random import Random

import pytest
from commands import Command
from graphplace.api import create_app
from http_server import serving
from moving.clouds import document
from moving.conftest import FEW_TREES, TOKEN
from moving.dumps import UNTOLD, dumped
from neo4j_server import managed

from graphplace.check import check
from graphplace.graph import schema
from graphplace.graph.database import Database
from graphplace.loading import load, read_cloud
from graphplace.settings import Settings


@dataclass(frozen=True)
class Other:
    """A graphplace that is served at ``url``, over ``database``."""

    url: str
    database: Database


@pytest.fixture(scope="module")
def other() -> Iterator[Other]:
    """An empty one."""
    with managed() as settings, closing(Database.connect(settings)) as database:
        schema.initialise(database)
        with serving(create_app(database, Settings())) as port:
            yield Other(f"http://127.0.0.1:{port}", database)


def test_a_cloud_goes_there_and_comes_back(
    other: Other, graphplace: Command, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    load(database, read_cloud(document(FEW_TREES, Random(2))))  # noqa: S311  # no secret
    push = ("push", "--to", other.url, "--connections", "16")
    first = graphplace(*push, env=TOKEN)
    assert first.exit_code == 0, first.output
    assert "6 trees: 6 written. 6 consumers: 6 written." in first.output
    assert "Verified: the counts are the same, and so are 6 trees." in first.output
    here = dumped(database, "generation", *UNTOLD)
    assert dumped(other.database, "generation", *UNTOLD) == here
    assert list(check(other.database)) == []

    again = graphplace(*push, env=TOKEN)
    assert "6 trees: 0 written. 6 consumers: 0 written." in again.output

    schema.wipe(database)
    back = graphplace("import", "--from", other.url, "--connections", "16", env=TOKEN)
    assert back.exit_code == 0, back.output
    assert dumped(database, *UNTOLD) == dumped(other.database, *UNTOLD), "generations are those of the other"
    assert list(check(database)) == []
    assert "Connection pool is full" not in caplog.text
