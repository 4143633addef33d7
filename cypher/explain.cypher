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
// parameters: kinds, classes, traits, aggregates, resourceless, named_trees, rooted, roots, providers, emptied, sharing, listed, most
// columns: kind, reached, nearest, trees
// For each kind of slot that any provider has the classes for: how many providers meet each condition and all before it
// under any of the roots, and those that come nearest to meeting all and do not, at most `most`. These are all
// providers, or `providers` if that is not null; and all roots, or `roots`.
// The conditions are class, capacity, min_unit, max_unit, step_size, distinguished, required, forbidden, member_of,
// forbidden_aggregates and in_tree. `reached` has pairs of a number of conditions, and how many providers meet so many of
// them and not the next one. Of the nearest there are the uuid, the uuid of the root, and which conditions are
// met: those first that miss the fewest conditions, and among these the least of what they ask for. `trees` are the
// roots from which some provider meets all, if they are to be `listed`.
// What is known of a cloud is gathered from what is asked for, because a walk from each provider takes some times as long.
// `resourceless` says that some kind is of any class, `rooted` that roots matter: for a condition, because not all count, or
// because they are listed. `named_trees` are the roots of the trees that kinds name.
CALL () {
  WITH 0 AS nothing WHERE $providers IS NULL
  CALL () {
    UNWIND $classes AS class
    <<of_class>>
    RETURN i.provider_uuid AS uuid, [
      class, CASE WHEN $emptied THEN i.capacity ELSE i.free END, i.min_unit, i.max_unit, i.step_size
    ] AS inventory, null AS trait, null AS aggregate
    UNION ALL
    UNWIND $traits AS trait
    <<holders>>
    RETURN uuid, null AS inventory, trait, null AS aggregate
    UNION ALL
    UNWIND $aggregates AS aggregate
    <<members>>
    RETURN uuid, null AS inventory, null AS trait, aggregate
    UNION ALL
    WITH 0 AS nothing WHERE $resourceless
    MATCH (p:ResourceProvider)
    RETURN p.uuid AS uuid, null AS inventory, null AS trait, null AS aggregate
  }
  RETURN uuid, collect(inventory) AS inventories, collect(trait) AS traits, collect(aggregate) AS aggregates
  UNION ALL
  UNWIND $providers AS uuid
  MATCH (p:ResourceProvider {uuid: uuid})
  USING INDEX SEEK p:ResourceProvider(uuid)
  RETURN uuid, <<inventories>> AS inventories,
    [t IN <<traits_of_p>> WHERE t IN $traits] AS traits,
    [a IN <<aggregates_of_p>> WHERE a IN $aggregates] AS aggregates
}
WITH uuid, inventories, traits, aggregates
WHERE uuid IS NOT NULL AND ($resourceless OR inventories <> [])
WITH uuid, inventories, traits, aggregates, CASE WHEN $rooted THEN COLLECT {
  MATCH (p:ResourceProvider {uuid: uuid})-[:IN_TREE]->(home)
  USING INDEX SEEK p:ResourceProvider(uuid)
  UNWIND CASE
    WHEN $sharing AND <<shares>> THEN [home] + COLLECT {
      <<members_shared_with>>
      MATCH (member)-[:IN_TREE]->(root) WHERE root <> home
      RETURN DISTINCT root
    }
    ELSE [home]
  END AS root
  WITH home, root WHERE $roots IS NULL OR root.uuid IN $roots
  <<spanning>>
  RETURN [home, root, spanning]
} ELSE [[null, null, []]] END AS views
UNWIND views AS view
WITH uuid, inventories, traits, aggregates, view[0] AS home, view[1] AS root, view[2] AS spanning,
  // Who shares is seen from several roots, and counts once.
  CASE WHEN size(views) > 1 THEN uuid END AS sharer
// Most providers are like many others: what they meet is found out once.
WITH inventories, traits, aggregates, spanning, home = root AS at_home,
  [tree IN $named_trees WHERE tree = home.uuid] AS named, sharer,
  head(collect(home)) AS home, head(collect(root)) AS root, collect([uuid, root.uuid]) AS seen
