// title: The oldest consumers
// answers: Which consumers have held what they hold for the longest time?
// note: Migrations among them were left behind.
// parameter: consumer_type | text | - | MIGRATION | only consumers of this type
// parameter: most | integer | 20 | 50 | how many consumers at the most
// columns: consumer, consumer_type, project, roots, since, hours_ago
MATCH (c:Consumer)
WHERE $consumer_type IS NULL OR EXISTS { (c)-[:OF_TYPE]->(:ConsumerType {name: $consumer_type}) }
WITH c
ORDER BY c.updated_at, c.uuid
LIMIT toInteger($most)
CALL (c) {
  MATCH (c)-[:CONSUMES]->(:Inventory)<-[:HAS_INVENTORY]-(:ResourceProvider)-[:IN_TREE]->(root:ResourceProvider)
  WITH DISTINCT root.name AS name
  ORDER BY name
  RETURN collect(name) AS roots
}
OPTIONAL MATCH (c)-[:OF_TYPE]->(type:ConsumerType)
OPTIONAL MATCH (c)-[:OF_PROJECT]->(project:Project)
RETURN c.uuid AS consumer, type.name AS consumer_type, project.id AS project, roots,
       c.updated_at AS since, duration.inSeconds(c.updated_at, datetime()).hours AS hours_ago
ORDER BY since, consumer
