// What notebooks look at, as nodes and relationships.

// name: tree
// parameters: provider
// columns: provider, link, other
// The tree that the provider with this uuid or name is in: every provider, and all that it is linked to.
OPTIONAL MATCH (by_uuid:ResourceProvider {uuid: $provider})
USING INDEX SEEK by_uuid:ResourceProvider(uuid)
OPTIONAL MATCH (by_name:ResourceProvider {name: $provider})
USING INDEX SEEK by_name:ResourceProvider(name)
WITH coalesce(by_uuid, by_name) AS named
MATCH (named)-[:IN_TREE]->(root:ResourceProvider)
MATCH (root)<-[:IN_TREE]-(provider:ResourceProvider)
MATCH (provider)-[link:CHILD_OF|IN_TREE|HAS_INVENTORY|HAS_TRAIT|MEMBER_OF|SHARES]->(other)
RETURN provider, link, other
