"""A real Placement with a cloud that was pushed to it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from commands import Command
from moving.clouds import document
from moving.peer import Peer, peer

from graphplace.graph import schema
from graphplace.graph.database import Database
from graphplace.loading import load, read_cloud
from graphplace.settings import Settings

# About four providers each.
TREES, FEW_TREES = 30, 3
TOKEN = {"OS_TOKEN": "admin"}


@contextmanager
def pushed(database: Database, graphplace: Command, trees: int) -> Iterator[Peer]:
    """Load a random cloud, and run a Placement to which it was pushed as long as the block."""
    schema.wipe(database)
    load(database, read_cloud(document(trees, Random(1))))  # noqa: S311  # no secret
    with peer() as running:
        told = graphplace("push", "--to", running.url, "--verify", "5", env=TOKEN)
        assert told.exit_code == 0, told.output
        yield running


@pytest.fixture(scope="module")
def graphplace(neo4j_settings: Settings) -> Command:
    """The command, on the graph of the test."""
    return Command(neo4j_settings)


@pytest.fixture
def file(placement: Peer, tmp_path: Path) -> str:
    """The URL of a copy of the database of the module's Placement."""
    return placement.file(tmp_path / "placement.sqlite")
