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
// parameters: project_id, user_id
// columns: usages
// The usage of each consumer stands with its project, as one text. Many consumers have like ones: here is each text
// once, with how many consumers have it. A relationship that is being deleted has none.
MATCH (project:Project {id: $project_id})<-[of_project:OF_PROJECT]-(c)
USING INDEX SEEK project:Project(id)
WHERE $user_id IS NULL OR EXISTS { (c)-[:OF_USER]->({id: $user_id}) }
WITH of_project.usage AS usage, count(*) AS consumers
WHERE usage IS NOT NULL
RETURN collect([usage, consumers]) AS usages

// name: of_cloud
// parameters: -
// columns: classes, providers, consumers, allocations
// Neo4j keeps the three numbers behind the classes; for the classes it reads all inventories.
CALL () {
  MATCH (i:Inventory)
  WITH i.resource_class AS name, count(*) AS inventories, sum(i.capacity) AS capacity, sum(i.used) AS used
  WHERE name IS NOT NULL
  ORDER BY inventories DESC, name
  RETURN collect([name, inventories, capacity, used]) AS classes
}
CALL () { MATCH (:ResourceProvider) RETURN count(*) AS providers }
CALL () { MATCH (:Consumer) RETURN count(*) AS consumers }
CALL () { MATCH ()-[:CONSUMES]->() RETURN count(*) AS allocations }
RETURN classes, providers, consumers, allocations
