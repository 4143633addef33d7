// Inventories. capacity, used and free are derived: the statement that changes what they come from sets them.

// name: index
// parameters: provider_uuid, resource_class
// columns: revision, generation, inventories
MATCH (p:ResourceProvider {uuid: $provider_uuid})
USING INDEX SEEK p:ResourceProvider(uuid)
WITH p, p.revision AS revision, p.generation AS generation
RETURN revision, generation, COLLECT {
  MATCH (p)-[:HAS_INVENTORY]->(i:Inventory)
  WHERE $resource_class IS NULL OR i.resource_class = $resource_class
  RETURN i {.resource_class, .total, .reserved, .min_unit, .max_unit, .step_size, .allocation_ratio, .updated_at}
} AS inventories

// name: lock
// parameters: provider_uuid
// columns: uuid, name, generation, used
MATCH (p:ResourceProvider {uuid: $provider_uuid})
USING INDEX SEEK p:ResourceProvider(uuid)
// The label takes the lock: locks.lock_providers says why.
SET p:ResourceProvider
SET p.revision = <<next_revision>>
// A provider that was deleted while its lock was waited for has no properties any more.
WITH p WHERE p.generation IS NOT NULL
RETURN p.uuid AS uuid, p.name AS name, p.generation AS generation, COLLECT {
  MATCH (p)-[:HAS_INVENTORY]->(i:Inventory)
  RETURN [i.resource_class, i.used]
} AS used

// name: write
// parameters: created, updated, deleted, generations
// columns: classes
CALL () {
  UNWIND $created AS new
  MATCH (p:ResourceProvider {uuid: new.provider_uuid})
  USING INDEX SEEK p:ResourceProvider(uuid)
  MATCH (k:ResourceClass {name: new.resource_class})
  USING INDEX SEEK k:ResourceClass(name)
  CREATE (p)-[:HAS_INVENTORY]->(:Inventory {
    provider_uuid: new.provider_uuid,
    resource_class: new.resource_class,
    total: new.total,
    reserved: new.reserved,
    min_unit: new.min_unit,
    max_unit: new.max_unit,
    step_size: new.step_size,
    allocation_ratio: new.allocation_ratio,
    capacity: new.capacity,
    used: 0,
    free: new.capacity,
    created_at: datetime(),
    updated_at: datetime()
  })-[:OF_CLASS]->(k)
  RETURN collect(k.name) AS classes
}
CALL () {
  UNWIND $updated AS new
  MATCH (i:Inventory {provider_uuid: new.provider_uuid, resource_class: new.resource_class})
  USING INDEX SEEK i:Inventory(provider_uuid, resource_class)
  SET i.total = new.total,
      i.reserved = new.reserved,
      i.min_unit = new.min_unit,
      i.max_unit = new.max_unit,
      i.step_size = new.step_size,
      i.allocation_ratio = new.allocation_ratio,
      i.capacity = new.capacity,
      i.free = new.capacity - i.used,
      i.updated_at = datetime()
}
CALL () {
  UNWIND $deleted AS old
  MATCH (i:Inventory {provider_uuid: old.provider_uuid, resource_class: old.resource_class})
  USING INDEX SEEK i:Inventory(provider_uuid, resource_class)
  DETACH DELETE i
}
CALL () {
  UNWIND $generations AS step
  MATCH (p:ResourceProvider {uuid: step.provider_uuid})
  USING INDEX SEEK p:ResourceProvider(uuid)
  SET p.generation = p.generation + step.by, p.updated_at = datetime()
}
RETURN classes
