// title: Stranded capacity
// answers: Where is something free that a flavor cannot use, because the tree lacks the rest of the flavor?
// note: The rest may be in pools that share with the tree. What is free in the pools themselves is not stranded.
// parameter: resources | resources | required | VCPU:2,MEMORY_MB:2048 | the flavor
// columns: host, resource_class, stranded, lacking
MATCH (root:Root)
CALL (root) {
  MATCH (root)<-[:IN_TREE]-(p:ResourceProvider)-[:HAS_INVENTORY]->(i:Inventory)
  WHERE i.resource_class IN keys($resources) AND NOT EXISTS { (p)-[:SHARES]->(:Aggregate) }
  RETURN i, true AS own
  UNION
  MATCH (root)<-[:IN_TREE]-(:ResourceProvider)-[:MEMBER_OF]->(:Aggregate)<-[:SHARES]-(p:ResourceProvider)
  MATCH (p)-[:HAS_INVENTORY]->(i:Inventory)
  WHERE i.resource_class IN keys($resources)
  RETURN i, false AS own
}
WITH root, own, i, toInteger($resources[i.resource_class]) AS amount
WITH root, i.resource_class AS class,
     sum(CASE WHEN own AND i.free > 0 THEN i.free ELSE 0 END) AS free,
     sum(CASE WHEN i.free >= amount AND i.min_unit <= amount AND i.max_unit >= amount AND amount % i.step_size = 0
         THEN 1 ELSE 0 END) AS places
WITH root, collect({class: class, free: free, places: places}) AS found
WITH root, found,
     [name IN keys($resources) WHERE none(one IN found WHERE one.class = name AND one.places > 0)] AS lacking
WHERE size(lacking) > 0
UNWIND found AS one
WITH root, one, lacking
WHERE one.free > 0 AND NOT one.class IN lacking
RETURN root.name AS host, one.class AS resource_class, one.free AS stranded, lacking
ORDER BY resource_class, stranded DESC, host
