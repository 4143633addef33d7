"""A tree that is one long chain: nothing recurses, and the length costs nothing where it does not matter."""

from itertools import pairwise
from typing import Any

import neo4j
import pytest
from derived import drift
from flask.testing import FlaskClient
from graphplace.cypher import statement
from werkzeug.test import TestResponse

from graphplace.graph.database import Database

LENGTH = 1200
LOAD = """
UNWIND $uuids AS uuid
CREATE (p:ResourceProvider {uuid: uuid, name: uuid, generation: 0, revision: 0, updated_at: datetime()})
WITH collect(p) AS chain
WITH chain, chain[0] AS root
SET root:Root
FOREACH (p IN chain | CREATE (p)-[:IN_TREE]->(root))
WITH chain
UNWIND range(1, size(chain) - 1) AS depth
WITH chain[depth] AS p, chain[depth - 1] AS parent
CREATE (p)-[:CHILD_OF]->(parent)
"""
CHAIN = [f"{depth:08}-0000-4000-8000-000000000000" for depth in range(LENGTH)]
TOP, DEEPEST = CHAIN[0], CHAIN[-1]
OTHER, NEW = (f"{digit * 8}-0000-4000-8000-000000000000" for digit in "ab")


@pytest.fixture
def chain(client: FlaskClient, driver: neo4j.Driver) -> FlaskClient:
    """The chain, and another root."""
    driver.execute_query(LOAD, uuids=CHAIN)
    create(client, OTHER)
    return client


def create(client: FlaskClient, uuid: str, parent: str | None = None) -> TestResponse:
    body = {"name": uuid, "uuid": uuid, "parent_provider_uuid": parent}
    return client.post("/resource_providers", json=body)


def move(client: FlaskClient, uuid: str, parent: str | None) -> TestResponse:
    return client.put(f"/resource_providers/{uuid}", json={"name": uuid, "parent_provider_uuid": parent})


def places(client: FlaskClient, in_tree: str) -> dict[str, tuple[str | None, str]]:
    found = client.get(f"/resource_providers?in_tree={in_tree}").json["resource_providers"]
    return {one["uuid"]: (one["parent_provider_uuid"], one["root_provider_uuid"]) for one in found}


def test_a_deep_tree_grows_and_shrinks_at_its_end(chain: FlaskClient, database: Database) -> None:
    assert create(chain, NEW, DEEPEST).json["root_provider_uuid"] == TOP
    assert len(places(chain, NEW)) == LENGTH + 1
    assert chain.delete(f"/resource_providers/{DEEPEST}").status_code == 409
    assert chain.delete(f"/resource_providers/{NEW}").status_code == 204
    assert chain.delete(f"/resource_providers/{DEEPEST}").status_code == 204
    assert drift(database) == []


@pytest.mark.difference("Failures")
def test_a_deep_tree_moves_whole_and_in_part(chain: FlaskClient, database: Database) -> None:
    middle = LENGTH // 2
    assert move(chain, TOP, OTHER).json["root_provider_uuid"] == OTHER
    assert places(chain, DEEPEST) == {OTHER: (None, OTHER), TOP: (OTHER, OTHER)} | {
        uuid: (parent, OTHER) for parent, uuid in pairwise(CHAIN)
    }
    assert move(chain, CHAIN[middle], None).status_code == 200
    assert len(places(chain, DEEPEST)) == LENGTH - middle
    assert len(places(chain, TOP)) == middle + 1
    assert drift(database) == []


def test_a_deep_tree_is_no_ring(chain: FlaskClient, database: Database) -> None:
    for uuid, parent in ((TOP, DEEPEST), (CHAIN[1], DEEPEST), (TOP, TOP)):
        answer = move(chain, uuid, parent)
        assert answer.status_code == 400
        assert "creating loop in the provider tree is not allowed." in answer.json["errors"][0]["detail"]
    assert drift(database) == []


def test_creating_a_child_costs_the_same_at_any_depth(chain: FlaskClient, driver: neo4j.Driver) -> None:
    shallow = CHAIN[0].replace("0", "c")
    create(chain, shallow, OTHER)

    assert hits_of_create(driver, DEEPEST, TOP) == hits_of_create(driver, shallow, OTHER)


def hits_of_create(driver: neo4j.Driver, parent: str, root: str) -> int:
    """Return what Neo4j looks up for a new child of *parent*, by its own count."""
    statements = {
        "providers.places": {"uuids": [parent]},
        "locks.lock_providers": {"uuids": [parent, root]},
        "providers.create_child": {"uuid": NEW, "name": NEW, "parent_uuid": parent},
        "providers.read": {"uuids": [NEW]},
    }
    with driver.session() as session, session.begin_transaction() as tx:
        plans = [
            tx.run(f"PROFILE {statement(name).packed}", given=given).consume().profile
            for name, given in statements.items()
        ]
        tx.rollback()
    return sum(map(sum_of_hits, plans))


def sum_of_hits(plan: dict[str, Any]) -> int:
    return plan["dbHits"] + sum(map(sum_of_hits, plan.get("children", ())))
