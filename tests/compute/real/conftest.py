"""The real Placement in place of graphplace, an empty one for each test."""

from collections.abc import Iterator

import pytest
from real_placement import real_placement
from werkzeug.test import Client
from wire import Wire

from graphplace.compute.direct import adapter_for


@pytest.fixture
def client() -> Iterator[Client]:
    with real_placement() as client:
        yield client


@pytest.fixture
def wire(client: Client) -> Wire:
    return Wire(adapter_for(client.application))
