"""A Neo4j of its own for tests that stop it, and the server as a process."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from processes import Server, free_port

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
    """``graphplace serve`` with a managed Neo4j, once it says that it serves."""
    port = free_port()
    environment = {
        "GRAPHPLACE_DATA_DIR": str(own_settings.data_dir),
        "GRAPHPLACE_CACHE_DIR": str(own_settings.cache_dir),
    }
    command = [sys.executable, "-m", "graphplace.cli", "serve", f"--port={port}", "--workers=2"]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)  # noqa: S603  # see above
    with process:
        assert process.stderr is not None
        assert "Serving the Placement API" in process.stderr.readline()
        yield Server(process, port)
        process.terminate()
