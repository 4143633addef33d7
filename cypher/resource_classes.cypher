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
RETURN c.name AS name, c.updated_at AS updated_at

// name: unknown
// parameters: names
// columns: names
UNWIND $names AS name
WITH DISTINCT name
WHERE NOT EXISTS { (:ResourceClass {name: name}) }
RETURN collect(name) AS names

// name: create
// parameters: name
// columns: -
CREATE (:ResourceClass {name: $name, created_at: datetime(), updated_at: datetime()})

// name: lock
// parameters: name
// columns: name
MATCH (c:ResourceClass {name: $name})
SET c.name = c.name
RETURN c.name AS name

// name: count_inventories
// parameters: name
// columns: inventories
MATCH (:Inventory)-[o:OF_CLASS]->(:ResourceClass {name: $name})
RETURN count(o) AS inventories

// name: holders
// parameters: name
// columns: uuids
MATCH (i:Inventory)-[:OF_CLASS]->(:ResourceClass {name: $name})
RETURN collect(i.provider_uuid) AS uuids

// name: rename
// parameters: name, new_name
// columns: -
MATCH (c:ResourceClass {name: $name})
SET c.name = $new_name, c.updated_at = datetime()
WITH c
MATCH (i:Inventory)-[:OF_CLASS]->(c)
SET i.resource_class = $new_name
WITH i
MATCH (i)<-[allocation:CONSUMES]-(:Consumer)
SET allocation.resource_class = $new_name

// name: delete
// parameters: name
// columns: -
MATCH (c:ResourceClass {name: $name})
DELETE c
