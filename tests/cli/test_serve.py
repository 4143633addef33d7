"""graphplace serve: what it refuses, and the server over real HTTP."""

import http.client
import socket
from collections.abc import Iterator

import orjson
import pytest
from commands import Command
from exposition import samples
from processes import HEADERS, Server, serving

from graphplace.cli.serve import environment
from graphplace.graph.database import Database
from graphplace.settings import Settings


def test_an_address_that_others_reach_is_refused(graphplace: Command) -> None:
    result = graphplace("serve", "--host", "0.0.0.0")  # noqa: S104  # that is what is refused

    assert result.exit_code == 1
    assert "--allow-remote-noauth" in result.stderr


def test_a_host_that_is_unknown_is_refused(graphplace: Command) -> None:
    result = graphplace("serve", "--host", "nowhere.invalid")

    assert result.exit_code == 1
    assert result.stderr.startswith("Error: Cannot listen on nowhere.invalid")


def test_a_port_that_is_taken_is_refused(graphplace: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        result = graphplace("serve", "--port", str(port))

    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: Cannot listen on port {port} of 127.0.0.1")


@pytest.fixture(scope="module")
def server(neo4j_settings: Settings, connected: Database) -> Iterator[Server]:  # the schema is there
    """``graphplace serve`` on the Neo4j of the tests."""
    with serving(environment(neo4j_settings)) as found:
        yield found


def test_one_connection_serves_many_requests(server: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    for _ in range(3):
        connection.request("GET", "/resource_classes/VCPU", headers=HEADERS)
        assert orjson.loads(connection.getresponse().read())["name"] == "VCPU"
    connection.close()


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/traits?name=" + "a" * 10_000, None),
        ("GET", "/allocation_candidates?" + "resources=VCPU:0&" * 600, None),
        ("GET", "/traits/%FF%00%ED%A0%80", None),
        ("POST", "/resource_classes", b"[" * 2 * 1024 * 1024),
        ("POST", "/resource_classes", b'{"name": "CUSTOM_'),
        ("POST", "/resource_classes", b""),
        ("FROB", "/traits", None),
    ],
)
def test_bad_input_gets_the_error_format(server: Server, method: str, path: str, body: bytes | None) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    headers = HEADERS | ({"Content-Type": "application/json"} if body is not None else {})

    connection.request(method, path, body=body, headers=headers)
    answer = connection.getresponse()

    (error,) = orjson.loads(answer.read())["errors"]
    assert 400 <= answer.status < 500
    assert error["status"] == answer.status
    connection.close()


def test_whichever_worker_is_asked_tells_what_all_have_counted(server: Server) -> None:
    def count() -> float:
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        connection.request("GET", "/metrics", headers=HEADERS)
        text = connection.getresponse().read().decode()
        connection.close()
        labels = {"method": "GET", "route": "/resource_classes/<name>", "status": "404"}
        return samples(text).get(("graphplace_http_requests_total", frozenset(labels.items())), 0)

    before = count()
    for _ in range(20):
        assert server.status("GET", "/resource_classes/CUSTOM_NONE") == 404

    assert [count() - before for _ in range(6)] == [20] * 6
