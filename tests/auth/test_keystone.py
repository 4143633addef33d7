"""The strategy keystone: the real keystonemiddleware, asking a Keystone over HTTP."""

import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from auth.keystone import SERVICE_TOKEN, Keystone
from flask.testing import FlaskClient
from graphplace.api import create_app
from http_server import serving
from processes import free_port

from graphplace.cli.serve import environment
from graphplace.graph.database import Database
from graphplace.settings import CONFIG_VARIABLE, Settings

PUBLIC = "https://keystone.example.com/v3"
PASSWORD = "p4ssw0rd"
CONFIG = """
[api]
auth_strategy = keystone

[keystone_authtoken]
www_authenticate_uri = {public}
auth_type = password
auth_url = http://127.0.0.1:{port}/v3
username = placement
password = {password}
project_name = service
user_domain_name = Default
project_domain_name = Default
http_request_max_retries = 0

{more}
"""

Connect = Callable[..., FlaskClient]


@pytest.fixture
def keystone() -> Keystone:
    """A Keystone to fill with tokens."""
    return Keystone()


@pytest.fixture
def connect(keystone: Keystone, database: Database, tmp_path: Path) -> Iterator[Connect]:
    """What makes a client of the API behind that Keystone, or behind the port given."""

    def made(token: str, port: int = 0, more: str = "") -> FlaskClient:
        config = tmp_path / "placement.conf"
        config.write_text(CONFIG.format(public=PUBLIC, password=PASSWORD, port=port or running, more=more))
        client = create_app(database, Settings.load({CONFIG_VARIABLE: str(config)})).test_client()
        client.environ_base |= {"HTTP_X_AUTH_TOKEN": token, "HTTP_OPENSTACK_API_VERSION": "placement latest"}
        return client

    with serving(keystone) as running:
        yield made


def test_a_valid_token_says_who_asks(keystone: Keystone, connect: Connect) -> None:
    keystone.tokens = {"good": (["admin"], "p1")}

    assert connect("good").get("/traits").status_code == 200


@pytest.mark.difference("One form")
def test_an_invalid_token_is_refused(connect: Connect) -> None:
    answer = connect("bad").get("/traits")

    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == f'Keystone uri="{PUBLIC}"'
    assert answer.json["errors"][0]["request_id"] == answer.headers["x-openstack-request-id"]
    assert answer.headers["vary"] == "openstack-api-version"


def test_a_token_is_checked_even_if_the_file_says_later(connect: Connect, tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text('"placement:traits:list": "@"')

    assert connect("bad", more="delay_auth_decision = true").get("/traits").status_code == 401


def test_who_asks_cannot_be_made_up(keystone: Keystone, connect: Connect) -> None:
    keystone.tokens = {"weak": (["reader"], "p1")}
    client = connect("weak")
    forged = {"X-Roles": "admin", "X-Identity-Status": "Confirmed", "X-User-Id": "root", "X-Project-Id": "p2"}

    assert client.get("/traits", headers=forged).status_code == 403
    assert client.get("/usages?project_id=p2", headers=forged).status_code == 403
    assert client.get("/usages?project_id=p1", headers=forged).status_code == 200
    assert client.get("/traits", headers=forged | {"X-Auth-Token": "bad"}).status_code == 401


def test_no_token_is_logged(keystone: Keystone, connect: Connect, caplog: pytest.LogCaptureFixture) -> None:
    """Neither the user's, nor the one that asks Keystone about it, nor the password that this one is got by."""
    caplog.set_level(logging.DEBUG)
    keystone.tokens = {"good-s3cr3t": (["admin"], "p1")}

    client = connect("good-s3cr3t")
    assert client.get("/traits").status_code == 200
    assert client.get("/traits", headers={"X-Auth-Token": "bad-s3cr3t"}).status_code == 401
    assert client.get("/traits", headers={"X-Service-Token": "bad-s3cr3t"}).status_code == 401

    assert caplog.text
    for secret in ("s3cr3t", SERVICE_TOKEN, PASSWORD):
        assert secret not in caplog.text


def test_the_rules_are_placements(keystone: Keystone, connect: Connect) -> None:
    """Reshaping is for services, unless the deployment still lives with the old defaults."""
    keystone.tokens = {"admin": (["admin"], "p1")}

    assert connect("admin").post("/reshaper", json={}).status_code == 403
    old = connect("admin", more="[oslo_policy]\nenforce_new_defaults = false")
    assert old.post("/reshaper", json={}).status_code == 400


def test_the_version_document_needs_no_keystone(connect: Connect) -> None:
    assert connect("any", port=1).get("/").status_code == 200


@pytest.mark.difference("One form")
def test_a_keystone_that_is_gone_is_no_fault_of_the_token(connect: Connect) -> None:
    answer = connect("good", port=1).get("/traits")

    assert answer.status_code == 503
    assert "Keystone" in answer.json["errors"][0]["detail"]
    assert "Retry-After" in answer.headers


def test_without_a_way_to_keystone_nothing_is_served(neo4j_settings: Settings) -> None:
    command = [sys.executable, "-m", "graphplace.cli", "serve", f"--port={free_port()}"]
    env = os.environ | environment(neo4j_settings) | {"GRAPHPLACE_AUTH_STRATEGY": "keystone"}

    ended = subprocess.run(command, env=env, capture_output=True, text=True, check=False)  # noqa: S603  # made here

    assert ended.returncode == 1
    assert "[keystone_authtoken]" in ended.stderr
