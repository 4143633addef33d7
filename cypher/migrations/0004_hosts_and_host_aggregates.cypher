// What a scheduler knows beside Placement: hosts, their cells, and host aggregates with their metadata.
CREATE CONSTRAINT cell_uuid IF NOT EXISTS FOR (c:Cell) REQUIRE c.uuid IS UNIQUE;
CREATE CONSTRAINT cell_name IF NOT EXISTS FOR (c:Cell) REQUIRE c.name IS UNIQUE;
CREATE CONSTRAINT host_key IF NOT EXISTS FOR (h:Host) REQUIRE (h.service_host, h.nodename) IS UNIQUE;
CREATE CONSTRAINT host_aggregate_uuid IF NOT EXISTS FOR (g:HostAggregate) REQUIRE g.uuid IS UNIQUE;
CREATE CONSTRAINT host_aggregate_name IF NOT EXISTS FOR (g:HostAggregate) REQUIRE g.name IS UNIQUE;
CREATE CONSTRAINT metadata_key IF NOT EXISTS FOR (m:Metadata) REQUIRE (m.aggregate_uuid, m.key) IS UNIQUE;
// The value comes first, so that a value with the beginning of a key is one range of the index.
CREATE INDEX metadata_value IF NOT EXISTS FOR (m:Metadata) ON (m.value, m.key);
CREATE INDEX metadata_of_key IF NOT EXISTS FOR (m:Metadata) ON (m.key);
