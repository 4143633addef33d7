// title: The largest free block
// answers: What is the most that one claim can get of each class below each provider of a host's tree?
// note: It is what is free of one inventory, no more than max_unit, in steps of step_size.
// parameter: host | provider | required | compute1 | any provider of the tree, by name or uuid
// columns: subtree, resource_class, block, provider, free
MATCH (named:ResourceProvider)-[:IN_TREE]->(root:ResourceProvider)
WHERE named.uuid = $host OR named.name = $host
MATCH (top:ResourceProvider)-[:IN_TREE]->(root)
MATCH (top)<-[:CHILD_OF*0..]-(p:ResourceProvider)-[:HAS_INVENTORY]->(i:Inventory)
WITH top, p, i, CASE WHEN i.free < i.max_unit THEN i.free ELSE i.max_unit END AS most
WITH top, p, i, most - most % i.step_size AS block
WITH top, p, i, CASE WHEN block < i.min_unit THEN 0 ELSE block END AS block
ORDER BY block DESC, p.name
WITH top, i.resource_class AS class, collect([block, p.name])[0] AS largest,
     sum(CASE WHEN i.free > 0 THEN i.free ELSE 0 END) AS free
RETURN top.name AS subtree, class AS resource_class, largest[0] AS block, largest[1] AS provider, free
ORDER BY subtree, resource_class
