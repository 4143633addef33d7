// title: The blast radius of a provider
// answers: Who loses what if a provider fails, with all that is below it?
// parameter: provider | provider | required | compute1 | the provider, by name or uuid
// columns: project, consumer, consumer_type, providers, resources
MATCH (named:ResourceProvider)
WHERE named.uuid = $provider OR named.name = $provider
MATCH (named)<-[:CHILD_OF*0..]-(p:ResourceProvider)-[:HAS_INVENTORY]->(:Inventory)<-[held:CONSUMES]-(c:Consumer)
WITH c, held.resource_class AS class, sum(held.amount) AS amount, collect(p.name) AS names
ORDER BY class
WITH c, collect(class + ':' + amount) AS resources, collect(names) AS names
OPTIONAL MATCH (c)-[:OF_PROJECT]->(project:Project)
OPTIONAL MATCH (c)-[:OF_TYPE]->(type:ConsumerType)
CALL (names) {
  UNWIND names AS of_class
  UNWIND of_class AS name
  WITH DISTINCT name
  ORDER BY name
  RETURN collect(name) AS providers
}
RETURN project.id AS project, c.uuid AS consumer, type.name AS consumer_type, providers, resources
ORDER BY project, consumer
