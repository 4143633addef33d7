"""A Neo4j of its own for tests that stop it, and the server as a process."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from processes import Server, free_port, serving

from graphplace.graph import local
from graphplace.settings import Settings


@pytest.fixture
def own_settings(tmp_path: Path) -> Settings:
    """The settings of a managed Neo4j that only this test uses; its jars come from the user's cache."""
    return replace(Settings.load({}), cache_dir=Settings.load().cache_dir, data_dir=tmp_path, neo4j_port=free_port())


@pytest.fixture
def own_neo4j(own_settings: Settings) -> Iterator[local.LocalNeo4j]:
    """A managed Neo4j that the test may stop."""
    with local.start(own_settings, detached=False, fast_start=True) as found:
        yield found


@pytest.fixture
def server(own_settings: Settings) -> Iterator[Server]:
    """``graphplace serve`` with a managed Neo4j."""
    environment = {
        "GRAPHPLACE_DATA_DIR": str(own_settings.data_dir),
        "GRAPHPLACE_CACHE_DIR": str(own_settings.cache_dir),
    }
    with serving(environment) as found:
        yield found
