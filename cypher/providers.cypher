// Resource providers and the trees that they form.
//
// Many providers are read as one row, because a row costs far more than what is in it.

// name: read
// parameters: uuids
// columns: providers
UNWIND $uuids AS uuid
MATCH (p:ResourceProvider {uuid: uuid})-[:IN_TREE]->(root)
USING INDEX SEEK p:ResourceProvider(uuid)
OPTIONAL MATCH (p)-[:CHILD_OF]->(parent)
RETURN collect([p.uuid, p.name, p.generation, parent.uuid, root.uuid, p.updated_at.epochSeconds, p.revision]) AS providers

// name: read_all
// parameters: -
// columns: providers
MATCH (p:ResourceProvider)-[:IN_TREE]->(root)
OPTIONAL MATCH (p)-[:CHILD_OF]->(parent)
RETURN collect([p.uuid, p.name, p.generation, parent.uuid, root.uuid, p.updated_at.epochSeconds, p.revision]) AS providers

// name: read_tree
// parameters: uuid
// columns: providers
MATCH (named:ResourceProvider {uuid: $uuid})-[:IN_TREE]->(root)
USING INDEX SEEK named:ResourceProvider(uuid)
// A second MATCH: within one, the provider's own relationship would not be used twice.
MATCH (p:ResourceProvider)-[:IN_TREE]->(root)
OPTIONAL MATCH (p)-[:CHILD_OF]->(parent)
RETURN collect([p.uuid, p.name, p.generation, parent.uuid, root.uuid, p.updated_at.epochSeconds, p.revision]) AS providers

// name: named
// parameters: name
// columns: uuids
MATCH (p:ResourceProvider {name: $name})
USING INDEX SEEK p:ResourceProvider(name)
RETURN collect(p.uuid) AS uuids

// name: called
// parameters: provider
// columns: uuid
// The provider that has this uuid, or else this name.
OPTIONAL MATCH (by_uuid:ResourceProvider {uuid: $provider})
USING INDEX SEEK by_uuid:ResourceProvider(uuid)
OPTIONAL MATCH (by_name:ResourceProvider {name: $provider})
USING INDEX SEEK by_name:ResourceProvider(name)
RETURN coalesce(by_uuid, by_name).uuid AS uuid

// name: with_any_trait
// parameters: names
// columns: uuids
UNWIND $names AS name
MATCH (t:Trait {name: name})<-[:HAS_TRAIT]-(p:ResourceProvider)
USING INDEX SEEK t:Trait(name)
RETURN collect(DISTINCT p.uuid) AS uuids

// name: in_any_aggregate
// parameters: aggregates
// columns: uuids
UNWIND $aggregates AS aggregate
MATCH (a:Aggregate {uuid: aggregate})<-[:MEMBER_OF]-(p:ResourceProvider)
USING INDEX SEEK a:Aggregate(uuid)
RETURN collect(DISTINCT p.uuid) AS uuids

// name: with_room
// parameters: resource_class, amount
// columns: uuids
MATCH (i:Inventory)
WHERE i.resource_class = $resource_class AND i.free >= $amount
  AND i.min_unit <= $amount AND i.max_unit >= $amount AND $amount % i.step_size = 0
RETURN collect(i.provider_uuid) AS uuids

// name: places
// parameters: uuids
// columns: uuid, parent_uuid, root_uuid
UNWIND $uuids AS uuid
MATCH (p:ResourceProvider {uuid: uuid})-[:IN_TREE]->(root)
USING INDEX SEEK p:ResourceProvider(uuid)
OPTIONAL MATCH (p)-[:CHILD_OF]->(parent)
RETURN p.uuid AS uuid, parent.uuid AS parent_uuid, root.uuid AS root_uuid

// name: subtree
// parameters: uuid
// columns: uuids
MATCH (named:ResourceProvider {uuid: $uuid})<-[:CHILD_OF*0..]-(below)
USING INDEX SEEK named:ResourceProvider(uuid)
WITH DISTINCT below
RETURN collect(below.uuid) AS uuids

// name: taken
// parameters: uuid, name
// columns: uuid, name
RETURN EXISTS {
  MATCH (p:ResourceProvider {uuid: $uuid})
  USING INDEX SEEK p:ResourceProvider(uuid)
} AS uuid, EXISTS {
  MATCH (p:ResourceProvider {name: $name})
  USING INDEX SEEK p:ResourceProvider(name)
} AS name

// name: create_root
// parameters: uuid, name
// columns: -
CREATE (p:ResourceProvider:Root {
  uuid: $uuid, name: $name, generation: 0, revision: timestamp(), created_at: datetime(), updated_at: datetime()
})
CREATE (p)-[:IN_TREE]->(p)

// name: create_child
// parameters: uuid, name, parent_uuid
// columns: -
MATCH (parent:ResourceProvider {uuid: $parent_uuid})-[:IN_TREE]->(root)
USING INDEX SEEK parent:ResourceProvider(uuid)
CREATE (p:ResourceProvider {
  uuid: $uuid, name: $name, generation: 0, revision: timestamp(), created_at: datetime(), updated_at: datetime()
})
CREATE (p)-[:CHILD_OF]->(parent)
CREATE (p)-[:IN_TREE]->(root)

// name: rename
// parameters: uuid, name
// columns: -
MATCH (p:ResourceProvider {uuid: $uuid})
USING INDEX SEEK p:ResourceProvider(uuid)
SET p.name = $name, p.updated_at = datetime()

// name: leave_parent
// parameters: uuid
// columns: -
MATCH (p:ResourceProvider {uuid: $uuid})-[child_of:CHILD_OF]->()
USING INDEX SEEK p:ResourceProvider(uuid)
DELETE child_of
SET p:Root

// name: join_parent
// parameters: uuid, parent_uuid
// columns: -
MATCH (p:ResourceProvider {uuid: $uuid}), (parent:ResourceProvider {uuid: $parent_uuid})
USING INDEX SEEK p:ResourceProvider(uuid)
USING INDEX SEEK parent:ResourceProvider(uuid)
CREATE (p)-[:CHILD_OF]->(parent)
REMOVE p:Root

// name: join_tree
// parameters: uuids, root_uuid
// columns: -
MATCH (root:ResourceProvider {uuid: $root_uuid})
USING INDEX SEEK root:ResourceProvider(uuid)
UNWIND $uuids AS uuid
MATCH (p:ResourceProvider {uuid: uuid})-[in_tree:IN_TREE]->()
USING INDEX SEEK p:ResourceProvider(uuid)
DELETE in_tree
CREATE (p)-[:IN_TREE]->(root)
SET p.updated_at = datetime()

// name: dependants
// parameters: uuid
// columns: children, allocations
MATCH (p:ResourceProvider {uuid: $uuid})
USING INDEX SEEK p:ResourceProvider(uuid)
RETURN EXISTS { (p)<-[:CHILD_OF]-() } AS children,
       EXISTS { (p)-[:HAS_INVENTORY]->(:Inventory)<-[:CONSUMES]-() } AS allocations

// name: delete
// parameters: uuid
// columns: -
MATCH (p:ResourceProvider {uuid: $uuid})
USING INDEX SEEK p:ResourceProvider(uuid)
OPTIONAL MATCH (p)-[:HAS_INVENTORY]->(i:Inventory)
DETACH DELETE i, p
