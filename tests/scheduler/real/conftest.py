"""The real Placement in place of graphplace's API, an empty one for each test. Hosts and cells are in the graph."""

from collections.abc import Iterable

import pytest
from claims import load
from graphplace.api import create_app
from real_placement import client, wire
from scheduling import Clouds

from graphplace.graph.database import Database
from graphplace.settings import Settings

__all__ = ["client", "wire"]


@pytest.fixture
def cloud(cloud: Clouds, database: Database) -> Clouds:
    """Load a cloud into both, as its hosts stand for root providers in the graph."""

    def make(text: str, **others: Iterable[str]) -> None:
        load(create_app(database, Settings()).test_client(), text)
        cloud(text, **others)

    return make
