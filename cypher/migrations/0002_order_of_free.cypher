// Inventories with equally much free come in the order of their providers, so that searches start in the same order
// whatever order they were written in.
CREATE INDEX inventory_free_by_provider IF NOT EXISTS FOR (i:Inventory) ON (i.resource_class, i.free, i.provider_uuid);
DROP INDEX inventory_free IF EXISTS;
