"""What Neo4j does for each route: how many statements it is asked, and what they read. No times.

Each route is asked in a small cloud and in one three times as large. Nothing is written: transactions are rolled back
where they would be committed, so that all routes see the same graph.
"""

from dataclasses import dataclass

import neo4j
import pytest
from claims import load
from cloud import PROJECT
from each_write import CASES, CLOUD, CN1_PATH, CONSUMER, PREVIEWS, Case, name_of, send
from flask.testing import FlaskClient
from graphplace.api import create_app
from graphplace.api.routes import ROUTES
from graphplace.api.ui.views import VIEWS
from growing import grow
from profiling import Profiling

from graphplace.graph import schema
from graphplace.graph.database import Database
from graphplace.graph.plans import plan_ahead
from graphplace.settings import Settings

# Of both, the search counts as much as it ever does, and Neo4j keeps the relationships of a node in the same way.
SIZES = (120, 360)
# How much more is read where one more step is taken in an index that has grown.
MORE = 1.1


def read(path: str, status: int = 200, version: str = "latest") -> Case:
    return Case("GET", path, status, version=version)


CANDIDATES = "/allocation_candidates?resources=VCPU:1"
# fmt: off
READS = {
    "root.show": read("/"),
    "resource_providers.show": read(CN1_PATH),
    "aggregates.show": read(f"{CN1_PATH}/aggregates"),
    "provider_traits.show": read(f"{CN1_PATH}/traits"),
    "allocation_candidates.index": read(f"{CANDIDATES}&limit=10"),
    "resource_classes.index": read("/resource_classes"),
    "resource_classes.show": read("/resource_classes/VCPU"),
    "inventories.index": read(f"{CN1_PATH}/inventories"),
    "inventories.show": read(f"{CN1_PATH}/inventories/VCPU"),
    "allocations.index_of_provider": read(f"{CN1_PATH}/allocations"),
    "allocations.show": read(f"/allocations/{CONSUMER}"),
    "usages.of_provider": read(f"{CN1_PATH}/usages"),
    "traits.index": read("/traits"),
    "traits.show": read("/traits/HW_CPU_X86_VMX", 204),
    "trees.show": read(f"{CN1_PATH}/tree", version="1.39, graphplace 1.0"),
    # These read what they give: all of it, of the whole cloud.
    "allocation_candidates.explain": read(
        "/allocation_candidates/explain?resources=VCPU:1", version="1.39, graphplace 1.0"
    ),
    "resource_providers.index": read("/resource_providers"),
    "usages.index": read(f"/usages?project_id={PROJECT}"),
}
# Beside Placement's API. Metrics read all inventories.
OUTSIDE = {"metrics": read("/metrics"), "livez": read("/livez"), "readyz": read("/readyz")}
# Of the page, which shows parts.
PAGE = {
    "page.start": read("/ui/.json"),
    "page.search": read("/ui/search.json?q=host"),
    "page.tree": read("/ui/tree/cn1.json"),
    "page.candidates": read("/ui/candidates.json?resources=VCPU:1&limit=10"),
    "page.claims": read(f"/ui/claims/{CONSUMER}.json"),
    "page.questions": read("/ui/ask.json"),
}
# Questions of the cookbook and audits read what they are about, and a reshape is read as by its route.
NOT_MEASURED = {"page.question", "page.reshape", "page.audit", "page.orphans"}
# fmt: on


@dataclass(frozen=True)
class Cost:
    """How many statements a route takes, and what all of them read together."""

    statements: int
    reads: int


