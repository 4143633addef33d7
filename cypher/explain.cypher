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

// name: conditions
// parameters: roots, kinds, resourceless, classes, traits, aggregates, emptied, sharing, nearest
// columns: kind, remaining, nearest
// For each kind of slot that any provider has the classes for, within reach of these roots: how many providers meet
// each condition and all before it under any of the roots, and those that come `nearest` to meeting all and do not.
// The conditions of `remaining` are class, capacity, min_unit, max_unit, step_size, distinguished, required, forbidden,
// member_of, forbidden_aggregates and in_tree. Of the nearest there are the uuid, the uuid of the root, and which
// conditions are met: those first that miss the fewest conditions, and among these the least of what they ask for.
UNWIND $roots AS uuid
MATCH (root:ResourceProvider {uuid: uuid})
USING INDEX SEEK root:ResourceProvider(uuid)
<<spanning>>
CALL (root) {
  MATCH (root)<-[:IN_TREE]-(p)
  RETURN p, root AS home
  UNION
  <<sharers>>
  RETURN p, home
}
WITH root, spanning, p, home, <<inventories>> AS inventories
WHERE p.uuid IS NOT NULL AND ($resourceless OR inventories <> [])
<<traits>>
<<aggregates>>
UNWIND $kinds AS k
WITH root, p, home, inventories, traits, aggregates, spanning, k
WHERE all(r IN k.resources WHERE any(i IN inventories WHERE i[0] = r.class))
WITH root, p, k, [
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
WITH k.number AS kind, p.uuid AS uuid, size(met) AS conditions,
  coalesce(head([n IN range(0, size(met) - 1) WHERE NOT met[n]]), size(met)) AS reached,
  [size([one IN met WHERE NOT one]), short, p.name, root.uuid] AS distance, met
WITH kind, uuid, conditions, max(reached) AS reached, min([distance, met]) AS nearest
ORDER BY kind, nearest
WITH kind, conditions, collect(reached) AS reached,
  collect(CASE WHEN reached < conditions THEN [uuid, nearest[0][3], nearest[1]] END)[..$nearest] AS nearest
RETURN kind, [n IN range(1, conditions) | size([one IN reached WHERE one >= n])] AS remaining, nearest

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
  [(p)-[:HAS_TRAIT]->(t) WHERE t.name IN $traits | t.name],
  [(p)-[:MEMBER_OF]->(a) WHERE a.uuid IN $aggregates | a.uuid],
  [(root)-[:MEMBER_OF]->(a) WHERE a.uuid IN $aggregates | a.uuid]
] AS provider
WHERE provider[0] IS NOT NULL
WITH n, provider ORDER BY n
RETURN collect(provider) AS providers
