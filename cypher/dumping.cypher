// Dumping a whole graph as plain data.

// name: everything
// parameters: -
// columns: providers, traits, resource_classes
// What a dump of one moment locks.
RETURN
  COLLECT { MATCH (p:ResourceProvider) RETURN p.uuid ORDER BY p.uuid } AS providers,
  COLLECT { MATCH (t:Trait) WHERE t.name STARTS WITH 'CUSTOM_' RETURN t.name ORDER BY t.name } AS traits,
  COLLECT { MATCH (k:ResourceClass) WHERE k.name STARTS WITH 'CUSTOM_' RETURN k.name ORDER BY k.name } AS resource_classes

// name: lock_providers
// parameters: names
// columns: -
// Unlike a writer's lock, which raises the revision, this leaves no trace.
UNWIND $names AS uuid
MATCH (p:ResourceProvider {uuid: uuid})
USING INDEX SEEK p:ResourceProvider(uuid)
SET p:ResourceProvider

// name: lock_traits
// parameters: names
// columns: -
UNWIND $names AS name
MATCH (t:Trait {name: name})
USING INDEX SEEK t:Trait(name)
SET t:Trait

// name: lock_resource_classes
// parameters: names
// columns: -
UNWIND $names AS name
MATCH (k:ResourceClass {name: name})
USING INDEX SEEK k:ResourceClass(name)
SET k:ResourceClass

// name: hosts
// parameters: -
// columns: cells, host_aggregates, hosts
// What a scheduler knows beside Placement. A host names its provider, and the uuids of its cell and its host aggregates.
RETURN
  COLLECT {
    MATCH (c:Cell)
    RETURN {uuid: c.uuid, name: c.name, created_at: toString(c.created_at)} ORDER BY c.uuid
  } AS cells,
  COLLECT {
    MATCH (g:HostAggregate)
    RETURN {
      uuid: g.uuid, name: g.name, created_at: toString(g.created_at), updated_at: toString(g.updated_at),
      metadata: COLLECT { MATCH (g)-[:HAS_METADATA]->(m) RETURN [m.key, m.value] ORDER BY m.key }
    }
    ORDER BY g.uuid
  } AS host_aggregates,
  COLLECT {
    MATCH (h:Host)
    RETURN {
      service_host: h.service_host, nodename: h.nodename,
      created_at: toString(h.created_at), updated_at: toString(h.updated_at),
      cell: head([(h)-[:IN_CELL]->(c) | c.uuid]), provider: head([(h)-[:RUNS]->(root) | root.name]),
      aggregates: COLLECT { MATCH (h)-[:MEMBER_OF]->(g) RETURN g.uuid ORDER BY g.uuid }
    }
    ORDER BY h.service_host, h.nodename
  } AS hosts

// name: roots
// parameters: -
// columns: uuids
MATCH (root:Root)
RETURN collect(root.uuid) AS uuids

// name: trees
// parameters: uuids
// columns: uuid, providers, consumers, allocations
// A row for each tree: all that its providers have, and who holds what of them.
UNWIND $uuids AS uuid
MATCH (root:ResourceProvider {uuid: uuid})
USING INDEX SEEK root:ResourceProvider(uuid)
RETURN uuid,
  COLLECT {
    MATCH (root)<-[:IN_TREE]-(p)
    RETURN {
      uuid: p.uuid, name: p.name, generation: p.generation, revision: p.revision,
      created_at: toString(p.created_at), updated_at: toString(p.updated_at),
      parent: [(p)-[:CHILD_OF]->(parent) | parent.name],
      inventories: [(p)-[:HAS_INVENTORY]->(i) | i {
        .resource_class, .total, .reserved, .min_unit, .max_unit, .step_size, .allocation_ratio,
        created_at: toString(i.created_at), updated_at: toString(i.updated_at)
      }],
      traits: [(p)-[:HAS_TRAIT]->(t) | t.name],
      aggregates: [(p)-[:MEMBER_OF]->(a) | a.uuid]
    }
    ORDER BY p.uuid
  } AS providers,
  COLLECT {
    MATCH (root)<-[:IN_TREE]-(p)-[:HAS_INVENTORY]->(i)<-[:CONSUMES]-(c)
    WITH DISTINCT c
    RETURN {
      uuid: c.uuid, generation: c.generation,
      created_at: toString(c.created_at), updated_at: toString(c.updated_at),
      project_id: [(c)-[:OF_PROJECT]->(project) | project.id],
      user_id: [(c)-[:OF_USER]->(user) | user.id],
      type: [(c)-[:OF_TYPE]->(type) | type.name]
    }
    ORDER BY c.uuid
  } AS consumers,
  COLLECT {
    MATCH (root)<-[:IN_TREE]-(p)-[:HAS_INVENTORY]->(i)<-[r:CONSUMES]-(c)
    RETURN [c.uuid, p.name, r.resource_class, r.amount, r.position, toString(r.created_at)]
    ORDER BY c.uuid, p.name, r.resource_class
  } AS allocations

// name: names
// parameters: -
// columns: resource_classes, traits, aggregates, projects, users, consumer_types
// Standard traits and resource classes are in every graph.
RETURN
  COLLECT {
    MATCH (n:ResourceClass) WHERE n.name STARTS WITH 'CUSTOM_'
    RETURN {name: n.name, created_at: toString(n.created_at), updated_at: toString(n.updated_at)} ORDER BY n.name
  } AS resource_classes,
  COLLECT {
    MATCH (n:Trait) WHERE n.name STARTS WITH 'CUSTOM_'
    RETURN {name: n.name, created_at: toString(n.created_at), updated_at: toString(n.updated_at)} ORDER BY n.name
  } AS traits,
  COLLECT {
    MATCH (n:Aggregate)
    RETURN {name: n.uuid, created_at: toString(n.created_at), updated_at: toString(n.updated_at)} ORDER BY n.uuid
  } AS aggregates,
  COLLECT {
    MATCH (n:Project)
    RETURN {name: n.id, created_at: toString(n.created_at)} ORDER BY n.id
  } AS projects,
  COLLECT {
    MATCH (n:User)
    RETURN {name: n.id, created_at: toString(n.created_at)} ORDER BY n.id
  } AS users,
  COLLECT {
    MATCH (n:ConsumerType)
    RETURN {name: n.name, created_at: toString(n.created_at)} ORDER BY n.name
  } AS consumer_types
