"""The real Placement with its data in an SQLite file: over HTTP, and as the file itself."""

import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from differential.reference import Reference, reference
from differential.session import send
from differential.words import NEWEST
from differential.world import Request
from http_server import serving
from placement.db_api import placement_context_manager
from werkzeug.test import TestResponse


@dataclass(frozen=True)
class Peer:
    """A Placement that runs. ``service`` is to be asked in this process, ``url`` over HTTP with the token admin."""

    service: Reference
    served: "OneAtATime"
    url: str

    def send(self, method: str, path: str, body: Any = None) -> TestResponse:
        """Ask the service, at its newest version."""
        return send(self.service.client, Request(method, path, NEWEST, body))

    def file(self, path: Path) -> str:
        """Write the database as it is now to *path* and return its URL."""
        path.unlink(missing_ok=True)
        engine = placement_context_manager.writer.get_engine()
        with engine.connect() as connection, sqlite3.connect(path) as copy:
            connection.connection.driver_connection.backup(copy)
        copy.close()
        return f"sqlite:///{path}"


class OneAtATime:
    """A WSGI application that is asked by one thread at a time, as SQLite in memory wants it.

    ``before`` is called with the path of each request before that is answered.
    """

    def __init__(self, application: Any) -> None:
        self.before: Callable[[str], object] = lambda _path: None
        self._application = application
        self._lock = Lock()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        self.before(environ["PATH_INFO"])
        with self._lock:
            return list(self._application(environ, start_response))


@contextmanager
def peer() -> Iterator[Peer]:
    """Run an empty one as long as the block. There can be but one at a time in a process."""
    logging.disable()
    try:
        with reference() as service:
            served = OneAtATime(service.client.application)
            with serving(served) as port:
                yield Peer(service, served, f"http://127.0.0.1:{port}")
    finally:
        logging.disable(logging.NOTSET)
