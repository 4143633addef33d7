// Moving in from Placement and back out: what is compared, and what consumers hold, some at a time.

// name: counts
// parameters: -
// columns: providers, inventories, traits_of_providers, memberships, consumers, allocations, custom_traits, custom_resource_classes
RETURN
  COUNT { MATCH (:ResourceProvider) } AS providers,
  COUNT { MATCH (:Inventory) } AS inventories,
  COUNT { MATCH ()-[:HAS_TRAIT]->() } AS traits_of_providers,
  COUNT { MATCH ()-[:MEMBER_OF]->(:Aggregate) } AS memberships,
  COUNT { MATCH (:Consumer) } AS consumers,
  COUNT { MATCH ()-[:CONSUMES]->() } AS allocations,
  COUNT { MATCH (t:Trait) WHERE t.name STARTS WITH 'CUSTOM_' } AS custom_traits,
  COUNT { MATCH (k:ResourceClass) WHERE k.name STARTS WITH 'CUSTOM_' } AS custom_resource_classes

// name: consumers
// parameters: after, most
// columns: uuid, generation, project_id, user_id, type, allocations
// In the order of their uuids, those behind one of them. What each holds is in the order in which it was written.
MATCH (c:Consumer)
WHERE c.uuid > $after
WITH c ORDER BY c.uuid LIMIT $most
RETURN c.uuid AS uuid, c.generation AS generation,
  head([(c)-[:OF_PROJECT]->(project) | project.id]) AS project_id,
  head([(c)-[:OF_USER]->(user) | user.id]) AS user_id,
  head([(c)-[:OF_TYPE]->(type) | type.name]) AS type,
  COLLECT {
    MATCH (c)-[r:CONSUMES]->(i)
    RETURN [i.provider_uuid, r.resource_class, r.amount] ORDER BY r.position
  } AS allocations
