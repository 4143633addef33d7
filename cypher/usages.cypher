// Usages: how much is in use.

// name: of_provider
// parameters: provider_uuid
// columns: revision, generation, used
MATCH (p:ResourceProvider {uuid: $provider_uuid})
USING INDEX SEEK p:ResourceProvider(uuid)
WITH p, p.revision AS revision, p.generation AS generation
RETURN revision, generation, COLLECT {
  MATCH (p)-[:HAS_INVENTORY]->(i:Inventory)
  RETURN [i.resource_class, i.used]
} AS used

// name: of_project
// parameters: project_id, user_id, consumer_type, untyped
// columns: usages
MATCH (project:Project {id: $project_id})<-[:OF_PROJECT]-(c:Consumer)
USING INDEX SEEK project:Project(id)
WHERE $user_id IS NULL OR EXISTS { (c)-[:OF_USER]->(:User {id: $user_id}) }
OPTIONAL MATCH (c)-[:OF_TYPE]->(type:ConsumerType)
WITH c, type.name AS name
WHERE ($consumer_type IS NULL OR name = $consumer_type) AND (NOT $untyped OR name IS NULL)
WITH name, collect(c) AS consumers, count(*) AS number
UNWIND consumers AS c
MATCH (c)-[r:CONSUMES]->(:Inventory)
// What is being deleted has no amount: a sum that lacks one is none.
WITH name, number, r.resource_class AS resource_class,
  CASE WHEN count(r.amount) = count(*) THEN sum(r.amount) END AS used
RETURN collect([coalesce(name, 'unknown'), number, resource_class, used]) AS usages
