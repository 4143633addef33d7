// What the search asks of roots and of providers, and reads of them, in fragments: the search and its explanation ask the
// same, because <<name>> in a statement stands for the fragment of that name. Where there is an overlay, fragments of
// overlay.cypher stand in place of those of the same names. The last ones are about other things: a whole tree with the
// pools that share with it, the members of an aggregate, what is written of a host aggregate g, and what is derived of a
// consumer c, its type and what it holds of each class, such as INSTANCE MEMORY_MB=512 VCPU=2. The first is what the
// revision of a provider p becomes with a write: the time of it, in milliseconds, so that a provider that is deleted and
// made anew, or comes back from a backup, never has a revision twice.

// fragment: next_revision
CASE WHEN p.revision < timestamp() THEN timestamp() ELSE p.revision + 1 END

// fragment: traits_of_p
[(p)-[:HAS_TRAIT]->(t) | t.name]

// fragment: traits_of_root
[(root)-[:HAS_TRAIT]->(t) | t.name]

// fragment: aggregates_of_p
[(p)-[:MEMBER_OF]->(a) | a.uuid]

// fragment: aggregates_of_root
[(root)-[:MEMBER_OF]->(a) | a.uuid]

// fragment: anything_shares
COUNT { ()-[:SHARES]->() } > 0

// fragment: shares
EXISTS { (p)-[:SHARES]->() }

// fragment: reach
MATCH (p)-[:SHARES]->(shared)
RETURN sum(COUNT { (shared)<-[:MEMBER_OF]-() }) AS reach

// fragment: members_shared_with
MATCH (p)-[:SHARES]->()<-[:MEMBER_OF]-(member)

// fragment: sharers
WITH root WHERE $sharing
MATCH (root)<-[:IN_TREE]-()-[:MEMBER_OF]->(a)
WITH DISTINCT a
MATCH (a)<-[:SHARES]-(p)-[:IN_TREE]->(home)

// fragment: spanning
CALL (root) {
  WITH root WHERE $aggregates <> []
  MATCH (root)-[:MEMBER_OF]->(a)
  WHERE a.uuid IN $aggregates
  RETURN collect(a.uuid) AS spanning
}

// fragment: traits
CALL (p) {
  WITH p WHERE $traits <> []
  MATCH (p)-[:HAS_TRAIT]->(t)
  WHERE t.name IN $traits
  RETURN collect(t.name) AS traits
}

// fragment: aggregates
CALL (p) {
  WITH p WHERE $aggregates <> []
  MATCH (p)-[:MEMBER_OF]->(a)
  WHERE a.uuid IN $aggregates
  RETURN collect(a.uuid) AS aggregates
}

// fragment: held
[(p)-[to:HAS_INVENTORY|HAS_TRAIT|CHILD_OF]->(one) | CASE type(to)
  WHEN 'HAS_INVENTORY' THEN [one.resource_class, one.capacity, one.used]
  WHEN 'HAS_TRAIT' THEN one.name
  ELSE [one.uuid] END]

// fragment: root_has_traits
NOT EXISTS {
  UNWIND $root_required AS name
  WITH name WHERE NOT EXISTS { (root)-[:HAS_TRAIT]->({name: name}) }
  RETURN name
}
AND NOT EXISTS {
  UNWIND $root_forbidden AS name
  MATCH (root)-[:HAS_TRAIT]->({name: name})
  RETURN name
}

// fragment: root_is_member
NOT EXISTS {
  UNWIND $member_of AS members
  WITH members WHERE NOT EXISTS { MATCH (root)-[:MEMBER_OF]->(a) WHERE a.uuid IN members }
  RETURN members
}
AND NOT EXISTS {
  UNWIND $forbidden_aggregates AS aggregate
  MATCH (root)-[:MEMBER_OF]->({uuid: aggregate})
  RETURN aggregate
}

// fragment: tree_has_members
NOT EXISTS {
  UNWIND $in_tree AS member
  WITH member WHERE NOT EXISTS { (root)<-[:IN_TREE]-({uuid: member}) }
  RETURN member
}

// fragment: tree_holds
NOT EXISTS {
  UNWIND $tree_holds AS condition
  WITH condition WHERE NOT EXISTS {
    MATCH (root)<-[:IN_TREE]-(p)
    WITH <<traits_of_p>> AS traits,
         <<aggregates_of_p>> AS aggregates,
         <<aggregates_of_root>> AS spanning
    WHERE all(names IN condition.required WHERE any(name IN traits WHERE name IN names))
      AND none(name IN traits WHERE name IN condition.forbidden)
      AND (all(members IN condition.member_of WHERE any(a IN aggregates WHERE a IN members))
        OR all(members IN condition.member_of WHERE any(a IN spanning WHERE a IN members)))
      AND none(a IN aggregates + spanning WHERE a IN condition.forbidden_aggregates)
    RETURN traits
  }
  RETURN condition
}

// fragment: inventories
[(p)-[:HAS_INVENTORY]->(i) WHERE i.resource_class IN $classes |
  [i.resource_class, CASE WHEN $emptied THEN i.capacity ELSE i.free END, i.min_unit, i.max_unit, i.step_size]
]

// fragment: capacity
r.amount <= i[1]

