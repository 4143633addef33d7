// What a graph must be: each check gives what is not so, among the nodes with the element ids given.
//
// `part` says which part of a node it is about, `stored` what is there, `expected` what should be. The statement
// mend_<check> makes the findings `rows` good, each a map of id, part and expected. Nodes are found by element id,
// because a key may be what is missing.

// name: providers
// parameters: -
// columns: ids
MATCH (p:ResourceProvider)
RETURN collect(elementId(p)) AS ids

// name: inventories
// parameters: -
// columns: ids
MATCH (i:Inventory)
RETURN collect(elementId(i)) AS ids

// name: consumers
// parameters: -
// columns: ids
MATCH (c:Consumer)
RETURN collect(elementId(c)) AS ids

// name: hosts
// parameters: -
// columns: ids
MATCH (h:Host)
RETURN collect(elementId(h)) AS ids

// name: host_aggregates
// parameters: -
// columns: ids
MATCH (g:HostAggregate)
RETURN collect(elementId(g)) AS ids

// name: metadata
// parameters: -
// columns: ids
MATCH (m:Metadata)
RETURN collect(elementId(m)) AS ids

// name: owning_consumers
// parameters: ids
// columns: uuids
// The consumers whose locks cover what is checked.
UNWIND $ids AS id
MATCH (c:Consumer) WHERE elementId(c) = id
RETURN collect(c.uuid) AS uuids

// name: lock_consumers
// parameters: uuids
// columns: -
UNWIND $uuids AS uuid
MATCH (c:Consumer {uuid: uuid})
USING INDEX SEEK c:Consumer(uuid)
SET c:Consumer

// name: owning_providers
// parameters: ids
// columns: uuids
// The providers whose locks cover what is checked: a provider, all above it and its roots; whose an inventory is;
// those that a consumer holds something of; those that a host stands for.
UNWIND $ids AS id
CALL (id) {
  MATCH (p:ResourceProvider) WHERE elementId(p) = id
  MATCH (p)-[:CHILD_OF*0..]->(above)
  RETURN DISTINCT above.uuid AS uuid
  UNION
  MATCH (p:ResourceProvider) WHERE elementId(p) = id
  MATCH (p)-[:IN_TREE]->(root)
  RETURN root.uuid AS uuid
  UNION
  MATCH (h:Host) WHERE elementId(h) = id
  MATCH (h)-[:RUNS]->(root)
  RETURN root.uuid AS uuid
  UNION
  MATCH (i:Inventory) WHERE elementId(i) = id
  OPTIONAL MATCH (i)<-[:HAS_INVENTORY]-(p)
  UNWIND [i.provider_uuid, p.uuid] AS uuid
  RETURN uuid
  UNION
  MATCH (c:Consumer) WHERE elementId(c) = id
  MATCH (c)-[:CONSUMES]->(i)
  OPTIONAL MATCH (i)<-[:HAS_INVENTORY]-(p)
  UNWIND [i.provider_uuid, p.uuid] AS uuid
  RETURN uuid
}
RETURN collect(DISTINCT uuid) AS uuids

// name: provider_properties
// parameters: ids
// columns: id, uuid, name, part, stored, expected
UNWIND $ids AS id
MATCH (p:ResourceProvider) WHERE elementId(p) = id
UNWIND ['uuid', 'name', 'generation', 'revision', 'created_at', 'updated_at'] AS key
WITH id, p, key WHERE p[key] IS NULL
RETURN id, p.uuid AS uuid, p.name AS name, key AS part, null AS stored, 'a value' AS expected

// name: links
// parameters: ids
// columns: id, uuid, name, part, stored, expected
UNWIND $ids AS id
MATCH (p:ResourceProvider) WHERE elementId(p) = id
MATCH (p)-[link:CHILD_OF|HAS_INVENTORY|HAS_TRAIT|MEMBER_OF]->(to)
WITH id, p, type(link) AS type, to, count(*) AS times
WHERE times > 1
RETURN id, p.uuid AS uuid, p.name AS name,
  type + ' ' + coalesce(to.resource_class, to.name, to.uuid, elementId(to)) AS part, times AS stored, 1 AS expected

