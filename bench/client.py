"""One client of a Placement API over HTTP, which keeps its connection open where the server does."""

import http.client
import json
import socket
import time
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

NEWEST = "1.39"
# With this token and these roles both servers allow everything.
HEADERS = {"X-Auth-Token": "admin", "X-Roles": "admin,service"}
PATIENCE = 60


@dataclass(frozen=True)
class Request:
    """One request; *version* is the microversion that it asks for."""

    method: str
    path: str
    body: Any = None
    version: str = NEWEST


@dataclass(frozen=True)
class Answer:
    """One answer: its status, its body, and the milliseconds from the first byte sent to the last one read.

    A status of None means that there was no answer within the client's patience.
    """

    status: int | None
    body: bytes
    milliseconds: float

    def json(self) -> Any:
        """Return the body as data, None if there is none."""
        return json.loads(self.body) if self.body else None


class Client:
    """One connection to the server at a port of this machine, which waits *patience* seconds for an answer."""

    def __init__(self, port: int, patience: float = PATIENCE) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=patience)

    def send(self, request: Request) -> Answer:
        """Send one request and read its answer."""
        headers = HEADERS | {"OpenStack-API-Version": f"placement {request.version}"}
        body = None
        if request.body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(request.body).encode()
        found: tuple[int | None, bytes]
        began = time.perf_counter()
        try:
            found = self._answer(request, body, headers)
        except http.client.RemoteDisconnected:  # a server may close what was idle for long; the next try opens another
            found = self._answer(request, body, headers)
        except TimeoutError:
            self._connection.close()
            found = None, b""
        return Answer(*found, (time.perf_counter() - began) * 1000)

    def _answer(self, request: Request, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
        self._connection.request(request.method, request.path, body, headers)
        response = self._connection.getresponse()
        return response.status, response.read()

    def get(self, path: str) -> Answer:
        """Send a GET request."""
        return self.send(Request("GET", path))

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def answers(port: int) -> bool:
    """Tell whether a server answers at *port* with a version document."""
    client = Client(port)
    try:
        return client.get("/").status == HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        client.close()


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
