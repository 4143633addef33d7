"""Programs of graphplace as processes of their own."""

import http.client
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Thread
from typing import IO

HEADERS = {"X-Auth-Token": "admin", "OpenStack-API-Version": "placement latest"}
SERVE = (sys.executable, "-m", "graphplace.cli", "serve", "--workers=2")


@dataclass(frozen=True)
class Server:
    """``graphplace serve`` as a process, and the loopback port on which it answers."""

    process: subprocess.Popen[str]
    port: int

    def status(self, method: str, path: str) -> int:
        """Send one request on a connection of its own and return the status of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        try:
            connection.request(method, path, headers=HEADERS)
            return connection.getresponse().status
        finally:
            connection.close()


def free_port() -> int:
    """Return a port on which nobody listens now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def serving(environment: dict[str, str], command: Sequence[str] = SERVE) -> Iterator[Server]:
    """Run *command* in *environment* as long as the block, once it says that it serves."""
    port = free_port()
    full = [*command, f"--port={port}"]
    process = subprocess.Popen(full, env=environment, stderr=subprocess.PIPE, text=True)  # noqa: S603  # made here
    try:
        assert process.stderr is not None
        assert any(f":{port};" in line for line in process.stderr)
        Thread(target=_read_on, args=[process.stderr], daemon=True).start()
        yield Server(process, port)
    finally:
        process.terminate()
        process.wait()


def _read_on(stream: IO[str]) -> None:
    """Read the rest of *stream*, so that whoever writes never waits; workers may outlive a server that is killed."""
    with stream:
        for _ in stream:
            pass
