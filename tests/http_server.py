"""A real HTTP server in a thread, whose application can be exchanged."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

from werkzeug.serving import WSGIRequestHandler, make_server


class Exchangeable:
    """A WSGI application that passes what it gets on to ``application``."""

    application: Any = None

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        answer: Iterable[bytes] = self.application(environ, start_response)
        return answer


class Quiet(WSGIRequestHandler):
    """Handles requests and logs none."""

    def log_request(self, *_args: object) -> None:
        """Say nothing."""


@contextmanager
def serving(application: Any) -> Iterator[int]:
    """Yield the port of the loopback interface where *application* is served for as long as the context."""
    server = make_server("127.0.0.1", 0, application, threaded=True, request_handler=Quiet)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
