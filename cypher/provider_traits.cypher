// The traits of a provider.

// name: of_provider
// parameters: uuid
// columns: generation, traits, updated_at
MATCH (p:ResourceProvider {uuid: $uuid})
USING INDEX SEEK p:ResourceProvider(uuid)
OPTIONAL MATCH (p)-[:HAS_TRAIT]->(t:Trait)
RETURN p.generation AS generation, collect(t.name) AS traits, max(t.updated_at) AS updated_at

// name: remove
// parameters: uuid, names
// columns: -
MATCH (named:ResourceProvider {uuid: $uuid})-[has_trait:HAS_TRAIT]->(t:Trait)
USING INDEX SEEK named:ResourceProvider(uuid)
WHERE t.name IN $names
DELETE has_trait

// name: add
// parameters: uuid, names
// columns: added
MATCH (p:ResourceProvider {uuid: $uuid})
USING INDEX SEEK p:ResourceProvider(uuid)
UNWIND $names AS name
MATCH (t:Trait {name: name})
USING INDEX SEEK t:Trait(name)
CREATE (p)-[:HAS_TRAIT]->(t)
RETURN count(*) AS added
