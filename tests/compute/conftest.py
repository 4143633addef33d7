"""The API as the compute side meets it: over HTTP, through keystoneauth1."""

from collections.abc import Iterator

import pytest
from graphplace.api import create_app
from http_server import serving
from keystoneauth1.adapter import Adapter
from keystoneauth1.session import Session
from keystoneauth1.token_endpoint import Token
from wire import Wire

from graphplace.compute.report_client import ReportClient
from graphplace.graph.database import Database
from graphplace.settings import Settings


@pytest.fixture(scope="module")
def endpoint(connected: Database) -> Iterator[str]:
    """The URL of the API."""
    with serving(create_app(connected, Settings())) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def wire(endpoint: str, database: Database) -> Wire:  # an empty one
    """What a compute service sends its requests through, over an empty graph."""
    return Wire(Adapter(Session(Token(endpoint, "admin")), service_type="placement", raise_exc=False))


@pytest.fixture
def compute(wire: Wire) -> ReportClient:
    """A client that has seen nothing yet."""
    return ReportClient(wire)
