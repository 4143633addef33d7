// Aggregates: which providers are members of which.
//
// An aggregate that has lost its last member stays as a node, so that nobody who joins it at that moment is lost.
// To every reader it is the same as one that never was.

// name: of_provider
// parameters: uuid
// columns: generation, aggregates
MATCH (p:ResourceProvider {uuid: $uuid})
USING INDEX SEEK p:ResourceProvider(uuid)
RETURN p.generation AS generation, [(p)-[:MEMBER_OF]->(a:Aggregate) | a.uuid] AS aggregates

// name: ensure
// parameters: aggregates
// columns: -
UNWIND $aggregates AS aggregate
MERGE (a:Aggregate {uuid: aggregate})
ON CREATE SET a.created_at = datetime(), a.updated_at = datetime()

// name: leave_all_but
// parameters: uuid, aggregates
// columns: -
MATCH (named:ResourceProvider {uuid: $uuid})-[member_of:MEMBER_OF]->(a:Aggregate)
USING INDEX SEEK named:ResourceProvider(uuid)
WHERE NOT a.uuid IN $aggregates
DELETE member_of

// name: join
// parameters: uuid, aggregates
// columns: -
MATCH (p:ResourceProvider {uuid: $uuid})
USING INDEX SEEK p:ResourceProvider(uuid)
UNWIND $aggregates AS aggregate
MATCH (a:Aggregate {uuid: aggregate})
USING INDEX SEEK a:Aggregate(uuid)
WHERE NOT EXISTS { (p)-[:MEMBER_OF]->(a) }
CREATE (p)-[:MEMBER_OF]->(a)

// name: leave_each
// parameters: rows
// columns: -
UNWIND $rows AS row
MATCH (p:ResourceProvider {uuid: row.provider})-[member_of:MEMBER_OF]->(a {uuid: row.name})
USING INDEX SEEK p:ResourceProvider(uuid)
DELETE member_of

// name: join_each
// parameters: rows
// columns: -
UNWIND $rows AS row
MATCH (p:ResourceProvider {uuid: row.provider})
USING INDEX SEEK p:ResourceProvider(uuid)
MATCH (a:Aggregate {uuid: row.name})
USING INDEX SEEK a:Aggregate(uuid)
WHERE NOT EXISTS { (p)-[:MEMBER_OF]->(a) }
CREATE (p)-[:MEMBER_OF]->(a)

// name: derive_sharing
// parameters: uuids, trait
// columns: -
UNWIND $uuids AS uuid
MATCH (p:ResourceProvider {uuid: uuid})
USING INDEX SEEK p:ResourceProvider(uuid)
WITH p, EXISTS { (p)-[:HAS_TRAIT]->(:Trait {name: $trait}) } AS sharing
CALL (p, sharing) {
  MATCH (p)-[shares:SHARES]->(a)
  WHERE NOT sharing OR NOT EXISTS { (p)-[:MEMBER_OF]->(a) }
  DELETE shares
}
CALL (p, sharing) {
  MATCH (p)-[:MEMBER_OF]->(a:Aggregate)
  WHERE sharing AND NOT EXISTS { (p)-[:SHARES]->(a) }
  CREATE (p)-[:SHARES]->(a)
}
