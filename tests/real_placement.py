"""The real Placement in place of graphplace, in this process and on SQLite in memory."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from differential.reference import reference
from werkzeug.test import Client, TestResponse

HEADERS = {"X-Auth-Token": "admin", "OpenStack-API-Version": "placement 1.39"}


class Admin(Client):
    """Sends requests as the tests' client of graphplace does: by the user admin, at the newest version."""

    def open(self, *arguments: Any, **request: Any) -> TestResponse:
        return super().open(*arguments, **{"headers": HEADERS} | request)


@contextmanager
def real_placement() -> Iterator[Client]:
    """Run an empty one as long as the block, and yield a client of it."""
    with reference() as placement:
        yield Admin(placement.client.application)
