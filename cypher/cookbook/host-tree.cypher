// title: The tree of a host
// answers: What is at every level of a host's tree, and how much of it is reserved, used and free?
// parameter: host | provider | required | compute1 | any provider of the tree, by name or uuid
// columns: level, provider, resource_class, total, reserved, used, free
MATCH (named:ResourceProvider)-[:IN_TREE]->(root:ResourceProvider)
WHERE named.uuid = $host OR named.name = $host
MATCH way = (p:ResourceProvider)-[:CHILD_OF*0..]->(root)
WITH p, length(way) AS level, [above IN reverse(nodes(way)) | above.name] AS names
OPTIONAL MATCH (p)-[:HAS_INVENTORY]->(i:Inventory)
WITH p, level, names, i
ORDER BY names, i.resource_class
RETURN level, p.name AS provider, i.resource_class AS resource_class,
       i.total AS total, i.reserved AS reserved, i.used AS used, i.free AS free
