// What an operator should look at: each statement gives how many there are, and the first `most` of them as maps.
//
// They read without locks: on a live cloud, what is being written at that moment may be among them.

// name: orphans
// parameters: known, most
// columns: total, found
// Consumers that no service knows, the oldest first.
MATCH (c:Consumer)
WHERE NOT c.uuid IN $known
WITH c ORDER BY c.created_at, c.uuid
WITH collect(c) AS every
RETURN size(every) AS total, [c IN every[..$most] | {
  uuid: c.uuid,
  since: toString(c.created_at),
  project: head([(c)-[:OF_PROJECT]->(project:Project) | project.id]),
  held: COLLECT {
    MATCH (c)-[r:CONSUMES]->(:Inventory)<-[:HAS_INVENTORY]-(p:ResourceProvider)
    RETURN p.name + ' ' + r.resource_class + ':' + r.amount
    ORDER BY r.position
  }
}] AS found

// name: doubled
// parameters: most
// columns: total, found
// What is held of a pool belongs to no host.
MATCH (c:Consumer)
WHERE COUNT { (c)-[:CONSUMES]->() } > 1
CALL (c) {
  MATCH (c)-[:CONSUMES]->(:Inventory)<-[:HAS_INVENTORY]-(p:ResourceProvider)-[:IN_TREE]->(root:ResourceProvider)
  WHERE NOT EXISTS { (p)-[:SHARES]->() }
  RETURN collect(DISTINCT root) AS roots
}
WITH c, roots WHERE size(roots) > 1
ORDER BY c.updated_at, c.uuid
WITH collect([c, roots]) AS every
RETURN size(every) AS total, [pair IN every[..$most] | {
  uuid: pair[0].uuid,
  since: toString(pair[0].updated_at),
  type: head([(consumer)-[:OF_TYPE]->(type:ConsumerType) WHERE consumer = pair[0] | type.name]),
  roots: COLLECT {
    UNWIND pair[1] AS root
    WITH root ORDER BY root.name
    RETURN {name: root.name, uuid: root.uuid, providers: COLLECT {
      MATCH (root)<-[:IN_TREE]-(p:ResourceProvider)-[:HAS_INVENTORY]->(:Inventory)<-[:CONSUMES]-(consumer:Consumer)
      WHERE consumer = pair[0]
      WITH DISTINCT p
      RETURN p.uuid ORDER BY p.name
    }}
  }
}] AS found

// name: over_capacity
// parameters: most
// columns: total, found
// The index on class and free amount finds them: each class has its own place in it.
MATCH (class:ResourceClass)
CALL (class) {
  MATCH (i:Inventory)
  USING INDEX i:Inventory(resource_class, free)
  WHERE i.resource_class = class.name AND i.free < 0
  RETURN i
}
WITH i ORDER BY i.resource_class, i.free, i.provider_uuid
WITH collect(i) AS every
RETURN size(every) AS total, [i IN every[..$most] | {
  uuid: i.provider_uuid,
  name: head([(p:ResourceProvider)-[:HAS_INVENTORY]->(i) | p.name]),
  resource_class: i.resource_class,
  used: i.used,
  capacity: i.capacity,
  room: i.total - i.reserved,
  consumers: COUNT { (i)<-[:CONSUMES]-() }
}] AS found

// name: stale
// parameters: before, most
// columns: total, found
// A tree of which nothing is in use, and in which nothing was written since `before`. Children come before parents.
MATCH (root:Root)
WHERE root.updated_at < $before
  AND EXISTS { (root)<-[:IN_TREE]-(:ResourceProvider)-[:HAS_INVENTORY]->(:Inventory) }
  AND NOT EXISTS { MATCH (root)<-[:IN_TREE]-(p:ResourceProvider) WHERE p.updated_at >= $before }
  AND NOT EXISTS {
    MATCH (root)<-[:IN_TREE]-(:ResourceProvider)-[:HAS_INVENTORY]->(i:Inventory)
    WHERE i.used > 0
  }
WITH root ORDER BY root.updated_at, root.name
WITH collect(root) AS every
RETURN size(every) AS total, [root IN every[..$most] | {
  uuid: root.uuid,
  name: root.name,
  since: toString(root.updated_at),
  providers: COLLECT {
    MATCH path = (root)<-[:CHILD_OF*0..]-(p:ResourceProvider)
    RETURN p.uuid ORDER BY length(path) DESC, p.name
  }
}] AS found

// name: empty
// parameters: settled, most
// columns: total, found
// Neither inventories, children nor traits, and time enough since `settled` to be given some.
MATCH (p:ResourceProvider)
WHERE p.updated_at < $settled
  AND NOT EXISTS { (p)-[:HAS_INVENTORY]->() }
  AND NOT EXISTS { (p)<-[:CHILD_OF]-() }
  AND NOT EXISTS { (p)-[:HAS_TRAIT]->() }
WITH p ORDER BY p.name
WITH collect(p) AS every
RETURN size(every) AS total, [p IN every[..$most] | {
  uuid: p.uuid,
  name: p.name,
  since: toString(p.updated_at)
}] AS found

// name: lonely_pools
// parameters: most
// columns: total, found
// Pools that share with no tree but their own.
MATCH (sharing:Trait {name: 'MISC_SHARES_VIA_AGGREGATE'})<-[:HAS_TRAIT]-(p:ResourceProvider)-[:IN_TREE]->(root)
USING INDEX SEEK sharing:Trait(name)
WHERE NOT EXISTS {
  MATCH (p)-[:SHARES]->(:Aggregate)<-[:MEMBER_OF]-(other:ResourceProvider)
  WHERE NOT EXISTS { (other)-[:IN_TREE]->(root) }
}
WITH p ORDER BY p.name
WITH collect(p) AS every
RETURN size(every) AS total, [p IN every[..$most] | {
  uuid: p.uuid,
  name: p.name,
  aggregates: COLLECT { MATCH (p)-[:SHARES]->(a:Aggregate) RETURN a.uuid ORDER BY a.uuid }
}] AS found

// name: untyped
// parameters: most
// columns: total, found
// Consumers that read as of the type `unknown`, the oldest first.
MATCH (c:Consumer)
WHERE NOT EXISTS { (c)-[:OF_TYPE]->() }
WITH c ORDER BY c.created_at, c.uuid
WITH collect(c) AS every
RETURN size(every) AS total, [c IN every[..$most] | {
  uuid: c.uuid,
  since: toString(c.created_at),
  project: head([(c)-[:OF_PROJECT]->(project:Project) | project.id]),
  user: head([(c)-[:OF_USER]->(user:User) | user.id]),
  held: COLLECT {
    MATCH (c)-[r:CONSUMES]->(:Inventory)<-[:HAS_INVENTORY]-(p:ResourceProvider)
    RETURN {provider: p.uuid, resource_class: r.resource_class, amount: r.amount}
    ORDER BY r.position
  }
}] AS found
