// Hosts: what a compute service runs, a node of it each, which cell it is in and which root provider it stands for.
// Whoever writes them holds the one lock of locks.lock_hosts.

// name: create_cell
// parameters: uuid, name
// columns: -
CREATE (:Cell {uuid: $uuid, name: $name, created_at: datetime()})

// name: cells
// parameters: -
// columns: cells
MATCH (c:Cell)
WITH c ORDER BY c.name
RETURN collect([c.uuid, c.name]) AS cells

// name: find_cell
// parameters: cell
// columns: uuid, hosts
OPTIONAL MATCH (by_uuid:Cell {uuid: $cell})
USING INDEX SEEK by_uuid:Cell(uuid)
OPTIONAL MATCH (by_name:Cell {name: $cell})
USING INDEX SEEK by_name:Cell(name)
WITH coalesce(by_uuid, by_name) AS c
WHERE c IS NOT NULL
RETURN c.uuid AS uuid, COUNT { (c)<-[:IN_CELL]-() } AS hosts

// name: delete_cell
// parameters: uuid
// columns: -
MATCH (c:Cell {uuid: $uuid})
USING INDEX SEEK c:Cell(uuid)
DELETE c

// name: read_all
// parameters: -
// columns: hosts
MATCH (h:Host)-[:IN_CELL]->(cell)
OPTIONAL MATCH (h)-[:RUNS]->(root)
WITH h, cell, root ORDER BY h.service_host, h.nodename
RETURN collect([h.service_host, h.nodename, cell.uuid, cell.name, root.uuid,
  COLLECT { MATCH (h)-[:MEMBER_OF]->(g) RETURN g.name ORDER BY g.name }]) AS hosts

// name: of_service
// parameters: service_host
// columns: hosts
MATCH (h:Host {service_host: $service_host})-[:IN_CELL]->(cell)
USING INDEX SEEK h:Host(service_host, nodename)
WHERE h.nodename IS NOT NULL
OPTIONAL MATCH (h)-[:RUNS]->(root)
WITH h, cell, root ORDER BY h.nodename
RETURN collect([h.service_host, h.nodename, cell.uuid, cell.name, root.uuid,
  COLLECT { MATCH (h)-[:MEMBER_OF]->(g) RETURN g.name ORDER BY g.name }]) AS hosts

// name: of_roots
// parameters: roots
// columns: hosts
// Which node each root provider stands for, where it stands for one: of many roots one row.
UNWIND $roots AS uuid
MATCH (root:ResourceProvider {uuid: uuid})
USING INDEX SEEK root:ResourceProvider(uuid)
MATCH (root)<-[:RUNS]-(h)-[:IN_CELL]->(cell)
RETURN collect([uuid, h.service_host, h.nodename, cell.uuid]) AS hosts

// name: nodes
// parameters: service_hosts
// columns: nodes
// All nodes of these services, the root that each stands for and the host aggregates that it is in.
UNWIND $service_hosts AS service_host
MATCH (h:Host {service_host: service_host})
USING INDEX SEEK h:Host(service_host, nodename)
WHERE h.nodename IS NOT NULL
RETURN collect([h.service_host, h.nodename, head([(h)-[:RUNS]->(root) | root.uuid]),
  [(h)-[:MEMBER_OF]->(g) | g.uuid]]) AS nodes

// name: candidates
// parameters: sharing
// columns: roots
// Roots with a name that no host stands for. Those that have the trait of sharing are pools.
MATCH (root:Root)
WHERE root.name <> '' AND NOT EXISTS { (root)<-[:RUNS]-() } AND NOT EXISTS { (root)-[:HAS_TRAIT]->({name: $sharing}) }
WITH root ORDER BY root.name
RETURN collect([root.uuid, root.name]) AS roots

// name: rootless
// parameters: -
// columns: nodes
// Hosts whose provider was deleted.
MATCH (h:Host)
WHERE NOT EXISTS { (h)-[:RUNS]->() }
RETURN collect([h.service_host, h.nodename]) AS nodes

// name: roots_of
// parameters: uuids
// columns: roots
// Those of these providers that are roots, and which host stands for each.
UNWIND $uuids AS uuid
MATCH (root:ResourceProvider {uuid: uuid})
USING INDEX SEEK root:ResourceProvider(uuid)
WHERE root:Root
RETURN collect([uuid, head([(h)-[:RUNS]->(root) | [h.service_host, h.nodename]])]) AS roots

// name: map
// parameters: rows, cell
// columns: -
// Each row is a node, its root, and the host aggregates that it is in.
MATCH (cell:Cell {uuid: $cell})
USING INDEX SEEK cell:Cell(uuid)
UNWIND $rows AS row
MATCH (root:ResourceProvider {uuid: row.root})
USING INDEX SEEK root:ResourceProvider(uuid)
MERGE (h:Host {service_host: row.service_host, nodename: row.nodename})
ON CREATE SET h.created_at = datetime()
SET h.updated_at = datetime()
WITH cell, row, root, h
CALL (h) {
  MATCH (h)-[before:IN_CELL|RUNS]->()
  DELETE before
}
CREATE (h)-[:IN_CELL]->(cell)
CREATE (h)-[:RUNS]->(root)
WITH row, h
UNWIND row.aggregates AS uuid
MATCH (g:HostAggregate {uuid: uuid})
USING INDEX SEEK g:HostAggregate(uuid)
MERGE (h)-[:MEMBER_OF]->(g)

// name: unmap
// parameters: service_host, nodenames
// columns: -
UNWIND $nodenames AS nodename
MATCH (h:Host {service_host: $service_host, nodename: nodename})
USING INDEX SEEK h:Host(service_host, nodename)
DETACH DELETE h
