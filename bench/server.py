"""The two servers that are measured: what they have in common, and graphplace on a Neo4j of its own."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import psutil
from client import answers, free_port
from clouds import Document
from processes import Processes, spent

from graphplace.graph import local
from graphplace.graph.database import Database
from graphplace.settings import Settings

POLL_SECONDS = 0.1
SETTLE_SECONDS = 1
IDLE_MILLISECONDS = 100


class Server(Protocol):
    """A Placement API at a port of this machine, and the database behind it."""

    name: str
    port: int

    def processes(self) -> Processes:
        """Return the processes that run now."""

    def load(self, documents: Iterable[Document]) -> None:
        """Bring the empty server to what *documents* say."""

    def restart(self) -> None:
        """End whatever it is doing, and start to answer anew."""


class Graphplace:
    """``graphplace serve`` on a Neo4j of its own, with its data in *folder*."""

    name = "graphplace"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._environment = os.environ | {"GRAPHPLACE_DATA_DIR": str(folder)}
        self.port = free_port()
        self._process = self._start()

    def processes(self) -> Processes:
        """Return the workers with their parent, and Neo4j."""
        parent = psutil.Process(self._process.pid)
        children = parent.children(recursive=True)
        neo4j = tuple(one for one in children if _is_neo4j(one))
        return Processes(api=(parent, *(one for one in children if one not in neo4j)), database=neo4j)

    def load(self, documents: Iterable[Document]) -> None:
        """Run ``graphplace load`` for each document."""
        file = self._folder / "cloud.json"
        for document in documents:
            file.write_text(json.dumps(document))
            command = [sys.executable, "-m", "graphplace.cli", "load", str(file)]
            subprocess.run(command, env=self._environment, check=True, stdout=subprocess.DEVNULL)  # noqa: S603  # made here

    def restart(self) -> None:
        """End the server and its Neo4j, and start both on the same data."""
        self.stop()
        self._process = self._start()

    def stop(self) -> None:
        """End the server and its Neo4j."""
        self._process.send_signal(signal.SIGTERM)
        self._process.wait()

    def database(self) -> Database:
        """Return a connection to its Neo4j. Raises LookupError when it does not run."""
        settings = Settings(data_dir=self._folder)
        found = local.running(settings)
        if found is None:
            raise LookupError(self._folder)
        return Database.connect(found.connect_to(settings))

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "graphplace.cli", "serve", f"--port={self.port}"]
        with (self._folder / "serve.log").open("a") as log:
            process = subprocess.Popen(command, env=self._environment, stderr=log)  # noqa: S603  # made here
        wait_for(self.port, process, self._folder / "serve.log")
        return process


@contextmanager
def graphplace(folder: Path) -> Iterator[Graphplace]:
    """Run graphplace with its data in *folder* as long as the block."""
    folder.mkdir(parents=True)
    server = Graphplace(folder)
    try:
        yield server
    finally:
        server.stop()


def wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    """Return when a server answers at *port*. Raises SystemExit with the end of *log* when its process ends."""
    while not answers(port):
        if process.poll() is not None:
            raise SystemExit(f"A server did not start; the end of {log.name}:\n{log.read_text()[-2000:]}")
        time.sleep(POLL_SECONDS)


def settle(server: Server) -> None:
    """Return when *server* has done what it does after a start, such as to plan ahead: when it uses hardly any CPU."""
    used = IDLE_MILLISECONDS
    while used >= IDLE_MILLISECONDS:
        before = server.processes().cpu()
        time.sleep(SETTLE_SECONDS)
        used = sum(spent(*two) for two in zip(before, server.processes().cpu(), strict=True))


def _is_neo4j(process: psutil.Process) -> bool:
    return any("graphplace.graph.local" in word for word in process.cmdline())
