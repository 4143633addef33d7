// Restoring a dump into an empty graph. Placing providers, their traits and aggregates are as in loading.cypher.

// name: occupied
// parameters: -
// columns: providers, consumers, unfinished
RETURN COUNT { MATCH (p:ResourceProvider) } AS providers, COUNT { MATCH (c:Consumer) } AS consumers,
  EXISTS { MATCH (r:Restoration) } AS unfinished

// name: begin
// parameters: -
// columns: -
// The mark of a graph that does not hold all of its dump yet.
CREATE (:Restoration {started_at: datetime()})

// name: unfinished
// parameters: -
// columns: started_at
MATCH (r:Restoration)
RETURN toString(r.started_at) AS started_at

// name: end
// parameters: -
// columns: -
MATCH (r:Restoration)
DELETE r

// name: create_providers
// parameters: rows
// columns: -
UNWIND $rows AS row
CREATE (:ResourceProvider {
  uuid: row.uuid, name: row.name, generation: row.generation, revision: 0,
  created_at: datetime(row.created_at), updated_at: datetime(row.updated_at)
})

// name: create_inventories
// parameters: rows
// columns: -
UNWIND $rows AS row
MATCH (p:ResourceProvider {uuid: row.provider_uuid})
MATCH (k:ResourceClass {name: row.resource_class})
CREATE (p)-[:HAS_INVENTORY]->(:Inventory {
  provider_uuid: row.provider_uuid, resource_class: row.resource_class, total: row.total, reserved: row.reserved,
  min_unit: row.min_unit, max_unit: row.max_unit, step_size: row.step_size, allocation_ratio: row.allocation_ratio,
  capacity: row.capacity, used: 0, free: row.capacity,
  created_at: datetime(row.created_at), updated_at: datetime(row.updated_at)
})-[:OF_CLASS]->(k)

// name: create_consumers
// parameters: rows
// columns: -
UNWIND $rows AS row
MATCH (project:Project {id: row.project_id})
MATCH (user:User {id: row.user_id})
CREATE (c:Consumer {
  uuid: row.uuid, generation: row.generation,
  created_at: datetime(row.created_at), updated_at: datetime(row.updated_at)
})
CREATE (c)-[:OF_PROJECT]->(project)
CREATE (c)-[:OF_USER]->(user)
WITH c, row
MATCH (type:ConsumerType {name: row.type})
CREATE (c)-[:OF_TYPE]->(type)

// name: use_inventories
// parameters: rows
// columns: found
// Each inventory once, for all that is allocated of it: its free amount is indexed.
UNWIND $rows AS row
MATCH (p:ResourceProvider {name: row.provider})
MATCH (i:Inventory {provider_uuid: p.uuid, resource_class: row.resource_class})
SET i.used = i.used + row.amount, i.free = i.free - row.amount
RETURN collect([row.provider, row.resource_class]) AS found

// name: create_allocations
// parameters: rows
// columns: -
UNWIND $rows AS row
MATCH (c:Consumer {uuid: row.consumer_uuid})
MATCH (p:ResourceProvider {name: row.provider})
MATCH (i:Inventory {provider_uuid: p.uuid, resource_class: row.resource_class})
CREATE (c)-[:CONSUMES {
  resource_class: row.resource_class, amount: row.amount, position: row.position, created_at: datetime(row.created_at)
}]->(i)

// name: date_names
// parameters: resource_classes, traits, aggregates, projects, users, consumer_types
// columns: -
CALL () {
  UNWIND $resource_classes AS row
  MERGE (n:ResourceClass {name: row.name})
  SET n.created_at = datetime(row.created_at), n.updated_at = datetime(row.updated_at)
}
CALL () {
  UNWIND $traits AS row
  MERGE (n:Trait {name: row.name})
  SET n.created_at = datetime(row.created_at), n.updated_at = datetime(row.updated_at)
}
CALL () {
  UNWIND $aggregates AS row
  MERGE (n:Aggregate {uuid: row.name})
  SET n.created_at = datetime(row.created_at), n.updated_at = datetime(row.updated_at)
}
CALL () { UNWIND $projects AS row MERGE (n:Project {id: row.name}) SET n.created_at = datetime(row.created_at) }
CALL () { UNWIND $users AS row MERGE (n:User {id: row.name}) SET n.created_at = datetime(row.created_at) }
CALL () {
  UNWIND $consumer_types AS row MERGE (n:ConsumerType {name: row.name}) SET n.created_at = datetime(row.created_at)
}
