// Why a request has no candidates: what the search asks of roots and providers, condition by condition, with the same
// parameters. A condition counts those who meet it and all before it.

// name: roots
// parameters: among, in_tree, tree_holds, root_required, root_forbidden, member_of, forbidden_aggregates
// columns: roots, total, remaining
// Which roots meet all that is asked of roots: of all of them, or of those `among`, unless that is null. `total` is how
// many there are; `remaining` how many meet in_tree, tree_holds, root_required and root_member_of.
MATCH (root:Root)
WHERE $among IS NULL OR root.uuid IN $among
WITH root, [
  <<tree_has_members>>,
  <<tree_holds>>,
  <<root_has_traits>>,
  <<root_is_member>>
] AS met
WITH root.uuid AS uuid, size(met) AS conditions,
  coalesce(head([n IN range(0, size(met) - 1) WHERE NOT met[n]]), size(met)) AS reached
WHERE uuid IS NOT NULL
RETURN collect(CASE WHEN reached = conditions THEN uuid END) AS roots, count(*) AS total, [
  count(CASE WHEN reached >= 1 THEN 1 END), count(CASE WHEN reached >= 2 THEN 1 END),
  count(CASE WHEN reached >= 3 THEN 1 END), count(CASE WHEN reached >= 4 THEN 1 END)
] AS remaining

// name: trees
// parameters: -
// columns: total
// How many trees there are, of which Neo4j keeps count.
MATCH (root:Root)
RETURN count(root) AS total

// name: conditions
// parameters: roots, providers, kinds, classes, traits, aggregates, emptied, sharing, most
// columns: kind, nearest, trees, remaining
// For each kind of slot that any provider has the classes for, within reach of these roots, or of any if they are null:
// how many providers meet each condition and all before it under any of the roots, those that come nearest to meeting all
// and do not, at most `most`, and the roots from which some provider meets all. If `providers` is not null,
// there are no others.
// The conditions of `remaining` are class, capacity, min_unit, max_unit, step_size, distinguished, required, forbidden,
// member_of, forbidden_aggregates and in_tree. Of the nearest there are the uuid, the uuid of the root, and which
// conditions are met: those first that miss the fewest conditions, and among these the least of what they ask for.
UNWIND $kinds AS k
CALL (k) {
  <<with_first_class>>
  UNION ALL
  WITH k WHERE k.resources = []
  MATCH (p:ResourceProvider)
  RETURN p, null AS first
}
MATCH (p)-[:IN_TREE]->(home)
CALL (k, p, first) {
  WITH k, first WHERE first IS NOT NULL AND size(k.resources) = 1
  RETURN [[
    first.resource_class, CASE WHEN $emptied THEN first.capacity ELSE first.free END,
    first.min_unit, first.max_unit, first.step_size
  ]] AS inventories
  UNION ALL
  WITH k, p, first WHERE first IS NULL OR size(k.resources) <> 1
  RETURN <<inventories>> AS inventories
}
WITH k, p, home, inventories
WHERE p.uuid IS NOT NULL AND ($providers IS NULL OR p.uuid IN $providers)
  AND all(r IN k.resources WHERE any(i IN inventories WHERE i[0] = r.class))
<<traits>>
<<aggregates>>
UNWIND CASE
  WHEN $sharing AND <<shares>> THEN [home] + COLLECT {
    <<members_shared_with>>
    MATCH (member)-[:IN_TREE]->(root)
    RETURN DISTINCT root
  }
  ELSE [home]
END AS root
WITH k, p, home, inventories, traits, aggregates, root
WHERE $roots IS NULL OR root.uuid IN $roots
<<spanning>>
WITH k, p, root, [
  true,
  all(r IN k.resources WHERE any(i IN inventories WHERE i[0] = r.class AND <<capacity>>)),
  all(r IN k.resources WHERE any(i IN inventories WHERE i[0] = r.class AND <<min_unit>>)),
  all(r IN k.resources WHERE any(i IN inventories WHERE i[0] = r.class AND <<max_unit>>)),
  all(r IN k.resources WHERE any(i IN inventories WHERE i[0] = r.class AND <<step_size>>)),
  k.possible,
  <<required>>,
  <<forbidden>>,
  <<member_of>>,
  <<forbidden_aggregates>>,
  <<in_tree>>
] AS met, reduce(short = 0.0, r IN k.resources | short + reduce(missing = 0.0, i IN inventories |
  missing + CASE WHEN i[0] = r.class AND i[1] < r.amount THEN toFloat(r.amount - i[1]) / r.amount ELSE 0 END)) AS short
WITH k.number AS kind, p, root.uuid AS root, size(met) AS conditions, met, short,
  coalesce(head([n IN range(0, size(met) - 1) WHERE NOT met[n]]), size(met)) AS reached
