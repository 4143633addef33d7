"""Neo4j goes away and comes back while the API serves."""

import http.client
import os
import signal
import time
from contextlib import closing

from graphplace.api import create_app
from processes import HEADERS, Server

from graphplace.graph import local, schema
from graphplace.graph.database import Database
from graphplace.settings import Settings


def test_without_neo4j_the_answer_is_503_within_five_seconds(
    own_settings: Settings, own_neo4j: local.LocalNeo4j
) -> None:
    with closing(Database.connect(own_neo4j.connect_to(own_settings))) as database:
        schema.initialise(database)
        client = create_app(database).test_client()
        assert client.get("/traits", headers=HEADERS).status_code == 200

        own_neo4j.stop()
        for method, path in (("GET", "/traits"), ("PUT", "/traits/CUSTOM_A")):
            began = time.monotonic()
            answer = client.open(path, method=method, headers=HEADERS)
            assert time.monotonic() - began < 5
            assert answer.status_code == 503
            assert answer.headers["retry-after"]
            assert "Neo4j cannot be reached" in answer.json["errors"][0]["detail"]
        assert client.get("/readyz").json == {"ready": False, "reason": "Neo4j cannot be asked."}
        assert "graphplace_neo4j_up 0.0" in client.get("/metrics", headers=HEADERS).text
        assert client.get("/livez").status_code == 200

        with local.start(own_settings, detached=False, fast_start=True):
            assert client.put("/traits/CUSTOM_A", headers=HEADERS).status_code == 201
            assert client.get("/readyz").json == {"ready": True}


def test_the_server_starts_its_neo4j_again(own_settings: Settings, server: Server) -> None:
    assert server.status("PUT", "/traits/CUSTOM_A") == 201

    first = local.running(own_settings)
    assert first
    os.kill(first.pid, signal.SIGKILL)

    while (now := server.status("GET", "/traits/CUSTOM_A")) == 503:
        pass
    assert now == 204
    second = local.running(own_settings)
    assert second
    assert second.pid != first.pid


def test_the_server_ends_with_its_neo4j_and_in_peace(own_settings: Settings, server: Server) -> None:
    assert local.running(own_settings)

    server.process.terminate()

    assert server.process.wait() == 0
    assert local.running(own_settings) is None


def test_neo4j_ends_with_a_server_that_is_killed(own_settings: Settings, server: Server) -> None:
    server.process.kill()
    server.process.wait()

    while local.status(own_settings).busy or local.running(own_settings):
        pass


def test_the_workers_of_a_server_that_is_killed_leave_its_port(server: Server) -> None:
    server.process.kill()
    server.process.wait()

    while not refuses(server):
        pass


def refuses(server: Server) -> bool:
    try:
        server.status("GET", "/")
    except ConnectionRefusedError:
        return True
    except (OSError, http.client.HTTPException):
        pass
    return False
