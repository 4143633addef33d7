"""The data folder of a managed Neo4j: where each thing lies, who owns it, and what runs on it.

One process at a time owns the folder. It holds an flock on ``neo4j.lock``, which the kernel takes back when the
process dies, however it dies. ``neo4j.json`` says how to reach it and counts only while the lock is held.
"""

import fcntl
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class State:
    """What the running process says about itself: its id and the loopback port on which Bolt answers."""

    pid: int
    port: int


@dataclass(frozen=True)
class DataFolder:
    """The files under one data folder, ``root``; nothing is touched before a method says so."""

    root: Path

    @property
    def home(self) -> Path:
        """Neo4j's own home: databases, transaction logs, logs."""
        return self.root / "neo4j"

    @property
    def log_file(self) -> Path:
        """What the process prints: the reason when it does not start."""
        return self.home / "logs" / "neo4j.log"

    @property
    def lock_file(self) -> Path:
        """The file whose flock means that a process owns the folder."""
        return self.root / "neo4j.lock"

    @property
    def state_file(self) -> Path:
        """The state of the process that owns the folder, as JSON."""
        return self.root / "neo4j.json"

    @property
    def password_file(self) -> Path:
        """The password of Neo4j's user ``neo4j``, readable by the owner of the folder alone."""
        return self.home / "password"

    @property
    def port_file(self) -> Path:
        """The port of the last start, so that the next one can have it again and URIs stay good."""
        return self.home / "port"

    def create(self) -> None:
        """Make the folders; what is new is readable by its owner alone."""
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.log_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)

    def lock(self) -> int | None:
        """Take the folder and return the file descriptor that holds it; None when another process has it."""
        descriptor = os.open(self.lock_file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return None
        return descriptor

    def is_locked(self) -> bool:
        """Whether a process owns the folder now."""
        if not self.lock_file.exists():
            return False
        descriptor = self.lock()
        if descriptor is None:
            return True
        os.close(descriptor)
        return False

    def state(self) -> State | None:
        """Return the state of the process that owns the folder; None when none does, or it is starting or stopping."""
        try:
            state = State(**json.loads(self.state_file.read_text()))
        except FileNotFoundError:
            return None
        return state if self.is_locked() else None

    def write_state(self, state: State) -> None:
        """Publish *state*; only for the process that owns the folder."""
        write_private(self.port_file, str(state.port))
        write_private(self.state_file, json.dumps(asdict(state)))

    def last_port(self) -> int:
        """Return the port of the last start, 0 when there was none."""
        return int(self.port_file.read_text()) if self.port_file.exists() else 0

    def clear_state(self) -> None:
        """Take the state back, or what a killed process left of it; only for the process that owns the folder."""
        self.state_file.unlink(missing_ok=True)


def write_private(path: Path, text: str) -> None:
    """Write *text* to *path* whole or not at all, readable by its owner alone."""
    partial = path.with_name(path.name + ".part")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(descriptor)
    partial.replace(path)
