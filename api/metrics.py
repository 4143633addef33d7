"""``/metrics`` for Prometheus: requests, candidates and claims, the work with Neo4j, and what the cloud has and uses.

Each worker process of a server counts for itself. With ``PROMETHEUS_MULTIPROC_DIR`` in the environment, as ``graphplace
serve`` sets it, the numbers stand in files of that folder, and whichever worker is asked gives the sums of all.
"""

import hmac
import os
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from flask import Flask, Response, g, request
from graphplace.api import authorization
from graphplace.api.outside import METRICS
from graphplace.api.question import Question
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Unauthorized

from graphplace import usages
from graphplace.errors import GraphplaceError
from graphplace.graph.budget import Budget
from graphplace.graph.database import Database
from graphplace.settings import API, TOKEN, Settings

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
ROUTE = f"GET {METRICS}"
# Clouds have some dozens of classes. Where each kind of bare metal has one of its own, the commonest are shown.
MOST_CLASSES = 100
# Who scrapes gives up after ten seconds, most often.
CLOUD_SECONDS = 5.0
# What no route has is counted together: clients can make up any number of paths and methods.
NO_ROUTE, OTHER_METHOD = "none", "OTHER"
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"})

REQUESTS = Counter(
    "graphplace_http_requests", "Requests answered, by the path as the route has it.", ["method", "route", "status"]
)
SECONDS = Histogram(
    "graphplace_http_request_seconds",
    "Time from a request's first check until its answer is made.",
    ["method", "route"],
    buckets=(0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
CANDIDATES = Histogram(
    "graphplace_candidates", "Candidates of each request for them.", buckets=(0, 1, 10, 100, 1000, 10_000)
)
GRANTED, RELEASED = "granted", "released"
CLAIMS = Counter("graphplace_claims", "Consumers whose allocations were granted, or released.", ["change"])
for _change in (GRANTED, RELEASED):
    CLAIMS.labels(_change)
CONFLICTS = Counter("graphplace_conflicts", "Requests answered with 409, by the error's code.", ["route", "code"])

_OF_CLASSES = {
    "inventories": "Inventories of a resource class.",
    "capacity": "What all inventories of a resource class give, in its units.",
    "used": "What is allocated of a resource class, in its units.",
}


def register(app: Flask, database: Database, settings: Settings) -> None:
    """Let *app* count what it does, and serve the numbers and those of *database* to whom *settings* name."""
    cloud = CollectorRegistry()
    cloud.register(_Cloud(database))

    def show() -> Response:
        _admit(settings)
        return Response(_own() + generate_latest(cloud), content_type=CONTENT_TYPE_LATEST)

    app.add_url_rule(METRICS, "metrics", show, methods=["GET"], provide_automatic_options=False)
    app.before_request(_begin)
    app.after_request(_count)


def seconds() -> float:
    """Return for how many seconds the current request has been worked on."""
    begin: float = g.begin
    return perf_counter() - begin


def route() -> str:
    """Return the path of the current request as its route has it, with names in place of values."""
    return request.url_rule.rule if request.url_rule else NO_ROUTE


def _begin() -> None:
    g.begin = perf_counter()


def _count(response: Response) -> Response:
    method, path = request.method if request.method in METHODS else OTHER_METHOD, route()
    REQUESTS.labels(method, path, response.status_code).inc()
    SECONDS.labels(method, path).observe(seconds())
    return response


def _admit(settings: Settings) -> None:
    """Raise Unauthorized (401) or Forbidden (403) unless the current request may read metrics."""
    if settings.metrics_auth == API:
        authorization.require(ROUTE)
    elif settings.metrics_auth == TOKEN:
        given = request.headers.get("Authorization", "").encode()
        if not hmac.compare_digest(given, f"Bearer {settings.metrics_token}".encode()):
            raise Unauthorized(
                "Give the token of the setting metrics_token: Authorization: Bearer TOKEN.",
                www_authenticate=WWWAuthenticate("bearer", {"realm": "graphplace"}),
            )


def _own() -> bytes:
    """Return the numbers of this process, or the sums of all processes that share a folder."""
    folder = os.environ.get(FOLDER_VARIABLE)
    if folder is None:
        return generate_latest(REGISTRY)
    _forget_ended(Path(folder))
    registry = CollectorRegistry()
    MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]  # as it comes
    return generate_latest(registry)


def _forget_ended(folder: Path) -> None:
    """Leave out what processes were doing that are no more; what they have done counts on."""
    for file in folder.glob("gauge_live*.db"):
        pid = int(file.stem.rpartition("_")[2])
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            mark_process_dead(pid, str(folder))  # type: ignore[no-untyped-call]  # as it comes


class _Cloud(Collector):
    """What the graph holds now, read when it is asked for: no process keeps what another's write makes wrong."""

    def __init__(self, database: Database) -> None:
        self._usages = Question(lambda: usages.of_cloud(database, Budget(CLOUD_SECONDS, "of metrics")))

    def describe(self) -> list[GaugeMetricFamily]:
        """Return nothing: what there is depends on Neo4j."""
        return []

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the numbers; only that Neo4j is not there when it is not."""
        try:
            cloud = self._usages.answer(CLOUD_SECONDS)
        except (GraphplaceError, TimeoutError):
            yield _gauge("neo4j_up", "Whether Neo4j answered.", 0)
            return
        yield _gauge("neo4j_up", "Whether Neo4j answered.", 1)
        yield _gauge("providers", "Resource providers.", cloud.providers)
        yield _gauge("consumers", "Consumers.", cloud.consumers)
        yield _gauge("allocations", "Allocations, each of one inventory.", cloud.allocations)
        shown = cloud.classes[:MOST_CLASSES]
        for name, words in _OF_CLASSES.items():
            family = GaugeMetricFamily(f"graphplace_{name}", words, labels=["resource_class"])
            for one in shown:
                family.add_metric([one.name], getattr(one, name))
            yield family
        yield _gauge(
            "resource_classes_left_out",
            f"Resource classes beyond the {MOST_CLASSES} that most inventories are of.",
            len(cloud.classes) - len(shown),
        )


def _gauge(name: str, words: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"graphplace_{name}", words, value=value)
