// Resource classes.

// name: index
// parameters: -
// columns: names, updated_at
MATCH (c:ResourceClass)
WITH c ORDER BY c.name
RETURN collect(c.name) AS names, max(c.updated_at) AS updated_at

// name: get
// parameters: name
// columns: name, updated_at
MATCH (c:ResourceClass {name: $name})
USING INDEX SEEK c:ResourceClass(name)
RETURN c.name AS name, c.updated_at AS updated_at

// name: unknown
// parameters: names
// columns: names
UNWIND $names AS name
WITH DISTINCT name
WHERE NOT EXISTS {
  MATCH (c:ResourceClass {name: name})
  USING INDEX SEEK c:ResourceClass(name)
}
RETURN collect(name) AS names

// name: create
// parameters: name
// columns: -
CREATE (:ResourceClass {name: $name, created_at: datetime(), updated_at: datetime()})

// name: count_inventories
// parameters: name
// columns: inventories
MATCH (:Inventory)-[o:OF_CLASS]->(c:ResourceClass {name: $name})
USING INDEX SEEK c:ResourceClass(name)
RETURN count(o) AS inventories

// name: holders
// parameters: name
// columns: uuids
MATCH (i:Inventory)-[:OF_CLASS]->(c:ResourceClass {name: $name})
USING INDEX SEEK c:ResourceClass(name)
RETURN collect(i.provider_uuid) AS uuids

// name: rename
// parameters: name, new_name
// columns: -
// A new node takes the place of the old one, because only to delete a node waits for whoever is writing an inventory of
// the class. Once they have, Neo4j does not commit it.
MATCH (old:ResourceClass {name: $name})
USING INDEX SEEK old:ResourceClass(name)
CREATE (new:ResourceClass {name: $new_name, created_at: old.created_at, updated_at: datetime()})
WITH old, new
CALL (old, new) {
  MATCH (i:Inventory)-[of_class:OF_CLASS]->(old)
  DELETE of_class
  CREATE (i)-[:OF_CLASS]->(new)
  SET i.resource_class = $new_name
  WITH i
  MATCH (i)<-[allocation:CONSUMES]-(c:Consumer)
  SET allocation.resource_class = $new_name
  WITH DISTINCT c
  MATCH (c)-[of_project:OF_PROJECT]->()
  SET of_project.usage = <<usage>>
}
DELETE old

// name: delete
// parameters: name
// columns: -
// This waits for whoever is writing an inventory of it. Once they have, Neo4j does not commit it: it needs no lock.
MATCH (c:ResourceClass {name: $name})
USING INDEX SEEK c:ResourceClass(name)
DELETE c