UNWIND [k IN $kinds WHERE all(r IN k.resources WHERE any(i IN inventories WHERE i[0] = r.class))] AS k
WITH k, seen, sharer, [
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
WITH k.number AS kind, seen, sharer, met, short, size(met) AS conditions,
  coalesce(head([n IN range(0, size(met) - 1) WHERE NOT met[n]]), size(met)) AS reached
WITH kind, conditions, coalesce(sharer, seen[0][0]) AS who,
  max(CASE WHEN sharer IS NULL THEN size(seen) ELSE 1 END) AS providers, max(reached) AS reached,
  // Enough to put the nearest of them in the order of their names, unless very many are alike.
  min([size([one IN met WHERE NOT one]), short, CASE WHEN sharer IS NULL THEN seen[..100] ELSE seen[..1] END, met]) AS miss,
  collect(CASE WHEN $listed AND reached = conditions THEN [one IN seen | one[1]] END) AS fitted
WITH kind, collect([reached, providers]) AS reached,
  collect(CASE WHEN reached < conditions THEN miss END) AS misses, collect(fitted) AS fitted
CALL (misses) {
  UNWIND misses AS miss
  WITH miss ORDER BY miss[0], miss[1], miss[2] LIMIT 100
  UNWIND miss[2] AS one
  MATCH (p:ResourceProvider {uuid: one[0]})-[:IN_TREE]->(home)
  USING INDEX SEEK p:ResourceProvider(uuid)
  WITH miss, p.uuid AS uuid, coalesce(one[1], home.uuid) AS root ORDER BY miss[0], miss[1], p.name, root LIMIT $most
  RETURN collect([uuid, root, miss[3]]) AS nearest
}
CALL (fitted) {
  UNWIND fitted AS of_one
  UNWIND of_one AS roots
  UNWIND roots AS root
  RETURN collect(DISTINCT root) AS trees
}
RETURN kind, reached, nearest, trees

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

// name: known
// parameters: providers, traits
// columns: uuid, name, traits, above
// Each of these providers, with those of the traits that it has, and the uuids from its own up to that of its root.
UNWIND $providers AS uuid
MATCH (p:ResourceProvider {uuid: uuid})
USING INDEX SEEK p:ResourceProvider(uuid)
RETURN uuid, p.name AS name, [t IN <<traits_of_p>> WHERE t IN $traits] AS traits, COLLECT {
  MATCH way = (p)-[:CHILD_OF*0..]->(top)
  WITH top.uuid AS above, length(way) AS steps ORDER BY steps
  RETURN above
} AS above

// name: amounts
// parameters: class, amount, most
// columns: amounts
// The amounts of a class, less than `amount`, each of which is the most that some inventory can give at once: the `most`
// greatest of them, the greatest first.
WITH $class AS class
<<of_class>>
WITH i.min_unit AS least, i.step_size AS step, CASE WHEN i.free < i.max_unit THEN i.free ELSE i.max_unit END AS limit
WITH DISTINCT least, limit / step * step AS amount
WHERE least <= amount AND 0 < amount < $amount
WITH DISTINCT amount ORDER BY amount DESC LIMIT $most
RETURN collect(amount) AS amounts

// name: host
// parameters: named, sharing
// columns: uuid, name, root, providers, anchors, within
// The provider with this uuid or name, and the uuid of its root; the uuids of all providers of its tree if it is the root,
// or its own; the roots of the trees with which any of these share; and all providers that are in its tree or share
// with it.
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
CALL (root) {
  CALL (root) {
    MATCH (root)<-[:IN_TREE]-(p)
    RETURN p
    UNION
    <<sharers>>
    RETURN p
  }
  RETURN collect(p.uuid) AS within
}
RETURN p.uuid AS uuid, p.name AS name, root.uuid AS root, [own IN all | own.uuid] AS providers, anchors, within

// name: consumers
// parameters: root, classes
// columns: name, consumers
// The name of a root, and the consumers that hold any of these classes in its tree, those first that hold the most of all
// together.
MATCH (root:ResourceProvider {uuid: $root})
USING INDEX SEEK root:ResourceProvider(uuid)
CALL (root) {
  MATCH (root)<-[:IN_TREE]-(p)
  MATCH (p)-[:HAS_INVENTORY]->(i)<-[held:CONSUMES]-(consumer)
  WHERE i.resource_class IN $classes
  WITH consumer.uuid AS consumer, sum(toFloat(held.amount) / CASE WHEN i.capacity > 0 THEN i.capacity ELSE 1 END) AS share
  ORDER BY share DESC, consumer
  RETURN collect(consumer) AS consumers
}
RETURN root.name AS name, consumers
