// Allocations: what consumers have claimed of providers' inventories. They are never changed, only replaced.

// name: of_consumer
// parameters: consumer_uuid
// columns: revision, generation, project_id, user_id, consumer_type, allocations
MATCH (c:Consumer {uuid: $consumer_uuid})
USING INDEX SEEK c:Consumer(uuid)
WITH c, c.generation AS generation, c.updated_at AS updated_at
MATCH (c)-[:OF_PROJECT]->(project:Project)
MATCH (c)-[:OF_USER]->(user:User)
OPTIONAL MATCH (c)-[:OF_TYPE]->(type:ConsumerType)
WITH generation, updated_at, project, user, type, COLLECT {
  MATCH (c)-[r:CONSUMES]->(:Inventory)<-[:HAS_INVENTORY]-(p:ResourceProvider)
  RETURN [p.uuid, p.generation, r.resource_class, r.amount, r.created_at]
  ORDER BY r.position
} AS allocations
// A consumer and all that it holds are written in one statement, so at one time: another one is of another write.
RETURN CASE WHEN all(held IN allocations WHERE held[4] = updated_at) THEN generation END AS revision, generation,
  project.id AS project_id, user.id AS user_id, type.name AS consumer_type, allocations

// name: revision
// parameters: consumer_uuid
// columns: revision
MATCH (c:Consumer {uuid: $consumer_uuid})
USING INDEX SEEK c:Consumer(uuid)
RETURN c.generation AS revision

// name: of_provider
// parameters: provider_uuid
// columns: revision, generation, allocations
MATCH (p:ResourceProvider {uuid: $provider_uuid})
USING INDEX SEEK p:ResourceProvider(uuid)
WITH p, p.revision AS revision, p.generation AS generation
RETURN revision, generation, COLLECT {
  MATCH (p)-[:HAS_INVENTORY]->(:Inventory)<-[r:CONSUMES]-(c:Consumer)
  RETURN [c.uuid, c.generation, r.resource_class, r.amount, r.created_at]
} AS allocations

// name: lock
// parameters: consumers, providers, projects, users, consumer_types
// columns: consumers, allocations, providers, inventories, projects, users, consumer_types
// Consumers first, in the order given. Looking up one that does not exist, in a statement that writes, locks its
// uuid: whoever else wants to create it waits here.
UNWIND $consumers AS uuid
OPTIONAL MATCH (c:Consumer {uuid: uuid})
USING INDEX SEEK c:Consumer(uuid)
SET c.updated_at = datetime()
WITH collect(c) AS consumers
// What was deleted while its lock was waited for has no properties and no relationships any more.
CALL (consumers) {
  UNWIND consumers AS c
  MATCH (c)-[r:CONSUMES]->(i:Inventory)
  RETURN collect([c.uuid, i.provider_uuid, r.resource_class, r.amount]) AS allocations
}
// Then the providers that they hold something of or shall, by uuid.
CALL (allocations) {
  UNWIND $providers + [held IN allocations | held[1]] AS uuid
  WITH DISTINCT uuid ORDER BY uuid
  MATCH (p:ResourceProvider {uuid: uuid})
  USING INDEX SEEK p:ResourceProvider(uuid)
  // The label takes the lock: locks.lock_providers says why.
  SET p:ResourceProvider
  SET p.revision = <<next_revision>>
  RETURN collect(p) AS providers
}
RETURN
  COLLECT {
    UNWIND consumers AS c
    MATCH (c)-[:OF_PROJECT]->(project:Project), (c)-[:OF_USER]->(user:User)
    OPTIONAL MATCH (c)-[:OF_TYPE]->(type:ConsumerType)
    RETURN [c.uuid, c.generation, project.id, user.id, type.name]
  } AS consumers,
  allocations,
  COLLECT {
    UNWIND providers AS p
    WITH p WHERE p.generation IS NOT NULL
    RETURN [p.uuid, p.name, p.generation]
  } AS providers,
  COLLECT {
    UNWIND providers AS p
    MATCH (p)-[:HAS_INVENTORY]->(i:Inventory)
    RETURN [i.provider_uuid, i.resource_class, i.capacity, i.used, i.min_unit, i.max_unit, i.step_size]
  } AS inventories,
  COLLECT {
    UNWIND $projects AS id
    MATCH (project:Project {id: id})
    USING INDEX SEEK project:Project(id)
    RETURN id
  } AS projects,
  COLLECT {
    UNWIND $users AS id
    MATCH (user:User {id: id})
    USING INDEX SEEK user:User(id)
    RETURN id
  } AS users,
  COLLECT {
    UNWIND $consumer_types AS name
    MATCH (type:ConsumerType {name: name})
    USING INDEX SEEK type:ConsumerType(name)
    RETURN name
  } AS consumer_types

