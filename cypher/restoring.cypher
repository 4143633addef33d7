// Filling an empty graph, many entries at once. A row is a list: its keys would be sent with each.

// name: occupied
// parameters: -
// columns: providers, consumers, hosts, unfinished
RETURN COUNT { MATCH (p:ResourceProvider) } AS providers, COUNT { MATCH (c:Consumer) } AS consumers,
  EXISTS { MATCH (n:Cell|HostAggregate|Host) } AS hosts,
  EXISTS { MATCH (r:Restoration) } AS unfinished

// name: lock
// parameters: -
// columns: -
// Of several loads at once the others wait here until the first has made its mark.
MATCH (m:Migration {number: 1})
USING INDEX SEEK m:Migration(number)
SET m:Migration

// name: begin
// parameters: -
// columns: -
// The mark of a graph that does not hold all of its file yet.
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
// parameters: providers, roots, parents, inventories, traits, aggregates
// columns: -
// A provider is known by its number in the list of all. Looking up each by its uuid, once for whatever it has, costs
// more than to create it.
UNWIND range(0, size($providers) - 1) AS number
WITH number, $providers[number] AS new
CREATE (p:ResourceProvider {
  uuid: new[0], name: new[1], generation: new[2], revision: timestamp(), created_at: datetime(new[3]), updated_at: datetime(new[4])
})
WITH number, p ORDER BY number
WITH collect(p) AS providers
CALL (providers) {
  UNWIND range(0, size(providers) - 1) AS number
  WITH providers[number] AS p, providers[$roots[number]] AS root
  CREATE (p)-[:IN_TREE]->(root)
}
CALL (providers) {
  UNWIND range(0, size(providers) - 1) AS number
  WITH providers[number] AS p WHERE $roots[number] = number
  SET p:Root
}
CALL (providers) {
  UNWIND $parents AS pair
  WITH providers[pair[0]] AS p, providers[pair[1]] AS parent
  CREATE (p)-[:CHILD_OF]->(parent)
}
CALL (providers) {
  UNWIND $inventories AS of_class
  MATCH (k:ResourceClass {name: of_class[0]})
  USING INDEX SEEK k:ResourceClass(name)
  UNWIND of_class[1] AS new
  WITH k, new, providers[new[0]] AS p
  CREATE (p)-[:HAS_INVENTORY]->(:Inventory {
    provider_uuid: p.uuid, resource_class: k.name, total: new[1], reserved: new[2], min_unit: new[3], max_unit: new[4],
    step_size: new[5], allocation_ratio: new[6], capacity: new[7], used: new[8], free: new[9],
    created_at: datetime(new[10]), updated_at: datetime(new[11])
  })-[:OF_CLASS]->(k)
}
CALL (providers) {
  UNWIND $traits AS trait
  MATCH (t:Trait {name: trait[0]})
  USING INDEX SEEK t:Trait(name)
  UNWIND trait[1] AS number
  WITH t, providers[number] AS p
  CREATE (p)-[:HAS_TRAIT]->(t)
}
CALL (providers) {
  UNWIND $aggregates AS aggregate
  MATCH (a:Aggregate {uuid: aggregate[0]})
  USING INDEX SEEK a:Aggregate(uuid)
  UNWIND aggregate[1] AS number
  WITH a, providers[number] AS p
  CREATE (p)-[:MEMBER_OF]->(a)
}