// name: mend_links
// parameters: rows
// columns: -
UNWIND $rows AS row
WITH DISTINCT row.id AS id
MATCH (p:ResourceProvider) WHERE elementId(p) = id
MATCH (p)-[link:CHILD_OF|HAS_INVENTORY|HAS_TRAIT|MEMBER_OF]->(to)
WITH type(link) AS type, to, collect(link) AS links
UNWIND links[1..] AS extra
DELETE extra

// name: parent
// parameters: ids
// columns: id, uuid, name, part, stored, expected
UNWIND $ids AS id
MATCH (p:ResourceProvider) WHERE elementId(p) = id
WITH id, p, COLLECT { MATCH (p)-[:CHILD_OF]->(parent) RETURN DISTINCT parent.uuid ORDER BY parent.uuid } AS parents
WHERE size(parents) > 1
RETURN id, p.uuid AS uuid, p.name AS name, null AS part, parents AS stored, 'one at most' AS expected

// name: ring
// parameters: ids
// columns: id, uuid, name, part, stored, expected
UNWIND $ids AS id
MATCH (p:ResourceProvider) WHERE elementId(p) = id AND EXISTS { (p)-[:CHILD_OF]->() }
  AND EXISTS { (p)-[:CHILD_OF*1..]->(p) }
RETURN id, p.uuid AS uuid, p.name AS name, null AS part,
  COLLECT { MATCH (p)-[:CHILD_OF*1..]->(above) RETURN DISTINCT above.uuid ORDER BY above.uuid } AS stored,
  'no ring' AS expected

// name: root
// parameters: ids
// columns: id, uuid, name, part, stored, expected
UNWIND $ids AS id
MATCH (p:ResourceProvider) WHERE elementId(p) = id
WITH id, p, p:Root AS stored, NOT EXISTS { (p)-[:CHILD_OF]->() } AS expected
WHERE stored <> expected
RETURN id, p.uuid AS uuid, p.name AS name, null AS part, stored, expected

// name: mend_root
// parameters: rows
// columns: -
UNWIND $rows AS row
MATCH (p:ResourceProvider) WHERE elementId(p) = row.id
FOREACH (_ IN CASE WHEN row.expected THEN [1] ELSE [] END | SET p:Root)
FOREACH (_ IN CASE WHEN row.expected THEN [] ELSE [1] END | REMOVE p:Root)

// name: tree
// parameters: ids
// columns: id, uuid, name, part, stored, expected
// Where two parents or a ring leave it open what the root is, the checks of these say so.
UNWIND $ids AS id
MATCH (p:ResourceProvider) WHERE elementId(p) = id
WITH id, p,
  COLLECT { MATCH (p)-[:IN_TREE]->(root) RETURN root.uuid ORDER BY root.uuid } AS stored,
  COLLECT {
    MATCH (p)-[:CHILD_OF*0..]->(top)
    WHERE NOT EXISTS { (top)-[:CHILD_OF]->() }
    RETURN DISTINCT top.uuid
  } AS expected
WHERE stored <> expected AND size(expected) = 1
RETURN id, p.uuid AS uuid, p.name AS name, null AS part, stored, expected

// name: mend_tree
// parameters: rows
// columns: -
UNWIND $rows AS row
MATCH (p:ResourceProvider) WHERE elementId(p) = row.id
MATCH (root:ResourceProvider {uuid: row.expected[0]})
USING INDEX SEEK root:ResourceProvider(uuid)
CALL (p) {
  MATCH (p)-[in_tree:IN_TREE]->()
  DELETE in_tree
}
CREATE (p)-[:IN_TREE]->(root)

// name: mirror
// parameters: ids
// columns: id, uuid, name, part, stored, expected
UNWIND $ids AS id
MATCH (p:ResourceProvider) WHERE elementId(p) = id
MATCH (p)<-[:RUNS]-(:Host)-[:MEMBER_OF]->(g:HostAggregate)
WHERE NOT EXISTS { (p)-[:MEMBER_OF]->(:Aggregate {uuid: g.uuid}) }
RETURN DISTINCT id, p.uuid AS uuid, p.name AS name, g.uuid AS part, 'not a member' AS stored, 'a member' AS expected