// fragment: min_unit
r.amount >= i[2]

// fragment: max_unit
r.amount <= i[3]

// fragment: step_size
r.amount % i[4] = 0

// fragment: required
all(names IN k.required WHERE any(name IN traits WHERE name IN names))

// fragment: forbidden
none(name IN traits WHERE name IN k.forbidden)

// fragment: in_tree
(k.tree IS NULL OR home.uuid = k.tree AND (home = root OR NOT k.spans))

// fragment: member_of
(all(members IN k.member_of WHERE any(a IN aggregates WHERE a IN members))
  OR k.spans AND home = root
    AND all(members IN k.member_of WHERE any(a IN spanning WHERE a IN members)))

// fragment: forbidden_aggregates
none(a IN aggregates WHERE a IN k.forbidden_aggregates)
AND NOT (k.spans AND any(a IN spanning WHERE a IN k.forbidden_aggregates))

// fragment: concerned
CALL () {
  UNWIND $consumers AS uuid
  MATCH (c:Consumer {uuid: uuid})
  USING INDEX SEEK c:Consumer(uuid)
  MATCH (c)-[r:CONSUMES]->(i)
  RETURN collect([uuid, i.provider_uuid, r.resource_class, r.amount]) AS allocations
}
CALL (allocations) {
  CALL (allocations) {
    UNWIND $providers + [held IN allocations | held[1]] AS uuid
    MATCH (p:ResourceProvider {uuid: uuid})
    USING INDEX SEEK p:ResourceProvider(uuid)
    RETURN p
    UNION
    UNWIND $drained AS uuid
    MATCH (top:ResourceProvider {uuid: uuid})
    USING INDEX SEEK top:ResourceProvider(uuid)
    MATCH (p)-[:CHILD_OF*0..]->(top)
    RETURN p
  }
  WITH p ORDER BY p.uuid
  RETURN collect(p) AS concerned
}

// fragment: of_class
MATCH (i:Inventory {resource_class: class})
USING INDEX SEEK i:Inventory(resource_class, free, provider_uuid)
WHERE i.free IS NOT NULL AND i.provider_uuid IS NOT NULL

// fragment: holders
MATCH (t:Trait {name: trait})<-[:HAS_TRAIT]-(p)
USING INDEX SEEK t:Trait(name)
WITH trait, p.uuid AS uuid

// fragment: members
MATCH (a:Aggregate {uuid: aggregate})<-[:MEMBER_OF]-(p)
USING INDEX SEEK a:Aggregate(uuid)
WITH aggregate, p.uuid AS uuid

// fragment: tree_and_sharers
CALL (root) {
  MATCH (root)<-[:IN_TREE]-(p:ResourceProvider)
  RETURN p, [] AS shares_via
  UNION ALL
  MATCH (root)<-[:IN_TREE]-(:ResourceProvider)-[:MEMBER_OF]->(a:Aggregate)
  WITH DISTINCT root, a
  MATCH (a)<-[:SHARES]-(p:ResourceProvider)
  WHERE NOT EXISTS { (p)-[:IN_TREE]->(root) }
  RETURN p, collect(a.uuid) AS shares_via
}

// fragment: provider_with_all
{
  uuid: p.uuid, name: p.name, generation: p.generation, shares_via: shares_via,
  root_uuid: [(p)-[:IN_TREE]->(home:ResourceProvider) | home.uuid],
  parent_uuid: [(p)-[:CHILD_OF]->(parent:ResourceProvider) | parent.uuid],
  inventories: [(p)-[:HAS_INVENTORY]->(i:Inventory) | [
    i.resource_class, i.total, i.reserved, i.min_unit, i.max_unit, i.step_size, i.allocation_ratio, i.capacity, i.used]],
  traits: [(p)-[:HAS_TRAIT]->(t:Trait) | t.name],
  aggregates: [(p)-[:MEMBER_OF]->(a:Aggregate) | a.uuid]
}

// fragment: aggregate_revision
MATCH (aggregate:Aggregate {uuid: $uuid})
USING INDEX SEEK aggregate:Aggregate(uuid)
CALL (aggregate) {
  MATCH (aggregate)<-[:MEMBER_OF]-(p:ResourceProvider)
  WITH p ORDER BY p.uuid
  RETURN collect([p.uuid, p.revision]) AS revision
}

// fragment: tree_revision
MATCH (named:ResourceProvider {uuid: $uuid})-[:IN_TREE]->(root:ResourceProvider)
USING INDEX SEEK named:ResourceProvider(uuid)
CALL (root) {
  <<tree_and_sharers>>
  WITH p ORDER BY p.uuid
  RETURN collect([p.uuid, p.revision]) AS revision
}

// fragment: described
g.uuid, g.name, [(g)-[:HAS_METADATA]->(m) | [m.key, m.value]]

// fragment: usage
coalesce(head([(c)-[:OF_TYPE]->(type) | type.name]), '') + reduce(text = '', held IN COLLECT {
  MATCH (c)-[r:CONSUMES]->()
  WITH r.resource_class AS resource_class, sum(r.amount) AS amount ORDER BY resource_class
  RETURN ' ' + resource_class + '=' + amount
} | text + held)
