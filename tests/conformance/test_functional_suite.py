"""Placement's own functional suite against graphplace over HTTP: each test of each file is a test here.

Each file is run once, on the cloud that its own fixture sets up, under the policy and the CORS setting that the
fixture chooses.
"""

import os
import tempfile
import unittest
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import yaml
from conformance.copied_cloud import write_cloud
from conformance.reference import SUITE, reference
from gabbi import case, handlers, httpclient
from gabbi.suite import GabbiSuite
from gabbi.suitemaker import test_suite_from_dict as suite_of
from graphplace.api import create_app
from http_server import Exchangeable, serving

from graphplace.graph import schema
from graphplace.graph.database import Database
from graphplace.settings import CONFIG_VARIABLE, Settings

# What openstack-placement 16.0.0 has.
FILES, TESTS = 79, 1316

Cases = list[case.HTTPTestCase]


@cache
def document(stem: str) -> dict[str, Any]:
    """The file of that name, as gabbi takes it."""
    with (SUITE / f"{stem}.yaml").open() as file:
        found: dict[str, Any] = yaml.load(file, yaml.CSafeLoader)
    # The tests talk plain HTTP. Reading the system's certificates for each would take most of the time.
    found["defaults"] = found.get("defaults", {}) | {"cert_validate": False}
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of each test of each file, in order."""
    if "stem" not in metafunc.fixturenames:
        return
    found = [
        (stem, position, f"{stem}/{test['name']}")
        for stem in sorted(path.stem for path in SUITE.glob("*.yaml"))
        for position, test in enumerate(document(stem)["tests"])
    ]
    metafunc.parametrize(("stem", "position"), [pytest.param(*place, id=name) for *place, name in found])


@pytest.fixture(scope="module")
def cases_of(connected: Database) -> Iterator[Callable[[str], Cases]]:
    """What gives the tests of a file: it opens the file when it is first asked for it, and closes the one before."""
    current: dict[str, Cases] = {}
    application = Exchangeable()
    with serving(application) as port, ExitStack() as opened:

        def of(stem: str) -> Cases:
            if stem not in current:
                opened.close()
                current.clear()
                current[stem] = opened.enter_context(_open(stem, connected, application, port))
            return current[stem]

        yield of


@contextmanager
def _open(stem: str, database: Database, exchangeable: Exchangeable, port: int) -> Iterator[Cases]:
    """The tests of a file against the server at *port*, on a graph that holds what the fixture of the file makes."""
    (fixture,) = document(stem)["fixtures"]
    schema.wipe(database)
    with tempfile.TemporaryDirectory() as folder:
        made = reference(fixture, Path(folder))
        application = create_app(database, Settings.load({CONFIG_VARIABLE: str(made.config)}))
        write_cloud(application.test_client(), made.cloud)
        exchangeable.application = application
        cases = list(_suite(stem, port))
        for one in filter(_cannot_be_sent, cases):
            one.http = httpclient.Http(intercept=lambda: application)
        with patch.dict(os.environ, made.environment):
            yield cases
    for one in cases:
        one.http.client.close()


def _suite(stem: str, port: int) -> GabbiSuite:
    return suite_of(
        unittest.TestLoader(),
        stem,
        document(stem),
        str(SUITE),
        "127.0.0.1",
        port,
        fixture_module=None,
        intercept=None,
        handlers=[handler() for handler in handlers.RESPONSE_HANDLERS],
    )


def _cannot_be_sent(one: case.HTTPTestCase) -> bool:
    """Tell whether an HTTP client refuses to send the request; the application is asked in process then."""
    return not one.test_data["request_headers"].get("content-length", "0").isdecimal()


def test_the_suite_is_whole() -> None:
    stems = [path.stem for path in SUITE.glob("*.yaml")]

    assert len(stems) == FILES
    assert sum(len(document(stem)["tests"]) for stem in stems) == TESTS


def test_functional_suite(cases_of: Callable[[str], Cases], stem: str, position: int) -> None:
    """A test runs those before it in its file first, unless they have run."""
    result = unittest.TestResult()
    cases_of(stem)[position].run(result)
    for _, text in result.failures + result.errors:
        pytest.fail(text, pytrace=False)
    assert result.testsRun == 1