// name: create_allocations
// parameters: consumers, used, allocations
// columns: found
CALL () {
  UNWIND $consumers AS new
  MATCH (project:Project {id: new[4]})
  USING INDEX SEEK project:Project(id)
  MATCH (user:User {id: new[5]})
  USING INDEX SEEK user:User(id)
  CREATE (c:Consumer {
    uuid: new[0], generation: new[1], created_at: datetime(new[2]), updated_at: datetime(new[3])
  })
  CREATE (c)-[:OF_PROJECT]->(project)
  CREATE (c)-[:OF_USER]->(user)
  WITH c, new
  MATCH (type:ConsumerType {name: new[6]})
  USING INDEX SEEK type:ConsumerType(name)
  CREATE (c)-[:OF_TYPE]->(type)
}
// Each inventory once, for all that is allocated of it: its free amount is indexed.
CALL () {
  UNWIND $used AS new
  MATCH (p:ResourceProvider {name: new[0]})
  USING INDEX SEEK p:ResourceProvider(name)
  MATCH (i:Inventory {provider_uuid: p.uuid, resource_class: new[1]})
  USING INDEX SEEK i:Inventory(provider_uuid, resource_class)
  SET i.used = i.used + new[2], i.free = i.free - new[2]
}
CALL () {
  UNWIND $allocations AS new
  MATCH (p:ResourceProvider {name: new[0]})
  USING INDEX SEEK p:ResourceProvider(name)
  MATCH (i:Inventory {provider_uuid: p.uuid, resource_class: new[1]})
  USING INDEX SEEK i:Inventory(provider_uuid, resource_class)
  CALL (i, new) {
    UNWIND new[2] AS held
    MATCH (c:Consumer {uuid: held[0]})
    USING INDEX SEEK c:Consumer(uuid)
    CREATE (c)-[:CONSUMES {
      resource_class: new[1], amount: held[1], position: held[2], created_at: datetime(held[3])
    }]->(i)
  }
  RETURN collect([new[0], new[1]]) AS found
}
CALL () {
  UNWIND $allocations AS new
  UNWIND new[2] AS held
  WITH DISTINCT held[0] AS uuid
  MATCH (c:Consumer {uuid: uuid})-[of_project:OF_PROJECT]->()
  USING INDEX SEEK c:Consumer(uuid)
  SET of_project.usage = <<usage>>
}
RETURN found

// name: create_hosts
// parameters: cells, host_aggregates, hosts
// columns: found
// Which hosts were created: those whose cell, provider and host aggregates are all there.
CALL () {
  UNWIND $cells AS new
  CREATE (:Cell {uuid: new.uuid, name: new.name, created_at: datetime(new.created_at)})
}
CALL () {
  UNWIND $host_aggregates AS new
  MATCH (a:Aggregate {uuid: new.uuid})
  USING INDEX SEEK a:Aggregate(uuid)
  CREATE (g:HostAggregate {
    uuid: new.uuid, name: new.name, created_at: datetime(new.created_at), updated_at: datetime(new.updated_at)
  })
  CREATE (g)-[:MIRRORS]->(a)
  WITH g, new
  UNWIND new.metadata AS pair
  CREATE (g)-[:HAS_METADATA]->(:Metadata {aggregate_uuid: g.uuid, key: pair[0], value: pair[1]})
}
CALL () {
  UNWIND $hosts AS new
  MATCH (cell:Cell {uuid: new.cell})
  USING INDEX SEEK cell:Cell(uuid)
  OPTIONAL MATCH (root:ResourceProvider {name: new.provider})
  USING INDEX SEEK root:ResourceProvider(name)
  OPTIONAL MATCH (g:HostAggregate)
  USING INDEX SEEK g:HostAggregate(uuid)
  WHERE g.uuid IN new.aggregates
  WITH new, cell, root, collect(g) AS aggregates
  WHERE (root IS NOT NULL OR new.provider IS NULL) AND size(aggregates) = size(new.aggregates)
  CREATE (h:Host {
    service_host: new.service_host, nodename: new.nodename,
    created_at: datetime(new.created_at), updated_at: datetime(new.updated_at)
  })
  CREATE (h)-[:IN_CELL]->(cell)
  FOREACH (g IN aggregates | CREATE (h)-[:MEMBER_OF]->(g))
  FOREACH (one IN CASE WHEN root IS NULL THEN [] ELSE [root] END | CREATE (h)-[:RUNS]->(one))
  RETURN collect([new.service_host, new.nodename]) AS found
}
RETURN found

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
