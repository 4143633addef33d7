"""A cloud that a scheduler knows the hosts of, and the API over HTTP as the scheduler meets it."""

from collections.abc import Iterable
from random import Random

import pytest
from claims import load
from cloud import uuid_of
from flask.testing import FlaskClient
from scheduling import Clouds
from wire import Wire

from graphplace import hosts
from graphplace.graph.database import Database
from graphplace.scheduler.select import Scheduler
from graphplace.settings import Settings


@pytest.fixture
def scheduler(wire: Wire, database: Database) -> Scheduler:
    """A scheduler that draws the same each time."""
    return Scheduler(database, wire, Settings(), Random(1))  # noqa: S311  # nobody gains by guessing it


@pytest.fixture
def cloud(client: FlaskClient, database: Database) -> Clouds:
    """Load a cloud, and map its hosts to cells: to cell1 all but those named for others."""

    def make(text: str, **others: Iterable[str]) -> None:
        load(client, text)
        for cell in ("cell1", *others):
            hosts.create_cell(database, cell, uuid_of(cell))
        for cell, names in others.items():
            for name in names:
                hosts.map_host(database, name, name, cell=cell, provider=name)
        hosts.discover(database, "cell1")

    return make
