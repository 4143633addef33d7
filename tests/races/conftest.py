"""A client that several threads may use at once, and what happens below it."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from neo4j.exceptions import TransientError
from werkzeug.test import TestResponse

from graphplace.graph.database import Database


class ThreadSafeClient(FlaskClient):
    """Flask's own client keeps the state of a request, so here each request has a client of its own."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        client = self.application.test_client()
        client.environ_base = self.environ_base
        return client.open(*args, **kwargs)


@pytest.fixture
def client(client: FlaskClient) -> FlaskClient:
    safe = ThreadSafeClient(client.application)
    safe.environ_base = client.environ_base
    return safe


@pytest.fixture
def deadlocks(monkeypatch: pytest.MonkeyPatch) -> list[TransientError]:
    """Those that Neo4j ended because they waited for each other; graphplace tries them again."""
    seen: list[TransientError] = []
    run = Database._try_write  # noqa: SLF001  # no client notices

    def trying(*given: Any, **named: Any) -> Any:
        try:
            return run(*given, **named)
        except TransientError as error:
            seen.append(error)
            raise

    monkeypatch.setattr(Database, "_try_write", trying)
    return seen
