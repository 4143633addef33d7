"""What the graph derives from other parts of itself, derived anew."""

from graph import look

from graphplace.graph.database import Database

# A provider's top is the ancestor without a parent: there is none in a ring.
TREES = """
MATCH (p:ResourceProvider)
WITH p,
     COLLECT { MATCH (p)-[:IN_TREE]->(root) RETURN root.uuid } AS roots,
     COLLECT { MATCH (p)-[:CHILD_OF]->(parent) RETURN parent.uuid } AS parents,
     COLLECT { MATCH (p)-[:CHILD_OF*0..]->(top) WHERE NOT (top)-[:CHILD_OF]->() RETURN DISTINCT top.uuid } AS tops
WHERE roots <> tops OR size(tops) <> 1 OR size(parents) > 1 OR p:Root <> (parents = [])
RETURN p.name AS name, p:Root AS root, roots, parents, tops
"""
SHARING = """
MATCH (p:ResourceProvider)
WITH p,
     COLLECT { MATCH (p)-[:SHARES]->(a) RETURN a.uuid ORDER BY a.uuid } AS shares,
     COLLECT {
       MATCH (p)-[:MEMBER_OF]->(a)
       WHERE EXISTS { (p)-[:HAS_TRAIT]->(:Trait {name: 'MISC_SHARES_VIA_AGGREGATE'}) }
       RETURN a.uuid ORDER BY a.uuid
     } AS expected
WHERE shares <> expected
RETURN p.name AS name, shares, expected
"""


def drift(database: Database) -> list[dict[str, object]]:
    """Return the providers whose place in a tree or whose sharing is not what it is derived from."""
    return look(database, TREES) + look(database, SHARING)
