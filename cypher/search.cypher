// What people look for, of which they are shown a part: no statement reads more than it gives, or than there are traits.
//
// A provider is [uuid, name, uuid of the root, name of the root]; a trait or an aggregate is [name or uuid, number of
// providers that have it or are in it].

// name: sizes
// parameters: -
// columns: trees, providers, consumers
// How much there is, of which Neo4j keeps count.
CALL () {
  MATCH (root:Root)
  RETURN count(root) AS trees
}
CALL () {
  MATCH (p:ResourceProvider)
  RETURN count(p) AS providers
}
CALL () {
  MATCH (c:Consumer)
  RETURN count(c) AS consumers
}
RETURN trees, providers, consumers

// name: hosts
// parameters: after, most
// columns: providers
// The first trees by the names of their roots, of those behind a name.
MATCH (p:ResourceProvider)
USING RANGE INDEX p:ResourceProvider(name)
WHERE p.name > $after AND p:Root
WITH p ORDER BY p.name LIMIT $most
RETURN collect([p.uuid, p.name, p.uuid, p.name]) AS providers

// name: find
// parameters: text, most
// columns: starting, providers, traits, aggregates
// Whatever has a text in its name or at the start of its uuid. `starting` are the providers whose names start with it.
CALL () {
  MATCH (p:ResourceProvider)
  USING RANGE INDEX p:ResourceProvider(name)
  WHERE p.name STARTS WITH $text
  WITH p ORDER BY p.name LIMIT $most
  MATCH (p)-[:IN_TREE]->(root)
  RETURN collect([p.uuid, p.name, root.uuid, root.name]) AS starting
}
CALL () {
  CALL () {
    MATCH (p:ResourceProvider)
    USING INDEX p:ResourceProvider(uuid)
    WHERE p.uuid STARTS WITH $text
    RETURN p LIMIT $most
    UNION
    MATCH (p:ResourceProvider)
    USING TEXT INDEX p:ResourceProvider(name)
    WHERE p.name CONTAINS $text
    RETURN p LIMIT $most
  }
  MATCH (p)-[:IN_TREE]->(root)
  RETURN collect([p.uuid, p.name, root.uuid, root.name]) AS providers
}
CALL () {
  MATCH (t:Trait)
  WHERE t.name CONTAINS toUpper($text)
  WITH t ORDER BY t.name LIMIT $most
  RETURN collect([t.name, COUNT { (t)<-[:HAS_TRAIT]-() }]) AS traits
}
CALL () {
  MATCH (a:Aggregate)
  USING INDEX a:Aggregate(uuid)
  WHERE a.uuid STARTS WITH $text
  WITH a ORDER BY a.uuid LIMIT $most
  RETURN collect([a.uuid, COUNT { (a)<-[:MEMBER_OF]-() }]) AS aggregates
}
RETURN starting, providers, traits, aggregates

// name: with_trait
// parameters: name, most
// columns: providers
// Some of the providers that have a trait.
MATCH (t:Trait {name: $name})<-[:HAS_TRAIT]-(p)
USING INDEX SEEK t:Trait(name)
WITH p LIMIT $most
MATCH (p)-[:IN_TREE]->(root)
RETURN collect([p.uuid, p.name, root.uuid, root.name]) AS providers

// name: in_aggregate
// parameters: uuid, most
// columns: providers
// Some of the providers that are in an aggregate.
MATCH (a:Aggregate {uuid: $uuid})<-[:MEMBER_OF]-(p)
USING INDEX SEEK a:Aggregate(uuid)
WITH p LIMIT $most
MATCH (p)-[:IN_TREE]->(root)
RETURN collect([p.uuid, p.name, root.uuid, root.name]) AS providers
