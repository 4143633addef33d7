"""Data folders for Neo4j processes that these tests start, kill and start again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphplace.graph import local
from graphplace.settings import Settings


@pytest.fixture
def local_settings(tmp_path: Path) -> Iterator[Settings]:
    """Settings with an empty data folder and the user's cache; what a test leaves running is stopped."""
    settings = Settings(data_dir=tmp_path / "data", cache_dir=Settings.load().cache_dir)
    yield settings
    local.stop(settings)
