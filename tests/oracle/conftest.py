"""The graph that random clouds are written into, and how they are drawn."""

from collections.abc import Iterator

import pytest
from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, HypothesisProvider
from oracle.clouds import CLASSES, TRAITS
from oracle.graph import NAMES

from graphplace.graph import schema
from graphplace.graph.database import Database

# The backend of Hypothesis itself, under another name. Under its own it follows each example by several variations of
# it: of 3,200 pairs of a cloud and a request 1,700 differed, and of the requests a third. Here 2,990 of 3,000 differ.
INDEPENDENT = "graphplace-independent"


@pytest.fixture(scope="session")
def backend() -> str:
    """The name of a backend of Hypothesis that draws each example anew."""
    AVAILABLE_PROVIDERS[INDEPENDENT] = HypothesisProvider
    return INDEPENDENT


@pytest.fixture(scope="module")
def named(connected: Database) -> Iterator[Database]:
    """A graph in which the names that the clouds use exist."""
    schema.wipe(connected)
    connected.write(lambda tx: tx.run(NAMES, classes=CLASSES, traits=TRAITS))
    yield connected
    schema.wipe(connected)