// name: mend_mirror
// parameters: rows
// columns: -
// As a write of the provider's aggregates would: its clients see another generation.
UNWIND $rows AS row
MATCH (p:ResourceProvider) WHERE elementId(p) = row.id
MERGE (a:Aggregate {uuid: row.part})
ON CREATE SET a.created_at = datetime(), a.updated_at = datetime()
CREATE (p)-[:MEMBER_OF]->(a)
SET p.generation = p.generation + 1, p.updated_at = datetime()

// name: sharing
// parameters: ids
// columns: id, uuid, name, part, stored, expected
UNWIND $ids AS id
MATCH (p:ResourceProvider) WHERE elementId(p) = id
WITH id, p,
  COLLECT { MATCH (p)-[:SHARES]->(a) RETURN a.uuid ORDER BY a.uuid } AS stored,
  COLLECT {
    MATCH (p)-[:MEMBER_OF]->(a)
    WHERE EXISTS { (p)-[:HAS_TRAIT]->(:Trait {name: 'MISC_SHARES_VIA_AGGREGATE'}) }
    RETURN DISTINCT a.uuid ORDER BY a.uuid
  } AS expected
WHERE stored <> expected
RETURN id, p.uuid AS uuid, p.name AS name, null AS part, stored, expected

// name: mend_sharing
// parameters: rows
// columns: -
UNWIND $rows AS row
MATCH (p:ResourceProvider) WHERE elementId(p) = row.id
CALL (p) {
  MATCH (p)-[shares:SHARES]->()
  DELETE shares
}
UNWIND row.expected AS uuid
MATCH (a:Aggregate {uuid: uuid})
USING INDEX SEEK a:Aggregate(uuid)
CREATE (p)-[:SHARES]->(a)

// name: inventory_properties
// parameters: ids
// columns: id, uuid, name, part, stored, expected
UNWIND $ids AS id
MATCH (i:Inventory) WHERE elementId(i) = id
UNWIND [
  'provider_uuid', 'resource_class', 'total', 'reserved', 'min_unit', 'max_unit', 'step_size', 'allocation_ratio',
  'created_at', 'updated_at'
] AS key
WITH id, i, key WHERE i[key] IS NULL
RETURN id, i.provider_uuid AS uuid, head(COLLECT {
    MATCH (p)-[:HAS_INVENTORY]->(i) RETURN p.name ORDER BY p.uuid <> i.provider_uuid
  }) AS name,
  coalesce(i.resource_class, '?') + ' ' + key AS part, null AS stored, 'a value' AS expected

// name: inventory_place
// parameters: ids
// columns: id, uuid, name, part, stored, expected
UNWIND $ids AS id
MATCH (i:Inventory) WHERE elementId(i) = id
WITH id, i,
  COUNT { MATCH (i)<-[:HAS_INVENTORY]-(p) RETURN DISTINCT p } AS providers,
  COUNT { MATCH (i)-[:OF_CLASS]->(k) RETURN DISTINCT k } AS classes
UNWIND [['providers', providers], ['resource classes', classes]] AS found
WITH id, i, found WHERE found[1] <> 1
RETURN id, i.provider_uuid AS uuid, head(COLLECT {
    MATCH (p)-[:HAS_INVENTORY]->(i) RETURN p.name ORDER BY p.uuid <> i.provider_uuid
  }) AS name,
  coalesce(i.resource_class, '?') + ' ' + found[0] AS part, found[1] AS stored, 1 AS expected

// name: inventory_key
// parameters: ids
// columns: id, uuid, name, part, stored, expected
UNWIND $ids AS id
MATCH (i:Inventory) WHERE elementId(i) = id
MATCH (p:ResourceProvider)-[:HAS_INVENTORY]->(i)-[:OF_CLASS]->(k:ResourceClass)
WHERE p.uuid IS NOT NULL
WITH id, i, collect(DISTINCT p.name) AS names, collect(DISTINCT [p.uuid, k.name]) AS keys
WHERE size(keys) = 1 AND coalesce(keys[0] <> [i.provider_uuid, i.resource_class], true)
RETURN id, keys[0][0] AS uuid, names[0] AS name, keys[0][1] + ' key' AS part,
  [i.provider_uuid, i.resource_class] AS stored, keys[0] AS expected

