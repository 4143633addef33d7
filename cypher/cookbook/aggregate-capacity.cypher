// title: Capacity by aggregate
// answers: How much do the trees of each aggregate have of each class, and how much of that is used?
// parameter: aggregate | text | - | 21d7c4aa-d0b6-41b1-8513-12a1eac17c0c | only this aggregate, by uuid
// columns: aggregate, trees, resource_class, capacity, used, free
MATCH (a:Aggregate)
WHERE $aggregate IS NULL OR a.uuid = $aggregate
MATCH (a)<-[:MEMBER_OF]-(:ResourceProvider)-[:IN_TREE]->(root:ResourceProvider)
WITH DISTINCT a, root
WITH a, count(root) AS trees, collect(root) AS roots
UNWIND roots AS root
MATCH (root)<-[:IN_TREE]-(:ResourceProvider)-[:HAS_INVENTORY]->(i:Inventory)
RETURN a.uuid AS aggregate, trees, i.resource_class AS resource_class,
       sum(i.capacity) AS capacity, sum(i.used) AS used, sum(i.free) AS free
ORDER BY aggregate, resource_class