// name: release
// parameters: consumer_uuid
// columns: held
// Nothing can be in the way of a release, so one statement does it all. It locks as the one above does: the consumer,
// then the providers that it holds something of, by uuid.
MATCH (c:Consumer {uuid: $consumer_uuid})
USING INDEX SEEK c:Consumer(uuid)
SET c.updated_at = datetime()
WITH c
CALL (c) {
  MATCH (c)-[:CONSUMES]->(i:Inventory)
  WITH DISTINCT i.provider_uuid AS uuid ORDER BY uuid
  MATCH (p:ResourceProvider {uuid: uuid})
  USING INDEX SEEK p:ResourceProvider(uuid)
  SET p:ResourceProvider
  SET p.revision = <<next_revision>>
  RETURN count(p) AS providers
}
CALL (c) {
  MATCH (c)-[r:CONSUMES]->(i:Inventory)
  SET i.used = i.used - r.amount, i.free = i.free + r.amount
  RETURN count(r) AS held
}
// What was deleted while its lock was waited for is found as well, and holds nothing.
WITH c, held WHERE held > 0
DETACH DELETE c
RETURN held

// name: create_shared
// parameters: projects, users, consumer_types
// columns: -
// Projects, users and types are shared by many consumers: a claim that writes to one would block all others.
CALL () { UNWIND $projects AS id MERGE (p:Project {id: id}) ON CREATE SET p.created_at = datetime() }
CALL () { UNWIND $users AS id MERGE (u:User {id: id}) ON CREATE SET u.created_at = datetime() }
CALL () { UNWIND $consumer_types AS name MERGE (t:ConsumerType {name: name}) ON CREATE SET t.created_at = datetime() }

// name: write
// parameters: created, kept, deleted, owners, allocations, used, generations
// columns: -
// What consumers held goes before what they shall hold comes.
CALL () {
  UNWIND $deleted AS uuid
  MATCH (c:Consumer {uuid: uuid})
  USING INDEX SEEK c:Consumer(uuid)
  DETACH DELETE c
}
CALL () {
  UNWIND $kept AS uuid
  MATCH (c:Consumer {uuid: uuid})-[r:CONSUMES]->(:Inventory)
  USING INDEX SEEK c:Consumer(uuid)
  DELETE r
}
CALL () {
  UNWIND $kept AS uuid
  MATCH (c:Consumer {uuid: uuid})
  USING INDEX SEEK c:Consumer(uuid)
  SET c.generation = c.generation + 1, c.updated_at = datetime()
}
CALL () {
  UNWIND $created AS uuid
  CREATE (:Consumer {uuid: uuid, generation: 1, created_at: datetime(), updated_at: datetime()})
}
CALL () {
  UNWIND $owners AS owner
  MATCH (c:Consumer {uuid: owner.consumer_uuid})-[old:OF_PROJECT|OF_USER|OF_TYPE]->()
  USING INDEX SEEK c:Consumer(uuid)
  DELETE old
}
CALL () {
  UNWIND $owners AS owner
  MATCH (c:Consumer {uuid: owner.consumer_uuid})
  USING INDEX SEEK c:Consumer(uuid)
  MATCH (project:Project {id: owner.project_id})
  USING INDEX SEEK project:Project(id)
  MATCH (user:User {id: owner.user_id})
  USING INDEX SEEK user:User(id)
  CREATE (c)-[:OF_PROJECT]->(project)
  CREATE (c)-[:OF_USER]->(user)
  WITH c, owner
  MATCH (type:ConsumerType {name: owner.consumer_type})
  USING INDEX SEEK type:ConsumerType(name)
  CREATE (c)-[:OF_TYPE]->(type)
}
CALL () {
  UNWIND $allocations AS new
  MATCH (c:Consumer {uuid: new.consumer_uuid})
  USING INDEX SEEK c:Consumer(uuid)
  MATCH (i:Inventory {provider_uuid: new.provider_uuid, resource_class: new.resource_class})
  USING INDEX SEEK i:Inventory(provider_uuid, resource_class)
  CREATE (c)-[:CONSUMES {
    resource_class: new.resource_class, amount: new.amount, position: new.position, created_at: datetime()
  }]->(i)
}
CALL () {
  UNWIND $created + $kept AS uuid
  MATCH (c:Consumer {uuid: uuid})-[of_project:OF_PROJECT]->()
  USING INDEX SEEK c:Consumer(uuid)
  SET of_project.usage = <<usage>>
}
CALL () {
  UNWIND $used AS new
  MATCH (i:Inventory {provider_uuid: new.provider_uuid, resource_class: new.resource_class})
  USING INDEX SEEK i:Inventory(provider_uuid, resource_class)
  SET i.used = new.amount, i.free = i.capacity - new.amount
}
CALL () {
  UNWIND $generations AS step
  MATCH (p:ResourceProvider {uuid: step.provider_uuid})
  USING INDEX SEEK p:ResourceProvider(uuid)
  SET p.generation = p.generation + step.by, p.updated_at = datetime()
}
