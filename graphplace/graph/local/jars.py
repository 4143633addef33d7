"""The jars of Neo4j: which ones (``jars.lock``), and how they come into the user's cache.

A line of the lock file is ``group:artifact:version[:classifier] size sha256``. The cache keeps the jars flat in
one folder for each version of Neo4j, with a stamp that is written when every jar is there and checked. A folder
copied from another machine serves as well as one that was filled here.
"""

import fcntl
import hashlib
import shutil
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Self

from graphplace.graph.local import failures
from graphplace.graph.local.progress import Progress

LOCK_NAME = "jars.lock"
STAMP_NAME = "complete"
THREADS = 8


@dataclass(frozen=True)
class Jar:
    """One line of the lock file; ``size`` is in bytes, ``classifier`` empty for most."""

    group: str
    artifact: str
    version: str
    classifier: str
    size: int
    sha256: str

    @classmethod
    def parse(cls, line: str) -> Self:
        """Read one line of the lock file."""
        coordinate, size, sha256 = line.split()
        group, artifact, version, *classifier = coordinate.split(":")
        return cls(group, artifact, version, "".join(classifier), int(size), sha256)

    @property
    def coordinate(self) -> str:
        """``group:artifact:version[:classifier]``, as the lock file has it."""
        return ":".join(filter(None, (self.group, self.artifact, self.version, self.classifier)))

    @property
    def file_name(self) -> str:
        """Its name in the cache; no two jars of the lock share one."""
        return "-".join(filter(None, (self.artifact, self.version, self.classifier))) + ".jar"


# Takes a jar, a folder to work in and a function to call with each number of bytes; returns the file fetched.
# Raises LocalNeo4jError when it cannot be had.
Fetch = Callable[[Jar, Path, Callable[[int], None]], Path]


@cache
def locked_text() -> str:
    """Return the lock file that this package carries."""
    return resources.files(__package__).joinpath(LOCK_NAME).read_text()


@cache
def locked_jars() -> tuple[Jar, ...]:
    """Return the jars that the lock file names, in its order."""
    return tuple(map(Jar.parse, locked_text().splitlines()))


def neo4j_version() -> str:
    """Return the version of Neo4j that the lock file is for."""
    return next(jar.version for jar in locked_jars() if jar.artifact == "neo4j")


def total_size() -> int:
    """Return how many bytes all jars take."""
    return sum(jar.size for jar in locked_jars())


def folder(cache_dir: Path) -> Path:
    """Where the jars lie under the user's *cache_dir*."""
    return cache_dir / f"neo4j-{neo4j_version()}"


def class_path(cache_dir: Path) -> list[str]:
    """Return the paths of all jars, in the order of the lock file."""
    return [str(folder(cache_dir) / jar.file_name) for jar in locked_jars()]


def is_complete(cache_dir: Path) -> bool:
    """Whether every jar was checked once and still has its size. Reads no jar, so it takes milliseconds."""
    target = folder(cache_dir)
    stamp = target / STAMP_NAME
    if not stamp.exists() or stamp.read_text() != _stamp():
        return False
    return all(_has_size(target / jar.file_name, jar.size) for jar in locked_jars())


def ensure(cache_dir: Path, progress: Progress | None = None, fetch: Fetch | None = None) -> None:
    """Make sure that every jar is in the cache, whole and with the sha256 of the lock file.

    Fetches what is missing; what an interrupted run left is kept and checked. Raises LocalNeo4jError when a jar
    cannot be fetched or stored, or is not the one that the lock file names.
    """
    if is_complete(cache_dir):
        return
    target = folder(cache_dir)
    try:
        target.mkdir(parents=True, exist_ok=True)
        with _alone(target):
            if not is_complete(cache_dir):
                _fill(target, progress or Progress.silent(), fetch or _from_maven_central())
    except OSError as error:
        raise failures.cannot_store(target, total_size(), error) from error


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _stamp() -> str:
    return hashlib.sha256(locked_text().encode()).hexdigest()


def _has_size(path: Path, size: int) -> bool:
    return path.is_file() and path.stat().st_size == size


@contextmanager
def _alone(target: Path) -> Iterator[None]:
    """Keep other processes from filling the same cache; they wait."""
    with (target / "fetching.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _fill(target: Path, progress: Progress, fetch: Fetch) -> None:
    for left_over in target.glob("part-*"):
        shutil.rmtree(left_over)
    missing = [jar for jar in locked_jars() if not _is_right(target / jar.file_name, jar)]
    if missing:
        title = f"Fetching Neo4j {neo4j_version()} Community ({len(missing)} jars)"
        with (
            progress.download(title, sum(jar.size for jar in missing)) as advance,
            tempfile.TemporaryDirectory(dir=target, prefix="part-") as work,
            ThreadPoolExecutor(THREADS) as pool,
        ):
            tasks = [pool.submit(_bring, jar, target, Path(work), advance, fetch) for jar in missing]
            try:
                for task in tasks:
                    task.result()
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
    (target / STAMP_NAME).write_text(_stamp())


def _is_right(path: Path, jar: Jar) -> bool:
    return _has_size(path, jar.size) and sha256_of(path) == jar.sha256


def _bring(jar: Jar, target: Path, work: Path, advance: Callable[[int], None], fetch: Fetch) -> None:
    path = fetch(jar, work, advance)
    found = sha256_of(path)
    if found != jar.sha256:
        raise failures.wrong_checksum(jar.coordinate, found, jar.sha256, target)
    path.replace(target / jar.file_name)


def _from_maven_central() -> Fetch:
    from graphplace.graph.local.maven import fetch  # noqa: PLC0415  # what it imports comes with the extra alone

    return fetch