// name: mend_inventory_key
// parameters: rows
// columns: -
UNWIND $rows AS row
MATCH (i:Inventory) WHERE elementId(i) = row.id
  AND NOT EXISTS {
    MATCH (other:Inventory {provider_uuid: row.expected[0], resource_class: row.expected[1]})
    USING INDEX SEEK other:Inventory(provider_uuid, resource_class)
  }
SET i.provider_uuid = row.expected[0], i.resource_class = row.expected[1]

// name: capacity
// parameters: ids
// columns: id, uuid, name, part, stored, expected
// Cypher has no decimals: graphplace makes the capacity of total, reserved amount and ratio.
UNWIND $ids AS id
MATCH (i:Inventory) WHERE elementId(i) = id
RETURN id, i.provider_uuid AS uuid, head(COLLECT {
    MATCH (p)-[:HAS_INVENTORY]->(i) RETURN p.name ORDER BY p.uuid <> i.provider_uuid
  }) AS name,
  coalesce(i.resource_class, '?') + ' capacity' AS part, i.capacity AS stored, [i.total, i.reserved, i.allocation_ratio, 0] AS expected

// name: mend_capacity
// parameters: rows
// columns: -
UNWIND $rows AS row
MATCH (i:Inventory) WHERE elementId(i) = row.id
SET i.capacity = row.expected

// name: used
// parameters: ids
// columns: id, uuid, name, part, stored, expected
UNWIND $ids AS id
MATCH (i:Inventory) WHERE elementId(i) = id
OPTIONAL MATCH (i)<-[r:CONSUMES]-()
WITH id, i, sum(r.amount) AS used
WHERE i.used IS NULL OR i.used <> used
RETURN id, i.provider_uuid AS uuid, head(COLLECT {
    MATCH (p)-[:HAS_INVENTORY]->(i) RETURN p.name ORDER BY p.uuid <> i.provider_uuid
  }) AS name,
  coalesce(i.resource_class, '?') + ' used' AS part, i.used AS stored, used AS expected

// name: mend_used
// parameters: rows
// columns: -
UNWIND $rows AS row
MATCH (i:Inventory) WHERE elementId(i) = row.id
SET i.used = row.expected

// name: free
// parameters: ids
// columns: id, uuid, name, part, stored, expected
UNWIND $ids AS id
MATCH (i:Inventory) WHERE elementId(i) = id
OPTIONAL MATCH (i)<-[r:CONSUMES]-()
WITH id, i, sum(r.amount) AS used
RETURN id, i.provider_uuid AS uuid, head(COLLECT {
    MATCH (p)-[:HAS_INVENTORY]->(i) RETURN p.name ORDER BY p.uuid <> i.provider_uuid
  }) AS name,
  coalesce(i.resource_class, '?') + ' free' AS part, i.free AS stored, [i.total, i.reserved, i.allocation_ratio, used] AS expected

// name: mend_free
// parameters: rows
// columns: -
UNWIND $rows AS row
MATCH (i:Inventory) WHERE elementId(i) = row.id
SET i.free = row.expected

// name: consumer_properties
// parameters: ids
// columns: id, uuid, name, part, stored, expected
UNWIND $ids AS id
MATCH (c:Consumer) WHERE elementId(c) = id
UNWIND ['uuid', 'generation', 'created_at', 'updated_at'] AS key
WITH id, c, key WHERE c[key] IS NULL
RETURN id, c.uuid AS uuid, null AS name, key AS part, null AS stored, 'a value' AS expected

// name: owner
// parameters: ids
// columns: id, uuid, name, part, stored, expected
UNWIND $ids AS id
MATCH (c:Consumer) WHERE elementId(c) = id
WITH id, c,
  COLLECT { MATCH (c)-[:OF_PROJECT]->(project) RETURN project.id } AS projects,
  COLLECT { MATCH (c)-[:OF_USER]->(user) RETURN user.id } AS users,
  COLLECT { MATCH (c)-[:OF_TYPE]->(type) RETURN type.name } AS types
