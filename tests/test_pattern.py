"""The pattern form in Neo4j: what it draws, and that no name in a request is taken for Cypher."""

from dataclasses import replace
from typing import Any

import neo4j
import pytest
from cloud import load_cloud, read_cloud, uuid_of
from flask.testing import FlaskClient
from graphplace.cypher import Statement
from pattern_form import run_pattern

from graphplace.graph.database import Database
from graphplace.request.model import CandidateRequest, RequestGroup

CLOUD = """
cn1  DISK_GB:100  @A
  numa1  VCPU:4
    pf1  SRIOV_NET_VF:4
cn2  VCPU:4
ss1  DISK_GB:100  MISC_SHARES_VIA_AGGREGATE  @A
"""

HOSTILE = [
    'quote" RETURN 1 //',
    "quote' RETURN 1 //",
    'escaped\\" RETURN 1 //',
    "line\nMATCH (n) DETACH DELETE n //",
    "escaped line \\u000aMATCH (n) DETACH DELETE n //",
    "escaped quote \\u0022 RETURN 1 //",
    "twice escaped \\\\u0022 RETURN 1 //",
    "separator\u2028MATCH (n) RETURN n //",
    "`} ] ) ; */ $x {y} %s é🙂\t\0",
]


NAME_EVERYTHING = Statement(
    "test.name_everything",
    """
    CREATE (p:ResourceProvider:Root {uuid: $name, name: $name})-[:IN_TREE]->(p)
    CREATE (p)-[:HAS_INVENTORY]->(:Inventory {resource_class: $name, free: 1, min_unit: 1, max_unit: 1, step_size: 1})
    CREATE (p)-[:HAS_TRAIT]->(:Trait {name: $name})
    CREATE (p)-[:MEMBER_OF]->(:Aggregate {uuid: $name})
    """,
    frozenset({"name"}),
    (),
)


def drawn(row: neo4j.Record) -> set[frozenset[str]]:
    """Return the pairs of nodes that the paths of *row* connect, by name or class or label."""
    return {
        frozenset({_called(relationship.start_node), _called(relationship.end_node)})
        for path in row["paths"]
        for relationship in path.relationships
    }


def _called(node: Any) -> str:
    (*_, label) = sorted(node.labels - {"Root"})
    return str(node.get("name") or node.get("resource_class") or label)


def test_paths_show_what_is_taken_the_way_to_the_root_and_who_shares(
    client: FlaskClient, neo4j_driver: neo4j.Driver
) -> None:
    load_cloud(client, read_cloud(CLOUD))
    groups = (
        RequestGroup(suffix="_VIF", resources=(("SRIOV_NET_VF", 1),)),
        RequestGroup(suffix="_DISK", resources=(("DISK_GB", 10),), in_tree=uuid_of("ss1")),
    )
    (row,) = run_pattern(neo4j_driver, CandidateRequest(groups=groups, group_policy="none"))
    assert row.keys() == ["p1", "p2", "paths"]
    assert (row["p1"]["name"], row["p2"]["name"]) == ("pf1", "ss1")
    assert drawn(row) == {
        frozenset({"pf1", "SRIOV_NET_VF"}),
        frozenset({"pf1", "numa1"}),
        frozenset({"numa1", "cn1"}),
        frozenset({"cn1"}),  # a root is in its own tree
        frozenset({"cn1", "Aggregate"}),
        frozenset({"Aggregate", "ss1"}),
        frozenset({"ss1", "DISK_GB"}),
    }


def test_a_candidate_alone_is_drawn_without_the_others(client: FlaskClient, neo4j_driver: neo4j.Driver) -> None:
    load_cloud(client, read_cloud(CLOUD))
    group = RequestGroup(resources=(("VCPU", 4),), in_tree=uuid_of("cn2"))
    (row,) = run_pattern(neo4j_driver, CandidateRequest(groups=(group,)))
    assert drawn(row) == {frozenset({"cn2", "VCPU"})}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_a_name_and_nothing_else(database: Database, neo4j_driver: neo4j.Driver, name: str) -> None:
    """It is found where the graph has it, of which more can be said than of a statement that fails."""
    database.write(lambda tx: tx.run(NAME_EVERYTHING, name=name))
    group = RequestGroup(
        suffix=name,
        resources=((name, 1),),
        required=(frozenset({name, "CUSTOM_OTHER"}),),
        member_of=(frozenset({name}),),
        in_tree=name,
    )
    named_so = CandidateRequest(groups=(group,), root_required=frozenset({name}))
    assert [row["p1"]["uuid"] for row in run_pattern(neo4j_driver, named_so)] == [name]
    assert run_pattern(neo4j_driver, replace(named_so, root_forbidden=frozenset({name}))) == []
