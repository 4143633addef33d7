// title: Stale and empty providers
// answers: Which providers are of no use to anybody: those that have nothing, and trees that nobody uses or updates?
// parameter: days | number | 30 | 90 | for how many days nothing of a tree was written, so that it counts as stale
// columns: host, provider, why, changed
CALL () {
  MATCH (p:ResourceProvider)-[:IN_TREE]->(root:ResourceProvider)
  WHERE NOT EXISTS { (p)-[:HAS_INVENTORY|HAS_TRAIT]->() } AND NOT EXISTS { (p)<-[:CHILD_OF]-() }
  RETURN root.name AS host, p.name AS provider, 'no inventory, trait or child' AS why, p.updated_at AS changed
  UNION ALL
  MATCH (root:Root)
  WHERE root.updated_at < datetime() - duration({days: $days})
    AND NOT EXISTS {
      MATCH (root)<-[:IN_TREE]-(p:ResourceProvider)
      WHERE p.updated_at >= datetime() - duration({days: $days})
    }
    AND NOT EXISTS {
      MATCH (root)<-[:IN_TREE]-(:ResourceProvider)-[:HAS_INVENTORY]->(i:Inventory)
      WHERE i.used > 0
    }
  RETURN root.name AS host, root.name AS provider, 'unused and unchanged' AS why, root.updated_at AS changed
}
RETURN host, provider, why, changed
ORDER BY host, provider, why