UNWIND [
  ['project', projects, size(projects) = 1, 'one'],
  ['user', users, size(users) = 1, 'one'],
  ['type', types, size(types) <= 1, 'one at most']
] AS found
WITH id, c, found WHERE NOT found[2]
RETURN id, c.uuid AS uuid, null AS name, found[0] AS part, found[1] AS stored, found[3] AS expected

// name: idle
// parameters: ids
// columns: id, uuid, name, part, stored, expected
UNWIND $ids AS id
MATCH (c:Consumer) WHERE elementId(c) = id AND NOT EXISTS { (c)-[:CONSUMES]->() }
RETURN id, c.uuid AS uuid, null AS name, null AS part, 0 AS stored, 'an allocation' AS expected

// name: mend_idle
// parameters: rows
// columns: -
UNWIND $rows AS row
MATCH (c:Consumer) WHERE elementId(c) = row.id
DETACH DELETE c

// name: allocation
// parameters: ids
// columns: id, uuid, name, part, stored, expected
UNWIND $ids AS id
MATCH (c:Consumer) WHERE elementId(c) = id
MATCH (c)-[r:CONSUMES]->(i)
WITH id, c, i, collect(r.amount) AS amounts, count(*) AS times
WHERE times > 1 OR size(amounts) < times OR amounts[0] < 1 OR NOT i:Inventory
RETURN id, c.uuid AS uuid, null AS name, coalesce(i.provider_uuid, '?') + ' ' + coalesce(i.resource_class, '?') AS part,
  amounts AS stored, 'one amount above 0' AS expected

// name: allocation_class
// parameters: ids
// columns: id, uuid, name, part, stored, expected
UNWIND $ids AS id
MATCH (c:Consumer) WHERE elementId(c) = id
MATCH (c)-[r:CONSUMES]->(i:Inventory)-[:OF_CLASS]->(k:ResourceClass)
WITH id, c, r, i, collect(DISTINCT k.name) AS names
WHERE size(names) = 1 AND (r.resource_class IS NULL OR r.resource_class <> names[0])
RETURN id, c.uuid AS uuid, null AS name, coalesce(i.provider_uuid, '?') + ' ' + names[0] AS part,
  r.resource_class AS stored, names[0] AS expected

// name: mend_allocation_class
// parameters: rows
// columns: -
UNWIND $rows AS row
WITH DISTINCT row.id AS id
MATCH (c:Consumer) WHERE elementId(c) = id
MATCH (c)-[r:CONSUMES]->(:Inventory)-[:OF_CLASS]->(k:ResourceClass)
WITH r, collect(DISTINCT k.name) AS names
WHERE size(names) = 1
SET r.resource_class = names[0]

// name: usage
// parameters: ids
// columns: id, uuid, name, part, stored, expected
UNWIND $ids AS id
MATCH (c:Consumer) WHERE elementId(c) = id AND EXISTS { (c)-[:CONSUMES]->() } AND COUNT { (c)-[:OF_TYPE]->() } < 2
MATCH (c)-[of_project:OF_PROJECT]->()
WITH id, c, of_project.usage AS stored,
  coalesce(head([(c)-[:OF_TYPE]->(type) | type.name]), '') + reduce(text = '', held IN COLLECT {
    MATCH (c)-[r:CONSUMES]->()-[:OF_CLASS]->(k)
    WITH k.name AS resource_class, sum(r.amount) AS amount ORDER BY resource_class
    RETURN ' ' + resource_class + '=' + amount
  } | text + held) AS expected
WHERE stored IS NULL OR stored <> expected
RETURN id, c.uuid AS uuid, null AS name, 'usage' AS part, stored, expected

// name: mend_usage
// parameters: rows
// columns: -
UNWIND $rows AS row
MATCH (c:Consumer) WHERE elementId(c) = row.id
MATCH (c)-[of_project:OF_PROJECT]->()
SET of_project.usage = row.expected

