"""The API as the compute side meets it: over HTTP, through keystoneauth1."""

import pytest
from wire import Wire

from graphplace.compute.report_client import ReportClient


@pytest.fixture
def compute(wire: Wire) -> ReportClient:
    """A client that has seen nothing yet."""
    return ReportClient(wire)
