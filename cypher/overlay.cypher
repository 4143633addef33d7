// Fragments that stand in place of those of conditions.cypher where there is an overlay: a graph that is read as if some of
// its providers were other than they are. $overlay.providers has, for each of these by its uuid, all that it would have:
// inventories, traits, aggregates, and the aggregates that it shares with. $overlay.members has the uuids of those that would
// be in an aggregate, and $overlay.sharers of those that would share with it. Trees are as they are. An aggregate of the
// overlay may be none of the graph.

// fragment: traits_of_p
coalesce($overlay.providers[p.uuid].traits, [(p)-[:HAS_TRAIT]->(t) | t.name])

// fragment: traits_of_root
coalesce($overlay.providers[root.uuid].traits, [(root)-[:HAS_TRAIT]->(t) | t.name])

// fragment: aggregates_of_p
coalesce($overlay.providers[p.uuid].aggregates, [(p)-[:MEMBER_OF]->(a) | a.uuid])

// fragment: aggregates_of_root
coalesce($overlay.providers[root.uuid].aggregates, [(root)-[:MEMBER_OF]->(a) | a.uuid])

// fragment: inventories
[i IN coalesce($overlay.providers[p.uuid].inventories, [(p)-[:HAS_INVENTORY]->(one) | one])
  WHERE i.resource_class IN $classes |
  [i.resource_class, CASE WHEN $emptied THEN i.capacity ELSE i.free END, i.min_unit, i.max_unit, i.step_size]
]

// fragment: spanning
CALL (root) {
  RETURN [a IN <<aggregates_of_root>> WHERE a IN $aggregates] AS spanning
}

// fragment: traits
CALL (p) {
  RETURN [t IN <<traits_of_p>> WHERE t IN $traits] AS traits
}

// fragment: aggregates
CALL (p) {
  RETURN [a IN <<aggregates_of_p>> WHERE a IN $aggregates] AS aggregates
}

// fragment: held
coalesce(
  [i IN $overlay.providers[p.uuid].inventories | [i.resource_class, i.capacity, i.used]]
    + $overlay.providers[p.uuid].traits + [(p)-[:CHILD_OF]->(parent) | [parent.uuid]],
  [(p)-[to:HAS_INVENTORY|HAS_TRAIT|CHILD_OF]->(one) | CASE type(to)
    WHEN 'HAS_INVENTORY' THEN [one.resource_class, one.capacity, one.used]
    WHEN 'HAS_TRAIT' THEN one.name
    ELSE [one.uuid] END])

// fragment: root_has_traits
all(name IN $root_required WHERE name IN <<traits_of_root>>)
AND none(name IN $root_forbidden WHERE name IN <<traits_of_root>>)

// fragment: root_is_member
all(members IN $member_of WHERE any(a IN <<aggregates_of_root>> WHERE a IN members))
AND none(a IN <<aggregates_of_root>> WHERE a IN $forbidden_aggregates)

// fragment: anything_shares
(COUNT { ()-[:SHARES]->() } > 0 OR size(keys($overlay.sharers)) > 0)

// fragment: shares
coalesce(size($overlay.providers[p.uuid].shares) > 0, EXISTS { (p)-[:SHARES]->() })

// fragment: members_shared_with
UNWIND coalesce($overlay.providers[p.uuid].shares, [(p)-[:SHARES]->(a) | a.uuid]) AS aggregate
CALL (aggregate) {
  MATCH (a:Aggregate {uuid: aggregate})<-[:MEMBER_OF]-(member)
  USING INDEX SEEK a:Aggregate(uuid)
  WHERE $overlay.providers[member.uuid] IS NULL
  RETURN member
  UNION ALL
  UNWIND $overlay.members[aggregate] AS uuid
  MATCH (member:ResourceProvider {uuid: uuid})
  USING INDEX SEEK member:ResourceProvider(uuid)
  RETURN member
}

// fragment: sharers
WITH root WHERE $sharing
MATCH (root)<-[:IN_TREE]-(p)
UNWIND <<aggregates_of_p>> AS aggregate
WITH DISTINCT aggregate
CALL (aggregate) {
  MATCH (a:Aggregate {uuid: aggregate})<-[:SHARES]-(p)
  USING INDEX SEEK a:Aggregate(uuid)
  WHERE $overlay.providers[p.uuid] IS NULL
  RETURN p
  UNION ALL
  UNWIND $overlay.sharers[aggregate] AS uuid
  MATCH (p:ResourceProvider {uuid: uuid})
  USING INDEX SEEK p:ResourceProvider(uuid)
  RETURN p
}
MATCH (p)-[:IN_TREE]->(home)

// fragment: of_class
CALL (class) {
  MATCH (one:Inventory {resource_class: class})
  USING INDEX SEEK one:Inventory(resource_class, free, provider_uuid)
  WHERE one.free IS NOT NULL AND one.provider_uuid IS NOT NULL AND $overlay.providers[one.provider_uuid] IS NULL
  RETURN one {.provider_uuid, .free, .capacity, .min_unit, .max_unit, .step_size} AS i
  UNION ALL
  UNWIND keys($overlay.providers) AS uuid
  UNWIND $overlay.providers[uuid].inventories AS one
  WITH uuid, one WHERE one.resource_class = class
  RETURN one {.*, provider_uuid: uuid} AS i
}

// fragment: holders
CALL (trait) {
  MATCH (t:Trait {name: trait})<-[:HAS_TRAIT]-(p)
  USING INDEX SEEK t:Trait(name)
  WHERE $overlay.providers[p.uuid] IS NULL
  RETURN p.uuid AS uuid
  UNION ALL
  UNWIND keys($overlay.providers) AS uuid
  WITH uuid WHERE trait IN $overlay.providers[uuid].traits
  RETURN uuid
}

// fragment: members
CALL (aggregate) {
  MATCH (a:Aggregate {uuid: aggregate})<-[:MEMBER_OF]-(p)
  USING INDEX SEEK a:Aggregate(uuid)
  WHERE $overlay.providers[p.uuid] IS NULL
  RETURN p.uuid AS uuid
  UNION ALL
  UNWIND $overlay.members[aggregate] AS uuid
  RETURN uuid
}
