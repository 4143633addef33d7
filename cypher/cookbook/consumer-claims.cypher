// title: The claims of a consumer
// answers: What does a consumer hold, and where is that, from the root down?
// parameter: consumer | text | required | 5f9a4a4e-8a1c-4d53-9df4-0a2d6d1c0001 | the uuid of the consumer
// columns: path, resource_class, amount, capacity, used, since
MATCH (c:Consumer {uuid: $consumer})-[held:CONSUMES]->(i:Inventory)<-[:HAS_INVENTORY]-(p:ResourceProvider)
MATCH (p)-[:IN_TREE]->(root:ResourceProvider)
MATCH way = (p)-[:CHILD_OF*0..]->(root)
WITH held, i, root, [below IN tail(reverse(nodes(way))) | below.name] AS names
RETURN reduce(path = root.name, name IN names | path + ' / ' + name) AS path,
       held.resource_class AS resource_class, held.amount AS amount,
       i.capacity AS capacity, i.used AS used, held.created_at AS since
ORDER BY path, resource_class
