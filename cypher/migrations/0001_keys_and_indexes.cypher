// One uniqueness constraint for every natural key: MERGE is only safe with one behind it.
CREATE CONSTRAINT resource_provider_uuid IF NOT EXISTS FOR (p:ResourceProvider) REQUIRE p.uuid IS UNIQUE;
CREATE CONSTRAINT resource_provider_name IF NOT EXISTS FOR (p:ResourceProvider) REQUIRE p.name IS UNIQUE;
CREATE CONSTRAINT inventory_key IF NOT EXISTS FOR (i:Inventory) REQUIRE (i.provider_uuid, i.resource_class) IS UNIQUE;
CREATE CONSTRAINT resource_class_name IF NOT EXISTS FOR (c:ResourceClass) REQUIRE c.name IS UNIQUE;
CREATE CONSTRAINT trait_name IF NOT EXISTS FOR (t:Trait) REQUIRE t.name IS UNIQUE;
CREATE CONSTRAINT aggregate_uuid IF NOT EXISTS FOR (a:Aggregate) REQUIRE a.uuid IS UNIQUE;
CREATE CONSTRAINT consumer_uuid IF NOT EXISTS FOR (c:Consumer) REQUIRE c.uuid IS UNIQUE;
CREATE CONSTRAINT consumer_type_name IF NOT EXISTS FOR (t:ConsumerType) REQUIRE t.name IS UNIQUE;
CREATE CONSTRAINT project_id IF NOT EXISTS FOR (p:Project) REQUIRE p.id IS UNIQUE;
CREATE CONSTRAINT user_id IF NOT EXISTS FOR (u:User) REQUIRE u.id IS UNIQUE;
// The way into a search for candidates: the inventories that still have enough of a class.
CREATE INDEX inventory_free IF NOT EXISTS FOR (i:Inventory) ON (i.resource_class, i.free);
