"""Clouds written straight into the graph: what the API would leave there, without the many requests."""

from cloud import Provider, uuid_of
from graphplace.cypher import Statement
from oracle.oracle import SHARES, capacity

from graphplace.graph.database import Database

CLEAR = Statement(
    "test.clear",
    "MATCH (n) WHERE n:ResourceProvider OR n:Inventory OR n:Aggregate DETACH DELETE n",
    frozenset(),
    (),
)

NAMES = Statement(
    "test.names",
    """
    UNWIND $classes AS name MERGE (:ResourceClass {name: name})
    WITH count(*) AS done
    UNWIND $traits AS name MERGE (:Trait {name: name})
    """,
    frozenset({"classes", "traits"}),
    (),
)

LOAD = Statement(
    "test.load",
    """
    UNWIND $providers AS x
    CREATE (p:ResourceProvider {uuid: x.uuid, name: x.name, generation: 0, revision: timestamp()})
    FOREACH (_ IN CASE WHEN x.parent IS NULL THEN [1] ELSE [] END | SET p:Root)
    WITH p, x
    CALL (p, x) {
      MATCH (root:ResourceProvider {uuid: x.root}) CREATE (p)-[:IN_TREE]->(root)
    }
    CALL (p, x) {
      MATCH (parent:ResourceProvider {uuid: x.parent}) CREATE (p)-[:CHILD_OF]->(parent)
    }
    CALL (p, x) {
      UNWIND x.inventories AS values
      MATCH (c:ResourceClass {name: values.resource_class})
      CREATE (p)-[:HAS_INVENTORY]->(i:Inventory)-[:OF_CLASS]->(c)
      SET i = values
    }
    CALL (p, x) {
      UNWIND x.traits AS name
      MATCH (t:Trait {name: name}) CREATE (p)-[:HAS_TRAIT]->(t)
    }
    CALL (p, x) {
      UNWIND x.aggregates AS uuid
      MERGE (a:Aggregate {uuid: uuid})
      CREATE (p)-[:MEMBER_OF]->(a)
      FOREACH (_ IN CASE WHEN x.shares THEN [1] ELSE [] END | CREATE (p)-[:SHARES]->(a))
    }
    """,
    frozenset({"providers"}),
    (),
)


def write_graph(database: Database, cloud: tuple[Provider, ...]) -> None:
    """Replace all providers of *database* by those of *cloud*."""
    parents = {provider.name: provider.parent for provider in cloud}

    def root(name: str) -> str:
        parent = parents[name]
        return root(parent) if parent else name

    rows = [_row(provider, root(provider.name)) for provider in cloud]

    database.write(lambda tx: (tx.run(CLEAR), tx.run(LOAD, providers=rows)))


def _row(provider: Provider, root: str) -> dict[str, object]:
    uuid = uuid_of(provider.name)
    return {
        "uuid": uuid,
        "name": provider.name,
        "parent": uuid_of(provider.parent) if provider.parent else None,
        "root": uuid_of(root),
        "traits": list(provider.traits),
        "aggregates": [uuid_of(name) for name in provider.aggregates],
        "shares": SHARES in provider.traits,
        "inventories": [
            {
                **vars(inventory),
                "provider_uuid": uuid,
                "resource_class": name,
                "capacity": capacity(inventory),
                "free": capacity(inventory) - inventory.used,
            }
            for name, inventory in provider.inventories.items()
        ],
    }
