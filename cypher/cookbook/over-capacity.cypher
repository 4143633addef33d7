// title: Over capacity
// answers: Which inventories are used beyond their capacity?
// note: They shrank, or more was reserved, below their use.
// columns: host, provider, resource_class, capacity, used, over
MATCH (class:ResourceClass)
CALL (class) {
  MATCH (i:Inventory {resource_class: class.name})
  USING INDEX SEEK i:Inventory(resource_class, free, provider_uuid)
  WHERE i.free < 0 AND i.provider_uuid IS NOT NULL
  RETURN i
}
MATCH (i)<-[:HAS_INVENTORY]-(p:ResourceProvider)-[:IN_TREE]->(root:ResourceProvider)
RETURN root.name AS host, p.name AS provider, i.resource_class AS resource_class,
       i.capacity AS capacity, i.used AS used, -i.free AS over
ORDER BY over DESC, host, provider, resource_class
