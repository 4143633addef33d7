// title: The difference between two hosts
// answers: What has one host that another has not, or has otherwise?
// note: Usage is not compared. Providers are the same when their names are, but for the name of the host in them.
// parameter: host | provider | required | compute1 | any provider of one tree, by name or uuid
// parameter: other | provider | required | compute2 | any provider of the other tree
// columns: place, what, host, other
CALL () {
  MATCH (named:ResourceProvider)-[:IN_TREE]->(root:ResourceProvider)
  WHERE named.uuid = $host OR named.name = $host
  RETURN root, 'host' AS side
  UNION ALL
  MATCH (named:ResourceProvider)-[:IN_TREE]->(root:ResourceProvider)
  WHERE named.uuid = $other OR named.name = $other
  RETURN root, 'other' AS side
}
MATCH way = (p:ResourceProvider)-[:CHILD_OF*0..]->(root)
WITH side, p, [below IN tail(reverse(nodes(way))) | replace(below.name, root.name, '')] AS names
WITH side, p, reduce(place = '/', name IN names | place + name + '/') AS place
CALL (p) {
  RETURN 'provider' AS what, 'yes' AS value
  UNION ALL
  MATCH (p)-[:HAS_INVENTORY]->(i:Inventory)
  UNWIND ['total', 'reserved', 'allocation_ratio', 'min_unit', 'max_unit', 'step_size'] AS field
  RETURN i.resource_class + ' ' + field AS what, toString(i[field]) AS value
  UNION ALL
  MATCH (p)-[:HAS_TRAIT]->(t:Trait)
  RETURN 'trait ' + t.name AS what, 'yes' AS value
  UNION ALL
  MATCH (p)-[:MEMBER_OF]->(a:Aggregate)
  RETURN 'aggregate ' + a.uuid AS what, 'yes' AS value
}
WITH place, what, collect({side: side, value: value}) AS found
WITH place, what, [one IN found WHERE one.side = 'host' | one.value] AS of_host,
     [one IN found WHERE one.side = 'other' | one.value] AS of_other
WHERE of_host <> of_other
RETURN place, what, of_host[0] AS host, of_other[0] AS other
ORDER BY place, what
