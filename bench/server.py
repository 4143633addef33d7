"""A graphplace server to measure, with the Neo4j behind it: both as processes whose CPU and memory can be read."""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from graphplace.cli.serve import answers

PORT = 18778
HEADERS = {"X-Auth-Token": "admin", "OpenStack-API-Version": "placement 1.39"}
MEBIBYTE = 2**20


@dataclass(frozen=True)
class Answer:
    """One answer: its status, its body, and the milliseconds from the first byte sent to the last one read."""

    status: int
    body: bytes
    milliseconds: float

    def json(self) -> Any:
        """Return the body as data."""
        return json.loads(self.body)


class Server:
    """``graphplace serve`` on a Neo4j of its own, with one connection that is kept open."""

    def __init__(self, process: psutil.Process) -> None:
        self._process = process
        self._connection = http.client.HTTPConnection("127.0.0.1", PORT)

    def get(self, path: str) -> Answer:
        """Send one GET request."""
        began = time.perf_counter()
        self._connection.request("GET", path, headers=HEADERS)
        response = self._connection.getresponse()
        body = response.read()
        return Answer(response.status, body, (time.perf_counter() - began) * 1000)

    def neo4j(self) -> list[psutil.Process]:
        """Return the processes of Neo4j."""
        return [one for one in self._process.children(recursive=True) if _is_neo4j(one)]

    def api(self) -> list[psutil.Process]:
        """Return the workers that answer, and their parent."""
        return [self._process, *(one for one in self._process.children(recursive=True) if not _is_neo4j(one))]


def cpu(processes: list[psutil.Process]) -> float:
    """Return the milliseconds of CPU that *processes* have used so far, as the scheduler counts them."""
    nanoseconds = 0
    for process in processes:
        for task in Path(f"/proc/{process.pid}/task").iterdir():
            try:
                nanoseconds += int((task / "schedstat").read_text().split()[0])
            except OSError:  # a thread that ended meanwhile
                continue
    return nanoseconds / 1e6


def resident(processes: list[psutil.Process]) -> float:
    """Return the mebibytes that *processes* keep in memory."""
    return sum(process.memory_info().rss for process in processes) / MEBIBYTE


def reset_peak(processes: list[psutil.Process]) -> None:
    """Let the peak of memory start from what is resident now."""
    for process in processes:
        Path(f"/proc/{process.pid}/clear_refs").write_text("5")


def peak(processes: list[psutil.Process]) -> float:
    """Return the mebibytes that *processes* had in memory at most since the last reset."""
    return sum(_high_water(process) for process in processes)


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """Run ``graphplace serve`` with its data in *folder* as long as the block."""
    environment = os.environ | {"GRAPHPLACE_DATA_DIR": str(folder)}
    command = [sys.executable, "-m", "graphplace.cli", "serve", f"--port={PORT}"]
    with (folder / "serve.log").open("w") as log:
        process = subprocess.Popen(command, env=environment, stderr=log)  # noqa: S603  # made here
    try:
        _wait(process)
        yield Server(psutil.Process(process.pid))
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def load(folder: Path, documents: Iterable[object]) -> None:
    """Load *documents* into the Neo4j whose data is in *folder*, which a server may be using."""
    file = folder / "cloud.json"
    environment = os.environ | {"GRAPHPLACE_DATA_DIR": str(folder)}
    for document in documents:
        file.write_text(json.dumps(document))
        command = [sys.executable, "-m", "graphplace.cli", "load", str(file)]
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)  # noqa: S603  # made here


def _wait(process: subprocess.Popen[bytes]) -> None:
    while not answers("127.0.0.1", PORT):
        if process.poll() is not None:
            raise SystemExit("graphplace serve did not start; its log is serve.log in the data folder.")
        time.sleep(0.1)


def _is_neo4j(process: psutil.Process) -> bool:
    return any("graphplace.graph.local" in word for word in process.cmdline())


def _high_water(process: psutil.Process) -> float:
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise LookupError(process)
