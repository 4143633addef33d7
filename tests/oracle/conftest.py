"""The graph that random clouds are written into."""

from collections.abc import Iterator

import pytest
from oracle.clouds import CLASSES, TRAITS
from oracle.graph import NAMES

from graphplace.graph import schema
from graphplace.graph.database import Database


@pytest.fixture(scope="module")
def named(connected: Database) -> Iterator[Database]:
    """A graph in which the names that the clouds use exist."""
    schema.wipe(connected)
    connected.write(lambda tx: tx.run(NAMES, classes=CLASSES, traits=TRAITS))
    yield connected
    schema.wipe(connected)
