// Loading a cloud. What is like for many providers is written by one statement for all of them.

// name: find_places
// parameters: uuids, names
// columns: places
CALL () {
  UNWIND $uuids AS uuid
  MATCH (p:ResourceProvider {uuid: uuid})
  USING INDEX SEEK p:ResourceProvider(uuid)
  RETURN p
  UNION
  UNWIND $names AS name
  MATCH (p:ResourceProvider {name: name})
  USING INDEX SEEK p:ResourceProvider(name)
  RETURN p
}
MATCH (p)-[:IN_TREE]->(root)
OPTIONAL MATCH (p)-[:CHILD_OF]->(parent)
RETURN collect([p.uuid, p.name, parent.uuid, root.uuid]) AS places

// name: read_having
// parameters: uuids
// columns: having
// Comprehensions start at the provider, whatever the graph was like when the plan was made.
UNWIND $uuids AS uuid
MATCH (p:ResourceProvider {uuid: uuid})
USING INDEX SEEK p:ResourceProvider(uuid)
RETURN collect([
  uuid,
  [(p)-[:HAS_INVENTORY]->(i) |
    [i.resource_class, i {.total, .reserved, .min_unit, .max_unit, .step_size, .allocation_ratio}]],
  [(p)-[:HAS_TRAIT]->(t) | t.name],
  [(p)-[:MEMBER_OF]->(a) | a.uuid]
]) AS having

// name: create_providers
// parameters: providers
// columns: -
UNWIND $providers AS new
CREATE (:ResourceProvider {
  uuid: new.uuid, name: new.name, generation: 0, revision: timestamp(), created_at: datetime(), updated_at: datetime()
})

// name: place_providers
// parameters: providers
// columns: -
CALL () {
  UNWIND $providers AS new
  MATCH (p:ResourceProvider {uuid: new.uuid})
  USING INDEX SEEK p:ResourceProvider(uuid)
  MATCH (root:ResourceProvider {uuid: new.root_uuid})
  USING INDEX SEEK root:ResourceProvider(uuid)
  CREATE (p)-[:IN_TREE]->(root)
}
CALL () {
  UNWIND $providers AS new
  WITH new WHERE new.parent_uuid IS NULL
  MATCH (p:ResourceProvider {uuid: new.uuid})
  USING INDEX SEEK p:ResourceProvider(uuid)
  SET p:Root
}
CALL () {
  UNWIND $providers AS new
  MATCH (p:ResourceProvider {uuid: new.uuid})
  USING INDEX SEEK p:ResourceProvider(uuid)
  MATCH (parent:ResourceProvider {uuid: new.parent_uuid})
  USING INDEX SEEK parent:ResourceProvider(uuid)
  CREATE (p)-[:CHILD_OF]->(parent)
}

// name: remove_traits
// parameters: rows
// columns: -
UNWIND $rows AS row
MATCH (p:ResourceProvider {uuid: row.provider})-[has_trait:HAS_TRAIT]->(t {name: row.name})
USING INDEX SEEK p:ResourceProvider(uuid)
DELETE has_trait

// name: add_traits
// parameters: rows
// columns: -
UNWIND $rows AS row
MATCH (p:ResourceProvider {uuid: row.provider})
USING INDEX SEEK p:ResourceProvider(uuid)
MATCH (t:Trait {name: row.name})
USING INDEX SEEK t:Trait(name)
CREATE (p)-[:HAS_TRAIT]->(t)
