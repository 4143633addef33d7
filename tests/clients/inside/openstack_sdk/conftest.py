"""The proxy as a script gets it that calls openstack.connect()."""

from collections.abc import Iterator

import openstack
import pytest
from openstack.placement.v1._proxy import Proxy


@pytest.fixture
def placement() -> Iterator[Proxy]:
    """The cloud's Placement, found and logged in to by the OS_ environment variables."""
    with openstack.connect() as cloud:
        yield cloud.placement
