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
// parameters: uuid
// columns: revision, root, providers
// The tree that the provider is in, an entry a provider, and the pools that share with it: they have no part in the
// tree, and `shares_via` says through which aggregates they reach it.
<<tree_revision>>
WITH root, revision
<<tree_and_sharers>>
RETURN revision, root.uuid AS root, collect(<<provider_with_all>>) AS providers

// name: tree_revision
// parameters: uuid
// columns: revision
// What changes with every write to any of these providers.
<<tree_revision>>
RETURN revision

// name: aggregate
// parameters: uuid
// columns: revision, providers
// The members of an aggregate; `shares_via` says which of them share with it.
<<aggregate_revision>>
WITH aggregate, revision
MATCH (aggregate)<-[:MEMBER_OF]-(p:ResourceProvider)
WITH revision, p, CASE WHEN EXISTS { (p)-[:SHARES]->(aggregate) } THEN [aggregate.uuid] ELSE [] END AS shares_via
RETURN revision, collect(<<provider_with_all>>) AS providers

// name: aggregate_revision
// parameters: uuid
// columns: revision
<<aggregate_revision>>
RETURN revision
