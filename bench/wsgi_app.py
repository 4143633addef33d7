"""The API as the servers under measurement load it, with two paths that only the measurement asks for."""

import os
import time
from collections.abc import Iterable
from typing import Any

from graphplace.api import create_app

from graphplace.graph.database import Database
from graphplace.settings import Settings


def make() -> Any:
    """Return the WSGI application; called by each worker if the server is right for a Bolt driver."""
    app = create_app(Database.connect(Settings.load()))
    created_in = os.getpid()

    def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/bench/forked":
            start_response("200 OK", [("Content-Type", "text/plain")])
            return [b"made before the fork" if os.getpid() != created_in else b"made in the worker"]
        if environ["PATH_INFO"] == "/bench/slow":
            time.sleep(1)
            start_response("200 OK", [("Content-Type", "text/plain")])
            return [b"slow"]
        return app(environ, start_response)

    return application
