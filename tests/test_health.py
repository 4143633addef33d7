"""/livez and /readyz, which need no token."""

from threading import Event

import pytest
from flask.testing import FlaskClient
from graphplace.api import create_app, health, metrics

from graphplace.graph.database import Database


def test_a_server_with_its_graph_is_alive_and_ready(client: FlaskClient) -> None:
    client.environ_base.clear()

    for path, body in (("/livez", {"alive": True}), ("/readyz", {"ready": True})):
        answer = client.get(path)
        assert (answer.status_code, answer.json) == (200, body)
        assert answer.headers["cache-control"] == "no-store"
        assert client.post(path).status_code == 405


def test_without_the_schema_nobody_is_sent_here(
    client: FlaskClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health.schema, "missing_migrations", lambda _: ["0001_first"])

    answer = client.get("/readyz")

    assert (answer.status_code, answer.json["ready"]) == (503, False)
    assert "graphplace db sync" in answer.json["reason"]
    assert client.get("/livez").status_code == 200


class Hanging:
    """A Neo4j that does not answer before it is told to."""

    def __init__(self) -> None:
        self.asked, self.answers = 0, Event()

    def read(self, *_: object) -> list[dict[str, int]]:
        self.asked += 1
        self.answers.wait()
        return []


def test_a_neo4j_that_hangs_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "ANSWER_SECONDS", 0.01)
    monkeypatch.setattr("graphplace.graph.schema.migrations", list)
    neo4j = Hanging()
    client = create_app(neo4j).test_client()  # type: ignore[arg-type]  # a double

    for _ in range(3):
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json["reason"]) == (503, "Neo4j does not answer in time.")
    assert neo4j.asked == 1
    assert client.get("/livez").status_code == 200
    monkeypatch.setattr(metrics, "CLOUD_SECONDS", 0.01)
    for _ in range(3):
        assert "graphplace_neo4j_up 0.0" in client.get("/metrics", headers={"X-Auth-Token": "admin"}).text
    assert neo4j.asked == 2

    neo4j.answers.set()
    monkeypatch.setattr(health, "ANSWER_SECONDS", 60)
    assert client.get("/readyz").json == {"ready": True}
