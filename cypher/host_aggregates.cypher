// Host aggregates: groups of hosts with metadata. Each is mirrored by the aggregate of the same uuid, which the roots of
// its hosts are members of. Whoever writes them holds the one lock of locks.lock_hosts.

// name: find
// parameters: aggregate
// columns: uuid
OPTIONAL MATCH (by_uuid:HostAggregate {uuid: $aggregate})
USING INDEX SEEK by_uuid:HostAggregate(uuid)
OPTIONAL MATCH (by_name:HostAggregate {name: $aggregate})
USING INDEX SEEK by_name:HostAggregate(name)
RETURN coalesce(by_uuid, by_name).uuid AS uuid

// name: read
// parameters: uuids
// columns: aggregates
UNWIND $uuids AS uuid
MATCH (g:HostAggregate {uuid: uuid})
USING INDEX SEEK g:HostAggregate(uuid)
WITH g ORDER BY g.name
RETURN collect([<<described>>,
  COLLECT { MATCH (g)<-[:MEMBER_OF]-(h) RETURN DISTINCT h.service_host ORDER BY h.service_host }]) AS aggregates

// name: read_all
// parameters: -
// columns: aggregates
MATCH (g:HostAggregate)
WITH g ORDER BY g.name
RETURN collect([<<described>>,
  COLLECT { MATCH (g)<-[:MEMBER_OF]-(h) RETURN DISTINCT h.service_host ORDER BY h.service_host }]) AS aggregates

// name: with_value
// parameters: key, value
// columns: aggregates
// Those that have a value at a key: what is said of them, but not which hosts they have, which may be thousands.
MATCH (m:Metadata)
USING INDEX SEEK m:Metadata(value, key)
WHERE m.value = $value AND m.key = $key
MATCH (m)<-[:HAS_METADATA]-(g)
WITH DISTINCT g ORDER BY g.name
RETURN collect([<<described>>]) AS aggregates

// name: with_value_of_any
// parameters: prefix, value
// columns: aggregates
// The same of any key that begins with a prefix.
MATCH (m:Metadata)
USING INDEX SEEK m:Metadata(value, key)
WHERE m.value = $value AND m.key STARTS WITH $prefix
MATCH (m)<-[:HAS_METADATA]-(g)
WITH DISTINCT g ORDER BY g.name
RETURN collect([<<described>>]) AS aggregates

// name: with_key
// parameters: prefix
// columns: aggregates
// Those that have any value at a key that begins with a prefix.
MATCH (m:Metadata)
USING INDEX SEEK m:Metadata(key)
WHERE m.key STARTS WITH $prefix
MATCH (m)<-[:HAS_METADATA]-(g)
WITH DISTINCT g ORDER BY g.name
RETURN collect([<<described>>]) AS aggregates

// name: create
// parameters: uuid, name
// columns: -
MATCH (a:Aggregate {uuid: $uuid})
USING INDEX SEEK a:Aggregate(uuid)
CREATE (g:HostAggregate {uuid: $uuid, name: $name, created_at: datetime(), updated_at: datetime()})
CREATE (g)-[:MIRRORS]->(a)

// name: rename
// parameters: uuid, name
// columns: -
MATCH (g:HostAggregate {uuid: $uuid})
USING INDEX SEEK g:HostAggregate(uuid)
SET g.name = $name, g.updated_at = datetime()

// name: set_metadata
// parameters: uuid, metadata, removed
// columns: -
// Pairs of key and value to be set, and keys to be removed.
MATCH (g:HostAggregate {uuid: $uuid})
USING INDEX SEEK g:HostAggregate(uuid)
SET g.updated_at = datetime()
WITH g
CALL (g) {
  MATCH (g)-[:HAS_METADATA]->(m)
  WHERE m.key IN $removed
  DETACH DELETE m
}
CALL (g) {
  UNWIND $metadata AS pair
  MERGE (m:Metadata {aggregate_uuid: g.uuid, key: pair[0]})
  SET m.value = pair[1]
  MERGE (g)-[:HAS_METADATA]->(m)
}

// name: zones_beside
// parameters: uuid, service_hosts, key
// columns: service_host, zone
// The availability zones that these services have by other host aggregates.
UNWIND $service_hosts AS service_host
MATCH (h:Host {service_host: service_host})
USING INDEX SEEK h:Host(service_host, nodename)
WHERE h.nodename IS NOT NULL
MATCH (h)-[:MEMBER_OF]->(g)-[:HAS_METADATA]->(m)
WHERE g.uuid <> $uuid AND m.key = $key
RETURN DISTINCT service_host, m.value AS zone

// name: join
// parameters: uuid, service_host
// columns: -
MATCH (g:HostAggregate {uuid: $uuid})
USING INDEX SEEK g:HostAggregate(uuid)
MATCH (h:Host {service_host: $service_host})
USING INDEX SEEK h:Host(service_host, nodename)
WHERE h.nodename IS NOT NULL
MERGE (h)-[:MEMBER_OF]->(g)

// name: leave
// parameters: uuid, service_host
// columns: -
MATCH (h:Host {service_host: $service_host})
USING INDEX SEEK h:Host(service_host, nodename)
WHERE h.nodename IS NOT NULL
MATCH (h)-[member_of:MEMBER_OF]->(g)
WHERE g.uuid = $uuid
DELETE member_of

// name: delete
// parameters: uuid
// columns: -
MATCH (g:HostAggregate {uuid: $uuid})
USING INDEX SEEK g:HostAggregate(uuid)
OPTIONAL MATCH (g)-[:HAS_METADATA]->(m)
DETACH DELETE m, g
