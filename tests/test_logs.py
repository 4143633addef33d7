"""What is logged: each line with its request, and no token, whatever header it came in."""

import json
import logging
import re
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from flask.testing import FlaskClient
from graphplace.api import create_app
from graphplace.api.log_format import formatter

from graphplace.graph.database import Database
from graphplace.settings import Settings

SECRET = "s3cr3t-0f-t3sts"
GLOBAL = "req-11111111-1111-4111-8111-111111111111"
# What may carry a credential, and all that the application and its libraries read.
HEADERS = (
    "X-Auth-Token",
    "Authorization",
    "Proxy-Authorization",
    "X-Service-Token",
    "X-Subject-Token",
    "X-Storage-Token",
    "X-Api-Key",
    "Cookie",
    "X-User-Id",
    "X-Project-Id",
    "X-Roles",
    "X-Service-Roles",
    "OpenStack-System-Scope",
    "OpenStack-API-Version",
    "X-Openstack-Request-Id",
    "Accept",
    "Content-Type",
    "User-Agent",
    "Referer",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "X-Forwarded-Prefix",
    "Forwarded",
)
# One that is answered, one of a wrong value, one of nothing there, one that the server fails at, and those beside it.
PATHS = ("/traits", "/resource_providers?name=", "/resource_classes/CUSTOM_NONE", "/usages", "/metrics", "/readyz")


@pytest.fixture(params=["logfmt", "json"])
def log(request: pytest.FixtureRequest) -> Iterator[StringIO]:
    """All that any logger says, at any level, as the server would write it."""
    written = StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(formatter(request.param))
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield written
    root.setLevel(level)
    root.removeHandler(handler)


@pytest.fixture
def failing(database: Database, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """A client of a server that logs every request, and fails at usages."""

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("on purpose")

    monkeypatch.setattr("graphplace.usages.of_project", fail)
    settings = Settings(access_log=True, proxy_headers=True)
    return create_app(database, settings).test_client()


def test_no_header_is_logged(failing: FlaskClient, log: StringIO) -> None:
    statuses = set()
    for header in HEADERS:
        # What is no media type at all is taken as if it were not there.
        value = f"text/{SECRET}" if header == "Accept" else SECRET
        given = {"X-Auth-Token": "admin", "OpenStack-API-Version": "placement latest", header: value}
        if header == "X-Auth-Token":
            given["X-Roles"] = "admin"
        for path in PATHS:
            query = "?project_id=p" if path == "/usages" else ""
            statuses.add(failing.get(path + query, headers=given).status_code)
            statuses.add(failing.put("/traits/CUSTOM_A", data="{", headers=given).status_code)

    assert statuses >= {200, 400, 403, 404, 406, 500}
    assert "RuntimeError: on purpose" in log.getvalue()
    assert log.getvalue().count("graphplace.api.access_log") == len(HEADERS) * len(PATHS) * 2
    assert SECRET not in log.getvalue()


def test_a_secret_in_a_query_is_not_logged(failing: FlaskClient, log: StringIO) -> None:
    for name in ("token", "X-Auth-Token", "subject_token", "PASSWORD", "client_secret", "api-key"):
        failing.get(f"/traits?name=in:A&{name}={SECRET}&associated=1")

    assert SECRET not in log.getvalue()
    assert log.getvalue().count("name=in:A&") == log.getvalue().count("=***&associated=1") == 6


def test_each_line_names_its_request_and_that_of_the_client(failing: FlaskClient, log: StringIO) -> None:
    headers = {"X-Auth-Token": "admin", "OpenStack-API-Version": "placement latest"}
    answer = failing.get("/usages?project_id=p%0a1", headers=headers | {"X-Openstack-Request-Id": GLOBAL})

    lines = [_read(line) for line in log.getvalue().splitlines() if "graphplace.api" in line]
    assert [line["logger"] for line in lines] == ["graphplace.api.failures", "graphplace.api.access_log"]
    for line in lines:
        assert line["request_id"] == answer.headers["x-openstack-request-id"]
        assert line["global_request_id"] == GLOBAL
    assert "Traceback" in lines[0]["exception"]
    access = lines[1]
    wanted = {"method": "GET", "path": "/usages", "query": "project_id=p%0a1", "route": "/usages", "version": "1.39"}
    assert wanted.items() <= access.items()
    assert int(access["status"]) == 500


@pytest.mark.parametrize("forged", ["req-1", f"{GLOBAL}\nlevel=info", f"x{GLOBAL}", GLOBAL.upper()])
def test_an_identifier_of_another_form_is_not_taken(failing: FlaskClient, log: StringIO, forged: str) -> None:
    failing.get("/livez", environ_overrides={"HTTP_X_OPENSTACK_REQUEST_ID": forged})

    assert "global_request_id" not in log.getvalue()


def test_a_client_cannot_write_lines_or_move_the_cursor(failing: FlaskClient, log: StringIO) -> None:
    failing.get("/x%0alevel=info%1b[31m%0d", environ_overrides={"QUERY_STRING": "a=\x1b[31m\n"})

    (line,) = [line for line in log.getvalue().splitlines() if "access_log" in line]
    assert line.isprintable()
    assert _read(line)["path"] == "/x%0Alevel%3Dinfo%1B%5B31m%0D"


def test_without_the_setting_requests_are_not_logged(client: FlaskClient, log: StringIO) -> None:
    client.get("/traits")

    assert "access_log" not in log.getvalue()


def _read(line: str) -> dict[str, Any]:
    if line.startswith("{"):
        return dict(json.loads(line))
    pairs = re.findall(r'(\w+)=("(?:[^"\\]|\\.)*"|\S*)', line)
    return {key: value.strip('"') for key, value in pairs}
