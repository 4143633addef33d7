"""The Neo4j that the tests run against: GRAPHPLACE_TEST_NEO4J is local (the default), docker, or a Bolt URI.

With a URI, GRAPHPLACE_TEST_NEO4J_USER and GRAPHPLACE_TEST_NEO4J_PASSWORD say who logs in.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from testcontainers.community.neo4j import Neo4jContainer

from graphplace.graph import local
from graphplace.settings import Settings

IMAGE = "neo4j:5.26-community"


def neo4j_server() -> AbstractContextManager[Settings]:
    """The settings of a Neo4j that runs as long as the context."""
    choice = os.environ.get("GRAPHPLACE_TEST_NEO4J", "local")
    return {"local": managed, "docker": _in_docker}.get(choice, _at_uri)()


@contextmanager
def managed() -> Iterator[Settings]:
    """One on an empty data folder; its jars come from the user's cache."""
    with tempfile.TemporaryDirectory(prefix="graphplace-") as folder:
        settings = Settings(data_dir=Path(folder), cache_dir=Settings.load().cache_dir)
        with local.start(settings, detached=False, fast_start=True, progress=local.Progress()) as found:
            yield found.connect_to(settings)


@contextmanager
def _in_docker() -> Iterator[Settings]:
    with Neo4jContainer(IMAGE) as container:
        yield Settings(
            neo4j_uri=container.get_connection_url(),
            neo4j_user=container.username,
            neo4j_password=container.password,
        )


@contextmanager
def _at_uri() -> Iterator[Settings]:
    yield Settings(
        neo4j_uri=os.environ["GRAPHPLACE_TEST_NEO4J"],
        neo4j_user=os.environ.get("GRAPHPLACE_TEST_NEO4J_USER", "neo4j"),
        neo4j_password=os.environ.get("GRAPHPLACE_TEST_NEO4J_PASSWORD", ""),
    )
