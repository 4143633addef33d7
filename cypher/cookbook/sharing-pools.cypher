// title: The reach of sharing pools
// answers: Which pools share, through which aggregates, with how many trees, and how much have they left?
// parameter: pool | provider | - | nfs | only this pool, by name or uuid
// columns: pool, aggregate, trees, resource_class, capacity, used, free
MATCH (p:ResourceProvider)-[:SHARES]->(a:Aggregate)
WHERE $pool IS NULL OR p.uuid = $pool OR p.name = $pool
MATCH (p)-[:IN_TREE]->(home:ResourceProvider)
CALL (a, home) {
  MATCH (a)<-[:MEMBER_OF]-(:ResourceProvider)-[:IN_TREE]->(root:ResourceProvider)
  WHERE root <> home
  RETURN count(DISTINCT root) AS trees
}
OPTIONAL MATCH (p)-[:HAS_INVENTORY]->(i:Inventory)
RETURN p.name AS pool, a.uuid AS aggregate, trees, i.resource_class AS resource_class,
       i.capacity AS capacity, i.used AS used, i.free AS free
ORDER BY pool, aggregate, resource_class
