"""What a fixture of Placement's functional suite sets up, read out of the real Placement.

The suite, its fixtures and the service are those of the installed openstack-placement. The service runs in this
process, on SQLite in memory, and only for as long as it takes to read it out.
"""

import configparser
import json
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
    from placement import deploy, policy
    from placement.tests.functional.fixtures import gabbits

SUITE = Path(gabbits.__file__).parents[1] / "gabbits"

# The options by which the fixtures differ.
OPTIONS = {
    "api": ["auth_strategy"],
    "oslo_policy": ["enforce_new_defaults"],
    "cors": ["allowed_origin", "allow_headers"],
}


@dataclass(frozen=True)
class Reference:
    """What a fixture made: variables of the environment, a cloud, and the file that configures the service."""

    environment: dict[str, str]
    cloud: Cloud
    config: Path


def reference(name: str, folder: Path) -> Reference:
    """Return what the fixture called *name* makes; files are written to *folder*."""
    before = dict(os.environ)
    try:
        with started(name) as fixture:
            cloud = read_cloud(Client(deploy.loadapp(gabbits.CONF)))
            config = _write_config(fixture, folder)
            made = {name: value for name, value in os.environ.items() if before.get(name) != value}
        return Reference(made, cloud, config)
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def started(name: str) -> Iterator[gabbits.APIFixture]:
    """Run the service on what the fixture called *name* makes, as long as the context."""
    fixture = getattr(gabbits, name)()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fixture.start_fixture()
        try:
            yield fixture
        finally:
            fixture.stop_fixture()


def _write_config(fixture: gabbits.APIFixture, folder: Path) -> Path:
    """Write what the fixture sets as an operator of Placement would, and return the file."""
    parser = configparser.ConfigParser(interpolation=None)
    for section, names in OPTIONS.items():
        values = {name: gabbits.CONF[section][name] for name in names}
        parser[section] = {
            name: ",".join(value) if isinstance(value, list) else str(value)
            for name, value in values.items()
            if value is not None
        }
    parser["graphplace"] = {"policy": "oslo"}
    if isinstance(fixture, gabbits.OpenPolicyFixture):
        rules = {name: str(check) for name, check in policy.get_enforcer().rules.items()}
        (folder / "policy.yaml").write_text(json.dumps(rules))
    with (folder / "placement.conf").open("w") as file:
        parser.write(file)
    return folder / "placement.conf"
