// Traits.

// name: index
// parameters: names, prefix, associated
// columns: names, updated_at
// All in one row, and the newest time alone: hundreds of rows and times cost their reader far more than the search.
MATCH (t:Trait)
WHERE ($names IS NULL OR t.name IN $names)
  AND ($prefix IS NULL OR t.name STARTS WITH $prefix)
  AND ($associated IS NULL OR $associated = EXISTS { (t)<-[:HAS_TRAIT]-() })
WITH t ORDER BY t.name
RETURN collect(t.name) AS names, max(t.updated_at) AS updated_at

// name: get
// parameters: name
// columns: name, updated_at
MATCH (t:Trait {name: $name})
USING INDEX SEEK t:Trait(name)
RETURN t.name AS name, t.updated_at AS updated_at

// name: unknown
// parameters: names
// columns: names
UNWIND $names AS name
WITH DISTINCT name
WHERE NOT EXISTS {
  MATCH (t:Trait {name: name})
  USING INDEX SEEK t:Trait(name)
}
RETURN collect(name) AS names

// name: create
// parameters: name
// columns: name, updated_at
CREATE (t:Trait {name: $name, created_at: datetime(), updated_at: datetime()})
RETURN t.name AS name, t.updated_at AS updated_at

// name: count_providers
// parameters: name
// columns: providers
MATCH (:ResourceProvider)-[h:HAS_TRAIT]->(t:Trait {name: $name})
USING INDEX SEEK t:Trait(name)
RETURN count(h) AS providers

// name: delete
// parameters: name
// columns: -
// This waits for whoever is giving it to a provider. Once they have, Neo4j does not commit it, so it needs no lock.
MATCH (t:Trait {name: $name})
USING INDEX SEEK t:Trait(name)
DELETE t
