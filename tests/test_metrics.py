"""/metrics: what it counts, what it tells of the cloud, and to whom."""

import pytest
from claims import claim, load, post, put
from cloud import uuid_of
from exposition import Metrics
from flask.testing import FlaskClient
from graphplace.api import create_app
from graphplace.api.metrics import MOST_CLASSES

from graphplace.graph.database import Database, StaleReadError, Transaction
from graphplace.settings import Settings

CLOUD = """
cn1  VCPU:8(allocation_ratio=2.0,used=3)  DISK_GB:100(reserved=10)
cn2  VCPU:4
"""
REQUESTS, SECONDS = "http_requests_total", "http_request_seconds_count"


def test_requests_are_counted_by_route_and_status(client: FlaskClient) -> None:
    metrics = Metrics(client)
    for name in ("VCPU", "DISK_GB", "CUSTOM_NONE"):
        client.get(f"/resource_classes/{name}")

    route = {"method": "GET", "route": "/resource_classes/<name>"}
    assert metrics.added(REQUESTS, **route, status="200") == 2
    assert metrics.added(REQUESTS, **route, status="404") == 1
    assert metrics.added(SECONDS, **route) == 3


def test_clients_cannot_make_up_series(client: FlaskClient) -> None:
    def ask(number: int) -> None:
        client.get(f"/nowhere/{number}")
        client.get(f"/resource_providers/{number}")
        client.open("/traits", method=f"FROB{number}")

    ask(0)
    metrics = Metrics(client)
    for number in range(1, 21):
        ask(number)

    assert metrics.added(REQUESTS, method="GET", route="none", status="404") == 20
    assert metrics.added(REQUESTS, method="OTHER", route="none", status="405") == 20
    before = {(name, labels) for name, labels in metrics.before if ("route", "/metrics") not in labels}
    assert {(name, labels) for name, labels in metrics.read() if ("route", "/metrics") not in labels} == before


def test_candidates_claims_and_conflicts_are_counted(client: FlaskClient) -> None:
    load(client, CLOUD)
    metrics = Metrics(client)
    for query in ("resources=VCPU:1", "resources=VCPU:1", "resources=VCPU:100"):
        client.get(f"/allocation_candidates?{query}")
    assert metrics.added("candidates_count") == 3
    assert metrics.added("candidates_bucket", le="0.0") == 1
    assert metrics.added("candidates_sum") == 4

    assert put(client, "c1", {"cn1": {"VCPU": 1}}).status_code == 204
    assert put(client, "c1", {"cn1": {"VCPU": 1}}).status_code == 409
    assert put(client, "c2", {"cn2": {"VCPU": 5}}).status_code == 409
    both = {"c2": claim({"cn2": {"VCPU": 1}}), "c3": claim({"cn2": {"VCPU": 1}})}
    assert post(client, both).status_code == 204
    assert put(client, "c2", {}, 1).status_code == 204
    assert client.delete(f"/allocations/{uuid_of('c3')}").status_code == 204

    assert metrics.added("claims_total", change="granted") == 3
    assert metrics.added("claims_total", change="released") == 2
    route = {"route": "/allocations/<uuid>"}
    assert metrics.added("conflicts_total", **route, code="placement.concurrent_update") == 1
    assert metrics.added("conflicts_total", **route, code="placement.undefined_code") == 1


def test_statements_are_counted_by_name_and_retries_by_reason(client: FlaskClient, database: Database) -> None:
    metrics = Metrics(client)
    client.get("/resource_classes/VCPU")
    races = [StaleReadError()]

    def lose_once(_tx: Transaction) -> None:
        if races:
            raise races.pop()

    database.write(lose_once)

    assert metrics.added("neo4j_statement_seconds_count", statement="resource_classes.get") == 1
    assert metrics.added("neo4j_retries_total", reason="race") == 1
    assert metrics.added("neo4j_retries_total", reason="transient") == 0
    # The one that reads for this answer is over, as all others are.
    assert metrics.now("neo4j_transactions") == 0


@pytest.mark.usefixtures("_long_ago")
def test_a_statement_that_is_streamed_is_counted_at_its_end(client: FlaskClient) -> None:
    load(client, CLOUD)
    metrics = Metrics(client)
    client.get("/allocation_candidates?resources=VCPU:1")

    assert metrics.added("neo4j_statement_seconds_count", statement="candidates.summaries") == 1


def test_the_cloud_is_what_it_is_now(client: FlaskClient) -> None:
    load(client, CLOUD)
    metrics = Metrics(client)
    assert metrics.now("neo4j_up") == 1
    for name, value in (("providers", 2), ("consumers", 1), ("allocations", 1), ("resource_classes_left_out", 0)):
        assert metrics.now(name) == value
    for name, value in (("inventories", 2), ("capacity", 20), ("used", 3)):
        assert metrics.now(name, resource_class="VCPU") == value
    assert metrics.now("capacity", resource_class="DISK_GB") == 90
    assert metrics.now("capacity", resource_class="MEMORY_MB") is None

    client.delete(f"/allocations/{uuid_of('cn1 VCPU')}")
    assert metrics.now("used", resource_class="VCPU") == 0


def test_of_very_many_classes_the_commonest_are_told(client: FlaskClient) -> None:
    kinds = " ".join(f"CUSTOM_{number:03}:1" for number in range(MOST_CLASSES))
    load(client, f"cn1 VCPU:1 {kinds}\ncn2 VCPU:1 CUSTOM_{MOST_CLASSES - 1:03}:1")
    metrics = Metrics(client)

    assert metrics.now("resource_classes_left_out") == 1
    assert metrics.now("inventories", resource_class="VCPU") == 2
    assert metrics.now("inventories", resource_class=f"CUSTOM_{MOST_CLASSES - 1:03}") == 2
    assert metrics.now("inventories", resource_class=f"CUSTOM_{MOST_CLASSES - 2:03}") is None


@pytest.mark.parametrize(
    ("settings", "headers", "status"),
    [
        (Settings(), {}, 401),
        (Settings(), {"X-Auth-Token": "admin"}, 200),
        (Settings(), {"X-Auth-Token": "somebody"}, 403),
        (Settings(metrics_auth="token", metrics_token="t"), {}, 401),
        (Settings(metrics_auth="token", metrics_token="t"), {"X-Auth-Token": "admin"}, 401),
        (Settings(metrics_auth="token", metrics_token="t"), {"Authorization": "Bearer u"}, 401),
        (Settings(metrics_auth="token", metrics_token="t"), {"Authorization": "Bearer t"}, 200),
        (Settings(metrics_auth="open"), {}, 200),
    ],
)
def test_who_may_read_it(database: Database, settings: Settings, headers: dict[str, str], status: int) -> None:
    answer = create_app(database, settings).test_client().get("/metrics", headers=headers)

    assert answer.status_code == status
    assert "openstack-api-version" not in answer.headers
    if status == 401:
        assert answer.headers["WWW-Authenticate"]
