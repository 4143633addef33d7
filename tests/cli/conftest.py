"""Fixtures of the command line's tests."""

import pytest
from commands import Command

from graphplace.graph.database import Database
from graphplace.settings import Settings


@pytest.fixture
def graphplace(neo4j_settings: Settings, database: Database) -> Command:  # the graph is to be empty
    """The command, on the empty graph of the test."""
    return Command(neo4j_settings)
