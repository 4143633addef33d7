// title: The fullest hosts
// answers: Which hosts are the fullest, by the class of which they have the least left?
// parameter: resource_class | text | - | VCPU | only by this class
// parameter: most | integer | 20 | 50 | how many hosts at the most
// columns: host, resource_class, used, capacity, free, percent
MATCH (root:Root)
CALL (root) {
  MATCH (root)<-[:IN_TREE]-(:ResourceProvider)-[:HAS_INVENTORY]->(i:Inventory)
  WHERE $resource_class IS NULL OR i.resource_class = $resource_class
  WITH i.resource_class AS resource_class, sum(i.used) AS used, sum(i.capacity) AS capacity
  WHERE capacity > 0
  ORDER BY 1.0 * used / capacity DESC, resource_class
  LIMIT 1
  RETURN resource_class, used, capacity
}
RETURN root.name AS host, resource_class, used, capacity, capacity - used AS free,
       round(100.0 * used / capacity, 1) AS percent
ORDER BY percent DESC, host
LIMIT toInteger($most)