COSTS = {
    "root.show": Cost(0, 0),
    "resource_providers.show": Cost(1, 23),
    "aggregates.show": Cost(1, 13),
    "provider_traits.show": Cost(1, 14),
    "allocation_candidates.index": Cost(5, 1203),
    "allocation_candidates.what_if": Cost(8, 1762),
    "allocation_candidates.explain_what_if": Cost(9, 14739),
    "allocation_candidates.explain": Cost(7, 8020),
    "resource_classes.index": Cost(1, 70),
    "resource_classes.show": Cost(1, 3),
    "inventories.index": Cost(2, 33),
    "inventories.show": Cost(2, 25),
    "allocations.index_of_provider": Cost(2, 30),
    "allocations.show": Cost(2, 45),
    "usages.of_provider": Cost(2, 21),
    "traits.index": Cost(1, 1135),
    "traits.show": Cost(1, 3),
    "trees.show": Cost(2, 251),
    "resource_providers.index": Cost(1, 2333),
    "usages.index": Cost(1, 2061),
    "resource_providers.create": Cost(6, 67),
    "resource_providers.update": Cost(14, 148),
    "resource_providers.delete": Cost(5, 61),
    "aggregates.replace": Cost(6, 67),
    "provider_traits.replace": Cost(8, 102),
    "provider_traits.clear": Cost(5, 39),
    "resource_classes.create": Cost(2, 8),
    "resource_classes.rename": Cost(6, 41),
    "resource_classes.ensure": Cost(2, 8),
    "resource_classes.delete": Cost(3, 8),
    "inventories.create": Cost(2, 49),
    "inventories.replace": Cost(2, 61),
    "inventories.delete_all": Cost(2, 21),
    "inventories.update": Cost(2, 29),
    "inventories.delete": Cost(2, 29),
    "allocations.replace_many": Cost(3, 259),
    "allocations.replace": Cost(3, 176),
    "allocations.delete": Cost(2, 76),
    "reshaper.reshape": Cost(5, 179),
    "reshaper.preview": Cost(2, 90),
    "traits.ensure": Cost(2, 8),
    "traits.delete": Cost(3, 8),
    "metrics": Cost(1, 980),
    "page.start": Cost(2, 157),
    "page.search": Cost(1, 1456),
    "page.tree": Cost(3, 250),
    # With the tree that the first one is drawn on.
    "page.candidates": Cost(7, 1375),
    "page.claims": Cost(4, 291),
    "page.questions": Cost(0, 0),
    "livez": Cost(0, 0),
    # It reads each migration.
    "readyz": Cost(1, 12),
}
WHOLE = {
    "metrics",
    "allocation_candidates.explain",
    "allocation_candidates.explain_what_if",
    "resource_providers.index",
    "usages.index",
}


@dataclass(frozen=True)
class Counts:
    """For each route, what each of its statements reads."""

    small: dict[str, list[int]]
    large: dict[str, list[int]]


def client_of(database: Database) -> FlaskClient:
    client = create_app(database, Settings(allocation_candidates_timeout=0)).test_client()
    client.environ_base |= {"HTTP_X_AUTH_TOKEN": "admin", "HTTP_OPENSTACK_API_VERSION": "placement latest"}
    return client


@pytest.fixture(scope="module")
def counts(_long_ago: None, connected: Database, neo4j_driver: neo4j.Driver, neo4j_settings: Settings) -> Counts:
    schema.wipe(connected)
    plan_ahead(connected)
    client = client_of(connected)
    load(client, CLOUD)
    client.put("/traits/CUSTOM_UNUSED")
    client.put("/resource_classes/CUSTOM_UNUSED")
    profiling = Profiling(neo4j_driver)
    profiled = client_of(profiling.database(neo4j_settings.neo4j_database))

    def ask(case: Case) -> list[int]:
        profiling.reads.clear()
        answer = send(profiled, case)
        assert answer.status_code == case.status, answer.text
        return list(profiling.reads)

    found = []
    begin = 0
    for size in SIZES:
        grow(connected, range(begin, size), trait="HW_CPU_X86_VMX", aggregate="rack")
        found.append({name: ask(case) for name, case in (READS | PAGE | CASES | PREVIEWS | OUTSIDE).items()})
        begin = size
    return Counts(*found)


def test_no_route_costs_more_than_it_did(counts: Counts) -> None:
    costs = {name: Cost(len(reads), sum(reads)) for name, reads in counts.small.items()}
    assert costs.keys() == COSTS.keys()
    dearer = {
        name: (cost, COSTS[name])
        for name, cost in costs.items()
        if cost.statements > COSTS[name].statements or cost.reads > COSTS[name].reads * MORE
    }
    assert dearer == {}


def test_no_route_reads_more_in_a_larger_cloud_than_it_gives(counts: Counts) -> None:
    grown = {
        name: (counts.small[name], large)
        for name, large in counts.large.items()
        if sum(large) > MORE * (COSTS[name].reads * SIZES[1] / SIZES[0] if name in WHOLE else sum(counts.small[name]))
    }
    assert grown == {}
    assert [name for name, large in counts.large.items() if len(large) > len(counts.small[name])] == []


def test_every_route_that_reads_has_a_case() -> None:
    reading = {name_of(route) for routes in ROUTES.values() for route in routes if route.method == "GET"}
    assert reading == READS.keys()
    assert {f"page.{view.name}" for view in VIEWS} == PAGE.keys() | NOT_MEASURED
