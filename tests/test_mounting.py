"""Where the API is found: at a path, behind a proxy, in another WSGI server, from pages of other origins."""

import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from graphplace.api import create_app

from graphplace.cli.serve import environment
from graphplace.graph.database import Database
from graphplace.settings import CONFIG_VARIABLE, Settings

HEADERS = {"X-Auth-Token": "admin", "OpenStack-API-Version": "placement latest"}
FORWARDED = {
    "X-Forwarded-For": "192.0.2.7",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "cloud.example.com",
    "X-Forwarded-Port": "8443",
    "X-Forwarded-Prefix": "/placement",
}


def client_of(database: Database, settings: Settings) -> FlaskClient:
    client = create_app(database, settings).test_client()
    client.environ_base |= {"HTTP_X_AUTH_TOKEN": "admin", "HTTP_OPENSTACK_API_VERSION": "placement latest"}
    return client


@pytest.mark.parametrize("prefix", ["/placement", "placement/", "/api/placement"])
def test_below_a_path(database: Database, prefix: str) -> None:
    client = client_of(database, Settings(path_prefix=prefix))
    mounted = f"/{prefix.strip('/')}"

    for root in (mounted, f"{mounted}/", "/"):
        assert client.get(root).json["versions"]
    made = client.post(f"{mounted}/resource_providers", json={"name": "cn1"})
    assert made.headers["Location"] == f"http://localhost{mounted}/resource_providers/{made.json['uuid']}"
    assert made.json["links"][0]["href"] == f"{mounted}/resource_providers/{made.json['uuid']}"
    assert client.get(made.headers["Location"]).status_code == 200
    assert client.get(f"/resource_providers/{made.json['uuid']}").status_code == 200
    assert client.get(f"{mounted}x/resource_providers").status_code == 404


def test_a_path_needs_a_token_too(database: Database) -> None:
    client = create_app(database, Settings(path_prefix="/placement")).test_client()

    assert client.get("/placement").status_code == 200
    assert client.get("/placement/traits").status_code == 401


def test_behind_a_proxy(database: Database) -> None:
    client = client_of(database, Settings(proxy_headers=True))

    made = client.post("/resource_providers", json={"name": "cn1"}, headers=FORWARDED)

    path = f"/placement/resource_providers/{made.json['uuid']}"
    assert made.headers["Location"] == f"https://cloud.example.com:8443{path}"
    assert made.json["links"][0]["href"] == path


def test_without_a_proxy_clients_cannot_say_where_they_are(client: FlaskClient) -> None:
    made = client.post("/resource_providers", json={"name": "cn1"}, headers=FORWARDED)

    assert made.headers["Location"].startswith("http://localhost/resource_providers/")


def test_pages_of_other_origins(database: Database, tmp_path: Path) -> None:
    """The options of a preflight answer are those of the ini file."""
    config = tmp_path / "placement.conf"
    config.write_text("[cors]\nallowed_origin = https://a.example, https://b.example\nallow_headers = x-auth-token\n")
    client = client_of(database, Settings.load({CONFIG_VARIABLE: str(config)}))
    asked = {"Origin": "https://b.example", "Access-Control-Request-Method": "PUT"}

    allowed = client.options("/traits", headers=asked | {"Access-Control-Request-Headers": "x-auth-token"})
    refused = client.options("/traits", headers=asked | {"Access-Control-Request-Headers": "x-other"})

    assert allowed.headers["Access-Control-Allow-Origin"] == "https://b.example"
    assert "Access-Control-Allow-Origin" not in refused.headers
    assert "Access-Control-Allow-Origin" not in client.get("/traits", headers={"Origin": "https://c.example"}).headers


SERVER = """
import sys
from wsgiref.simple_server import make_server
from graphplace.api.application import application
with make_server("127.0.0.1", 0, application) as server:
    print(server.server_port, flush=True)
    server.handle_request()
"""


def test_in_another_wsgi_server(neo4j_settings: Settings, connected: Database) -> None:  # the schema is there
    process = subprocess.Popen(  # noqa: S603  # our own code
        [sys.executable, "-c", SERVER],
        env=os.environ | environment(neo4j_settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        asked = urllib.request.Request(f"http://127.0.0.1:{port}/resource_classes/VCPU", headers=HEADERS)
        with urllib.request.urlopen(asked, timeout=30) as answer:  # noqa: S310
            assert answer.status == 200
    assert process.returncode == 0
