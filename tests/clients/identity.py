"""A stand-in for Keystone: whoever asks is admin, and the only service in the catalogue is Placement."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DOMAIN = {"id": "default", "name": "Default"}
REGION = "RegionOne"


@contextmanager
def identity(placement: str) -> Iterator[str]:
    """Serve as long as the block, for a Placement at the URL *placement*; yields the URL to authenticate at."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self._answer(201, {"token": _token(placement)}, {"X-Subject-Token": "admin"})

        def do_GET(self) -> None:
            links = [{"rel": "self", "href": f"http://{self.headers['Host']}/v3/"}]
            self._answer(200, {"version": {"id": "v3.14", "status": "stable", "links": links}}, {})

        def _answer(self, status: int, body: Any, headers: dict[str, str]) -> None:
            text = json.dumps(body).encode()
            self.send_response(status)
            headers = {"Content-Type": "application/json", "Content-Length": str(len(text)), **headers}
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the name in the base class
            """Keep the output of the tests clear."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v3"
        finally:
            server.shutdown()
            thread.join()


def _token(placement: str) -> dict[str, Any]:
    endpoints = [
        {"id": interface, "interface": interface, "region": REGION, "region_id": REGION, "url": placement}
        for interface in ("public", "internal", "admin")
    ]
    return {
        "methods": ["password"],
        "user": {"id": "admin", "name": "admin", "domain": DOMAIN, "password_expires_at": None},
        "project": {"id": "admin", "name": "admin", "domain": DOMAIN},
        "roles": [{"id": "admin", "name": "admin"}],
        "issued_at": "2000-01-01T00:00:00.000000Z",
        "expires_at": "2999-01-01T00:00:00.000000Z",
        "catalog": [{"id": "placement", "type": "placement", "name": "placement", "endpoints": endpoints}],
    }
