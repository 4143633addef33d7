"""The Neo4j that the tests run against."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from graphplace.settings import Settings


@contextmanager
def neo4j_server() -> Iterator[Settings]:
    """Yield the settings of the Neo4j at the address GRAPHPLACE_TEST_NEO4J."""
    yield Settings(
        neo4j_uri=os.environ["GRAPHPLACE_TEST_NEO4J"],
        neo4j_user=os.environ.get("GRAPHPLACE_TEST_NEO4J_USER", "neo4j"),
        neo4j_password=os.environ.get("GRAPHPLACE_TEST_NEO4J_PASSWORD", ""),
    )