// name: host
// parameters: ids
// columns: id, uuid, name, part, stored, expected
UNWIND $ids AS id
MATCH (h:Host) WHERE elementId(h) = id
WITH id, h, COLLECT { MATCH (h)-[:RUNS]->(root) RETURN root } AS roots
UNWIND [
  ['service_host', h.service_host IS NOT NULL, 'nothing', 'a value'],
  ['nodename', h.nodename IS NOT NULL, 'nothing', 'a value'],
  ['cells', COUNT { (h)-[:IN_CELL]->(:Cell) } = 1, COUNT { (h)-[:IN_CELL]->() }, 1],
  ['providers', size(roots) <= 1, size(roots), 'one at most'],
  ['root', all(root IN roots WHERE root:Root), [root IN roots WHERE NOT root:Root | root.name], 'a root'],
  ['hosts of the root', all(root IN roots WHERE COUNT { (root)<-[:RUNS]-() } = 1),
    [root IN roots | root.name], 'a root of its own']
] AS found
WITH id, h, found WHERE NOT found[1]
RETURN id, null AS uuid, coalesce(h.service_host, '?') + ' ' + coalesce(h.nodename, '?') AS name, found[0] AS part,
  found[2] AS stored, found[3] AS expected

// name: host_aggregate
// parameters: ids
// columns: id, uuid, name, part, stored, expected
UNWIND $ids AS id
MATCH (g:HostAggregate) WHERE elementId(g) = id
UNWIND ['uuid', 'name', 'created_at', 'updated_at'] AS key
WITH id, g, key WHERE g[key] IS NULL
RETURN id, g.uuid AS uuid, g.name AS name, key AS part, null AS stored, 'a value' AS expected

// name: mirrors
// parameters: ids
// columns: id, uuid, name, part, stored, expected
UNWIND $ids AS id
MATCH (g:HostAggregate) WHERE elementId(g) = id AND g.uuid IS NOT NULL
WITH id, g, COLLECT { MATCH (g)-[:MIRRORS]->(a) RETURN a.uuid ORDER BY a.uuid } AS stored
WHERE stored <> [g.uuid]
RETURN id, g.uuid AS uuid, g.name AS name, null AS part, stored, [g.uuid] AS expected

// name: mend_mirrors
// parameters: rows
// columns: -
UNWIND $rows AS row
MATCH (g:HostAggregate) WHERE elementId(g) = row.id
CALL (g) {
  MATCH (g)-[mirrors:MIRRORS]->()
  DELETE mirrors
}
MERGE (a:Aggregate {uuid: g.uuid})
ON CREATE SET a.created_at = datetime(), a.updated_at = datetime()
CREATE (g)-[:MIRRORS]->(a)

// name: metadata_place
// parameters: ids
// columns: id, uuid, name, part, stored, expected
UNWIND $ids AS id
MATCH (m:Metadata) WHERE elementId(m) = id
UNWIND [
  ['key', m.key IS NOT NULL, 'nothing', 'a value'],
  ['value', m.value IS NOT NULL, 'nothing', 'a value'],
  ['host aggregates', COUNT { (m)<-[:HAS_METADATA]-() } = 1, COUNT { (m)<-[:HAS_METADATA]-() }, 1]
] AS found
WITH id, m, found WHERE NOT found[1]
RETURN id, m.aggregate_uuid AS uuid, m.key AS name, found[0] AS part, found[2] AS stored, found[3] AS expected

// name: metadata_key
// parameters: ids
// columns: id, uuid, name, part, stored, expected
UNWIND $ids AS id
MATCH (m:Metadata) WHERE elementId(m) = id
MATCH (g:HostAggregate)-[:HAS_METADATA]->(m)
WITH id, m, collect(g.uuid) AS owners
WHERE size(owners) = 1 AND coalesce(owners[0] <> m.aggregate_uuid, true)
RETURN id, owners[0] AS uuid, m.key AS name, 'aggregate_uuid' AS part, m.aggregate_uuid AS stored, owners[0] AS expected

// name: mend_metadata_key
// parameters: rows
// columns: -
UNWIND $rows AS row
MATCH (m:Metadata) WHERE elementId(m) = row.id
  AND NOT EXISTS {
    MATCH (other:Metadata {aggregate_uuid: row.expected, key: m.key})
    USING INDEX SEEK other:Metadata(aggregate_uuid, key)
  }
SET m.aggregate_uuid = row.expected
