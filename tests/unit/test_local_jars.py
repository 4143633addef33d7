"""The cache of jars: filled once, checked by sha256, resumed, and clear about what goes wrong."""

import errno
import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from graphplace.errors import LocalNeo4jError
from graphplace.graph.local import jars

CONTENTS = {"alpha": b"alpha's classes", "beta": b"beta's classes", "neo4j": b"neo4j's classes"}


class Repository:
    """Stands for Maven Central: serves CONTENTS, and remembers what was asked for."""

    def __init__(self) -> None:
        self.contents = dict(CONTENTS)
        self.asked: list[str] = []
        self.failure: Exception | None = None

    def fetch(self, jar: jars.Jar, work: Path, advance: Callable[[int], None]) -> Path:
        self.asked.append(jar.artifact)
        if self.failure is not None:
            raise self.failure
        path = work / jar.file_name
        path.write_bytes(self.contents[jar.artifact])
        advance(jar.size)
        return path


@pytest.fixture
def repository() -> Repository:
    return Repository()


@pytest.fixture(autouse=True)
def small_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(
        f"org.example:{name}:1.0 {len(content)} {hashlib.sha256(content).hexdigest()}\n"
        for name, content in CONTENTS.items()
    )
    monkeypatch.setattr(jars, "locked_text", lambda: text)
    monkeypatch.setattr(jars, "locked_jars", lambda: tuple(map(jars.Jar.parse, text.splitlines())))


def test_fills_the_cache_once(tmp_path: Path, repository: Repository) -> None:
    jars.ensure(tmp_path, fetch=repository.fetch)
    jars.ensure(tmp_path, fetch=repository.fetch)
    assert sorted(repository.asked) == ["alpha", "beta", "neo4j"]
    assert [Path(path).read_bytes() for path in jars.class_path(tmp_path)] == list(CONTENTS.values())
    assert jars.is_complete(tmp_path)


def test_a_copied_cache_needs_no_network(tmp_path: Path, repository: Repository) -> None:
    jars.ensure(tmp_path / "there", fetch=repository.fetch)
    (tmp_path / "there").rename(tmp_path / "here")
    repository.failure = AssertionError("asked for a jar that is there")
    jars.ensure(tmp_path / "here", fetch=repository.fetch)


def test_an_interrupted_run_is_resumed(tmp_path: Path, repository: Repository) -> None:
    jars.ensure(tmp_path, fetch=repository.fetch)
    target = jars.folder(tmp_path)
    (target / jars.STAMP_NAME).unlink()
    (target / "beta-1.0.jar").unlink()
    (target / "part-left-over").mkdir()
    repository.asked.clear()
    jars.ensure(tmp_path, fetch=repository.fetch)
    assert repository.asked == ["beta"]
    assert not (target / "part-left-over").exists()


@pytest.mark.parametrize("damage", [b"beta's", b"BETA'S CLASSES", b""])
def test_a_damaged_jar_without_a_stamp_is_fetched_again(tmp_path: Path, repository: Repository, damage: bytes) -> None:
    jars.ensure(tmp_path, fetch=repository.fetch)
    target = jars.folder(tmp_path)
    (target / jars.STAMP_NAME).unlink()
    (target / "beta-1.0.jar").write_bytes(damage)
    jars.ensure(tmp_path, fetch=repository.fetch)
    assert (target / "beta-1.0.jar").read_bytes() == CONTENTS["beta"]


def test_a_truncated_jar_is_noticed_in_spite_of_the_stamp(tmp_path: Path, repository: Repository) -> None:
    jars.ensure(tmp_path, fetch=repository.fetch)
    (jars.folder(tmp_path) / "beta-1.0.jar").write_bytes(b"beta")
    assert not jars.is_complete(tmp_path)


def test_another_lock_does_not_trust_the_stamp(
    tmp_path: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    jars.ensure(tmp_path, fetch=repository.fetch)
    monkeypatch.setattr(jars, "locked_text", lambda: "another")
    assert not jars.is_complete(tmp_path)


def test_a_wrong_checksum_names_the_jar_and_both_sums(tmp_path: Path, repository: Repository) -> None:
    repository.contents["beta"] = b"something else"
    found = hashlib.sha256(b"something else").hexdigest()
    expected = hashlib.sha256(CONTENTS["beta"]).hexdigest()
    with pytest.raises(LocalNeo4jError, match=f"org.example:beta:1.0 .* {found}, expected {expected}.*_NEO4J_URI"):
        jars.ensure(tmp_path, fetch=repository.fetch)
    assert not (jars.folder(tmp_path) / "beta-1.0.jar").exists()
    assert not jars.is_complete(tmp_path)


def test_a_full_disk_is_named(tmp_path: Path, repository: Repository) -> None:
    repository.failure = OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(LocalNeo4jError, match=r"its disk is full.*GRAPHPLACE_CACHE_DIR"):
        jars.ensure(tmp_path, fetch=repository.fetch)


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path, repository: Repository) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LocalNeo4jError, match=f"Cannot keep the jars of Neo4j in {tmp_path}/file"):
        jars.ensure(tmp_path / "file", fetch=repository.fetch)
