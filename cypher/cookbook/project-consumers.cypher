// title: The consumers of a project
// answers: Which consumers has a project, where are they, and what do they hold?
// parameter: project | text | required | 4f0a3b5e6d1c4a7f8e9d0c1b2a394857 | the id of the project
// columns: consumer, consumer_type, user, roots, resources
MATCH (:Project {id: $project})<-[:OF_PROJECT]-(c:Consumer)
CALL (c) {
  MATCH (c)-[held:CONSUMES]->(:Inventory)
  WITH held.resource_class AS class, sum(held.amount) AS amount
  ORDER BY class
  RETURN collect(class + ':' + amount) AS resources
}
CALL (c) {
  MATCH (c)-[:CONSUMES]->(:Inventory)<-[:HAS_INVENTORY]-(:ResourceProvider)-[:IN_TREE]->(root:ResourceProvider)
  WITH DISTINCT root.name AS name
  ORDER BY name
  RETURN collect(name) AS roots
}
OPTIONAL MATCH (c)-[:OF_TYPE]->(type:ConsumerType)
OPTIONAL MATCH (c)-[:OF_USER]->(user:User)
RETURN c.uuid AS consumer, type.name AS consumer_type, user.id AS user, roots, resources
ORDER BY consumer
