// What an overlay starts from: all that the providers have that it changes. Read without locks, so what they were at is
// read first and compared with what they are at afterwards.

// name: present
// parameters: providers, drained, consumers
// columns: revision, providers, inventories, consumers, allocations
// The providers that are named, those that are drained and all below them, and those that the consumers hold something of.
// Lists of lists, but for the maps of `inventories`: `revision` has [uuid, revision] of all of them; `providers` [uuid, name, generation, root, traits,
// aggregates, whether it is drained]; `consumers` [uuid, generation]; `allocations` [consumer, provider, class, amount].
<<concerned>>
WITH allocations, concerned, [p IN concerned | [p.uuid, p.revision]] AS revision
RETURN revision,
  COLLECT {
    UNWIND concerned AS p
    MATCH (p)-[:IN_TREE]->(root)
    RETURN [
      p.uuid, p.name, p.generation, root.uuid,
      [(p)-[:HAS_TRAIT]->(t) | t.name], [(p)-[:MEMBER_OF]->(a) | a.uuid],
      EXISTS { MATCH (p)-[:CHILD_OF*0..]->(above) WHERE above.uuid IN $drained }
    ]
  } AS providers,
  COLLECT {
    UNWIND concerned AS p
    MATCH (p)-[:HAS_INVENTORY]->(i)
    RETURN i {
      provider_uuid: p.uuid, .resource_class, .used,
      .total, .reserved, .min_unit, .max_unit, .step_size, .allocation_ratio
    }
  } AS inventories,
  COLLECT {
    UNWIND $consumers AS uuid
    MATCH (c:Consumer {uuid: uuid})
    USING INDEX SEEK c:Consumer(uuid)
    RETURN [uuid, c.generation]
  } AS consumers,
  allocations

// name: revision
// parameters: providers, drained, consumers
// columns: revision
<<concerned>>
RETURN [p IN concerned | [p.uuid, p.revision]] AS revision
