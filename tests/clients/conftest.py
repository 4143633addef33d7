"""The service that the clients use: graphplace as a process, or what GRAPHPLACE_TEST_PLACEMENT names."""

import os
from collections.abc import Iterator

import pytest
from processes import serving

from graphplace.cli.serve import environment
from graphplace.graph import schema

# The cases are for the environments of the clients; test_clients.py runs them there.
collect_ignore = ["inside"]


@pytest.fixture(scope="module")
def placement(request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of the service under test, an empty one."""
    url = os.environ.get("GRAPHPLACE_TEST_PLACEMENT")
    if url:
        yield url
        return
    schema.wipe(request.getfixturevalue("connected"))
    with serving(environment(request.getfixturevalue("neo4j_settings"))) as server:
        yield f"http://127.0.0.1:{server.port}"
