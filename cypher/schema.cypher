// The state of the schema itself, and what every graph holds from the start.

// name: create_migration_key
// parameters: -
// columns: -
CREATE CONSTRAINT migration_number IF NOT EXISTS FOR (m:Migration) REQUIRE m.number IS UNIQUE

// name: list_migrations
// parameters: -
// columns: number
MATCH (m:Migration)
RETURN m.number AS number

// name: record_migration
// parameters: number, name
// columns: -
MERGE (m:Migration {number: $number})
ON CREATE SET m.name = $name, m.applied_at = datetime()

// name: await_indexes
// parameters: seconds
// columns: -
// Until then a statement that names a new index in a hint is refused.
CALL db.awaitIndexes($seconds)

// name: create_anything
// parameters: -
// columns: -
// For a transaction that is rolled back: what it runs next is planned as behind a write.
CREATE ()

// name: sync_traits
// parameters: names
// columns: added
UNWIND $names AS name
OPTIONAL MATCH (known:Trait {name: name})
USING INDEX SEEK known:Trait(name)
WITH name WHERE known IS NULL
MERGE (t:Trait {name: name})
ON CREATE SET t.created_at = datetime(), t.updated_at = datetime()
RETURN count(*) AS added

// name: sync_resource_classes
// parameters: names
// columns: added
UNWIND $names AS name
OPTIONAL MATCH (known:ResourceClass {name: name})
USING INDEX SEEK known:ResourceClass(name)
WITH name WHERE known IS NULL
MERGE (c:ResourceClass {name: name})
ON CREATE SET c.created_at = datetime(), c.updated_at = datetime()
RETURN count(*) AS added

// name: missing_traits
// parameters: names
// columns: name
UNWIND $names AS name
OPTIONAL MATCH (known:Trait {name: name})
USING INDEX SEEK known:Trait(name)
WITH name WHERE known IS NULL
RETURN name ORDER BY name

// name: missing_resource_classes
// parameters: names
// columns: name
UNWIND $names AS name
OPTIONAL MATCH (known:ResourceClass {name: name})
USING INDEX SEEK known:ResourceClass(name)
WITH name WHERE known IS NULL
RETURN name ORDER BY name

// name: neo4j_version
// parameters: -
// columns: version
CALL dbms.components() YIELD name, versions
WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS version

// name: delete_batch
// parameters: batch
// columns: deleted
// The mark of a graph that does not hold all of its file goes last: what is deleted in part is not whole either.
MATCH (n)
WHERE NOT (n:Migration OR n:Restoration)
WITH n LIMIT $batch
DETACH DELETE n
RETURN count(*) AS deleted

// name: list_indexes
// parameters: -
// columns: names
SHOW INDEXES YIELD name
RETURN collect(name) AS names

// name: keys_twice
// parameters: label, properties
// columns: key, times
MATCH (n:$($label))
WITH [property IN $properties | n[property]] AS key, count(*) AS times
WHERE times > 1 AND none(value IN key WHERE value IS NULL)
RETURN key, times
