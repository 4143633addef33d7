"""Programs of graphplace as processes of their own."""

import http.client
import socket
import subprocess
from dataclasses import dataclass

HEADERS = {"X-Auth-Token": "admin", "OpenStack-API-Version": "placement latest"}


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
