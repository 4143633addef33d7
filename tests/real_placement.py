"""Fixtures: the real Placement in place of graphplace, in this process and on SQLite in memory, empty for each test."""

from collections.abc import Iterator
from typing import Any

import pytest
from differential.reference import reference
from werkzeug.test import Client, TestResponse
from wire import Wire

from graphplace.compute.direct import adapter_for

HEADERS = {"X-Auth-Token": "admin", "OpenStack-API-Version": "placement 1.39"}


class Admin(Client):
    """Sends requests as the tests' client of graphplace does: by the user admin, at the newest version."""

    def open(self, *arguments: Any, **request: Any) -> TestResponse:
        return super().open(*arguments, **{"headers": HEADERS} | request)


@pytest.fixture
def client() -> Iterator[Client]:
    """A client of an empty one."""
    with reference() as placement:
        yield Admin(placement.client.application)


@pytest.fixture
def wire(client: Client) -> Wire:
    """What OpenStack's services send their requests to it through."""
    return Wire(adapter_for(client.application))
