"""What a fixture of Placement's functional suite sets up, read out of the real Placement.

The suite, its fixtures and the service are those of the installed openstack-placement. The service runs in this
process, on SQLite in memory, and only for as long as it takes to read it out.
"""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from conformance.copied_cloud import Cloud, read_cloud
from werkzeug.test import Client

with warnings.catch_warnings():
    # What the reference's libraries say of their own future is not about graphplace.
    warnings.simplefilter("ignore")
    from placement import deploy
    from placement.tests.functional.fixtures import gabbits

SUITE = Path(gabbits.__file__).parents[1] / "gabbits"


@dataclass(frozen=True)
class Reference:
    """What a fixture made: variables of the environment, and a cloud."""

    environment: dict[str, str]
    cloud: Cloud


def reference(fixture: str) -> Reference:
    """Return what the fixture of that name makes."""
    before = dict(os.environ)
    try:
        with _started(fixture):
            cloud = read_cloud(Client(deploy.loadapp(gabbits.CONF)))
            made = {name: value for name, value in os.environ.items() if before.get(name) != value}
        return Reference(made, cloud)
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def _started(name: str) -> Iterator[None]:
    fixture = getattr(gabbits, name)()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fixture.start_fixture()
        try:
            yield
        finally:
            fixture.stop_fixture()
