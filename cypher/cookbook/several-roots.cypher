// title: Consumers on several roots
// answers: Which consumers hold something in more than one tree: moves in flight, or leaks if they are old?
// note: Pools that share are not counted: to use one beside a host is how they are meant.
// parameter: consumer_type | text | - | INSTANCE | only consumers of this type
// parameter: hours | number | 0 | 24 | only those that were last claimed for so many hours ago or more
// columns: consumer_type, consumer, project, roots, since, hours_ago
MATCH (c:Consumer)
WHERE c.updated_at <= datetime() - duration({hours: $hours})
  AND ($consumer_type IS NULL OR EXISTS { (c)-[:OF_TYPE]->(:ConsumerType {name: $consumer_type}) })
CALL (c) {
  MATCH (c)-[:CONSUMES]->(:Inventory)<-[:HAS_INVENTORY]-(p:ResourceProvider)-[:IN_TREE]->(root:ResourceProvider)
  WHERE NOT EXISTS { (p)-[:SHARES]->(:Aggregate) }
  WITH DISTINCT root.name AS name
  ORDER BY name
  RETURN collect(name) AS roots
}
WITH c, roots
WHERE size(roots) > 1
OPTIONAL MATCH (c)-[:OF_TYPE]->(type:ConsumerType)
OPTIONAL MATCH (c)-[:OF_PROJECT]->(project:Project)
RETURN type.name AS consumer_type, c.uuid AS consumer, project.id AS project, roots,
       c.updated_at AS since, duration.inSeconds(c.updated_at, datetime()).hours AS hours_ago
ORDER BY consumer_type, since, consumer
