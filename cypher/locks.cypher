// Locks. Neo4j is read-committed even within one statement, so every read that a write depends on comes after
// the lock on what it reads.

// name: lock_providers
// parameters: uuids
// columns: uuid, name, generation, revision
UNWIND $uuids AS uuid
MATCH (p:ResourceProvider {uuid: uuid})
USING INDEX SEEK p:ResourceProvider(uuid)
// The label takes the lock, though the provider has it already. The revision cannot: to add to it takes the lock in
// a way that makes whoever waits for it fail, as a deadlock, when the holder writes a relationship of the provider.
SET p:ResourceProvider
SET p.revision = <<next_revision>>
// A provider that was deleted while its lock was waited for has no properties any more.
WITH p WHERE p.generation IS NOT NULL
RETURN p.uuid AS uuid, p.name AS name, p.generation AS generation, p.revision AS revision

// name: bump_generations
// parameters: uuids
// columns: uuid, generation
UNWIND $uuids AS uuid
MATCH (p:ResourceProvider {uuid: uuid})
USING INDEX SEEK p:ResourceProvider(uuid)
SET p.generation = p.generation + 1, p.updated_at = datetime()
RETURN p.uuid AS uuid, p.generation AS generation

// name: revision
// parameters: provider_uuid
// columns: revision
MATCH (p:ResourceProvider {uuid: $provider_uuid})
USING INDEX SEEK p:ResourceProvider(uuid)
RETURN p.revision AS revision

// name: lock_hosts
// parameters: -
// columns: -
// All that a scheduler knows of hosts, cells and host aggregates has one lock: the mark of the migration that brought them.
MATCH (m:Migration {number: 4})
USING INDEX SEEK m:Migration(number)
SET m:Migration
