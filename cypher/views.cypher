// What people look at: whole trees.

// name: roots
// parameters: -
// columns: roots
// Every tree as [name of the root, uuid of the root, number of providers], by name.
MATCH (root:Root)
WITH root.name AS name, root.uuid AS uuid, COUNT { (root)<-[:IN_TREE]-() } AS providers
ORDER BY name
RETURN collect([name, uuid, providers]) AS roots

// name: tree
// parameters: provider
// columns: providers
// The tree that the provider with this uuid or name is in, an entry a provider, and the pools that share with it:
// they have no part in the tree, and `sharing` says so.
OPTIONAL MATCH (by_uuid:ResourceProvider {uuid: $provider})
USING INDEX SEEK by_uuid:ResourceProvider(uuid)
OPTIONAL MATCH (by_name:ResourceProvider {name: $provider})
USING INDEX SEEK by_name:ResourceProvider(name)
WITH coalesce(by_uuid, by_name) AS named
MATCH (named)-[:IN_TREE]->(root:ResourceProvider)
CALL (root) {
  MATCH (root)<-[:IN_TREE]-(p:ResourceProvider)
  RETURN p, false AS sharing
  UNION
  MATCH (root)<-[:IN_TREE]-(:ResourceProvider)-[:MEMBER_OF]->(a:Aggregate)
  WITH DISTINCT root, a
  MATCH (a)<-[:SHARES]-(p:ResourceProvider)
  WHERE NOT EXISTS { (p)-[:IN_TREE]->(root) }
  RETURN p, true AS sharing
}
RETURN collect({
  uuid: p.uuid, name: p.name, generation: p.generation, revision: p.revision, sharing: sharing,
  parent_uuid: [(p)-[:CHILD_OF]->(parent:ResourceProvider) | parent.uuid],
  inventories: [(p)-[:HAS_INVENTORY]->(i:Inventory) | [i.resource_class, i.total, i.reserved, i.capacity, i.used]],
  traits: [(p)-[:HAS_TRAIT]->(t:Trait) | t.name],
  aggregates: [(p)-[:MEMBER_OF]->(a:Aggregate) | a.uuid]
}) AS providers