WITH kind, p, conditions, max(reached) AS reached,
  min([size([one IN met WHERE NOT one]), short, p.name, root, met]) AS nearest,
  collect(CASE WHEN reached = conditions THEN root END) AS roots
WITH kind, conditions, collect([reached, nearest, p.uuid, roots]) AS found
CALL (conditions, found) {
  UNWIND found AS one
  WITH one[2] AS uuid, one[1] AS miss WHERE one[0] < conditions
  WITH uuid, miss ORDER BY miss[0], miss[1], miss[2], miss[3] LIMIT $most
  RETURN collect([uuid, miss[3], miss[4]]) AS nearest
}
CALL (found) {
  UNWIND found AS one
  UNWIND one[3] AS root
  RETURN collect(DISTINCT root) AS trees
}
CALL (found) {
  UNWIND found AS one
  WITH one[0] AS reached, count(*) AS providers
  RETURN collect([reached, providers]) AS reach
}
RETURN kind, nearest, trees, [n IN range(1, conditions) |
  reduce(remaining = 0, one IN reach | remaining + CASE WHEN one[0] >= n THEN one[1] ELSE 0 END)
] AS remaining

// name: held
// parameters: pairs, classes, traits, aggregates, emptied
// columns: providers
// What each of these providers has of what is named, as pairs of its uuid and that of the root from which it is seen:
// uuid, name, the uuid of its own root, that of the other, [class, free, min_unit, max_unit, step_size] of inventories,
// traits, aggregates, and the aggregates of the other root.
UNWIND range(0, size($pairs) - 1) AS n
MATCH (p:ResourceProvider {uuid: $pairs[n][0]})-[:IN_TREE]->(home)
USING INDEX SEEK p:ResourceProvider(uuid)
MATCH (root:ResourceProvider {uuid: $pairs[n][1]})
USING INDEX SEEK root:ResourceProvider(uuid)
WITH n, [p.uuid, p.name, home.uuid, root.uuid,
  <<inventories>>,
  [t IN <<traits_of_p>> WHERE t IN $traits],
  [a IN <<aggregates_of_p>> WHERE a IN $aggregates],
  [a IN <<aggregates_of_root>> WHERE a IN $aggregates]
] AS provider
WHERE provider[0] IS NOT NULL
WITH n, provider ORDER BY n
RETURN collect(provider) AS providers

// name: amounts
// parameters: class, amount, most
// columns: amounts
// The amounts of a class, less than `amount`, each of which is the most that some inventory can give at once: the `most`
// greatest of them, the greatest first.
<<free_of_class>>
WITH i.min_unit AS least, i.step_size AS step, CASE WHEN i.free < i.max_unit THEN i.free ELSE i.max_unit END AS limit
WITH DISTINCT least, limit / step * step AS amount
WHERE least <= amount AND 0 < amount < $amount
WITH DISTINCT amount ORDER BY amount DESC LIMIT $most
RETURN collect(amount) AS amounts

// name: host
// parameters: named
// columns: uuid, name, root, providers, anchors
// The provider with this uuid or name, and the uuid of its root; the uuids of all providers of its tree if it is the root,
// or its own; and the roots of the trees with which any of these share.
CALL () {
  MATCH (p:ResourceProvider {uuid: $named})
  USING INDEX SEEK p:ResourceProvider(uuid)
  RETURN p
  UNION
  MATCH (p:ResourceProvider {name: $named})
  USING INDEX SEEK p:ResourceProvider(name)
  RETURN p
}
WITH p LIMIT 1
MATCH (p)-[:IN_TREE]->(root)
CALL (p, root) {
  MATCH (root)<-[:IN_TREE]-(own)
  WHERE p = root OR own = p
  RETURN collect(own) AS all
}
CALL (all) {
  UNWIND all AS p
  <<members_shared_with>>
  MATCH (member)-[:IN_TREE]->(anchor)
  RETURN collect(DISTINCT anchor.uuid) AS anchors
}
RETURN p.uuid AS uuid, p.name AS name, root.uuid AS root, [own IN all | own.uuid] AS providers, anchors

// name: consumers
// parameters: root, classes
// columns: consumers
// The consumers that hold any of these classes in the tree of a root, those first that hold the most of all together.
MATCH (root:ResourceProvider {uuid: $root})
USING INDEX SEEK root:ResourceProvider(uuid)
MATCH (root)<-[:IN_TREE]-(p)
MATCH (p)-[:HAS_INVENTORY]->(i)<-[held:CONSUMES]-(consumer)
WHERE i.resource_class IN $classes
WITH consumer.uuid AS consumer, sum(toFloat(held.amount) / CASE WHEN i.capacity > 0 THEN i.capacity ELSE 1 END) AS share
ORDER BY share DESC, consumer
RETURN collect(consumer) AS consumers
