// The search for candidates. Its texts are constants, few enough to be planned once and kept by Neo4j; whatever
// differs between requests is a parameter.

// name: facts
// parameters: classes, traits, aggregates, providers, most
// columns: classes, traits, aggregates, trees
// What the names of a request stand for, and how selective they are; one row of lists, each in the order of its
// parameter. `classes` counts inventories that have the amount free, up to most, `traits` and `aggregates`
// count providers, and `trees` gives root and size of the tree of a provider. Null is an unknown name.
CALL () {
  UNWIND range(0, size($classes) - 1) AS n
  OPTIONAL MATCH (c:ResourceClass {name: $classes[n].class})
  CALL (n, c) {
    MATCH (i:Inventory {resource_class: $classes[n].class})
    WHERE c IS NOT NULL AND i.free >= $classes[n].amount
    WITH i LIMIT $most
    RETURN count(i) AS fitting
  }
  WITH n, CASE WHEN c IS NOT NULL THEN [fitting] ELSE [] END AS found ORDER BY n
  RETURN collect(found) AS classes
}
CALL () {
  UNWIND range(0, size($traits) - 1) AS n
  OPTIONAL MATCH (t:Trait {name: $traits[n]})
  WITH n, CASE WHEN t IS NOT NULL THEN [COUNT { (t)<-[:HAS_TRAIT]-() }] ELSE [] END AS found ORDER BY n
  RETURN collect(found) AS traits
}
CALL () {
  UNWIND range(0, size($aggregates) - 1) AS n
  OPTIONAL MATCH (a:Aggregate {uuid: $aggregates[n]})
  WITH n, CASE WHEN a IS NOT NULL THEN [COUNT { (a)<-[:MEMBER_OF]-() }] ELSE [] END AS found ORDER BY n
  RETURN collect(found) AS aggregates
}
CALL () {
  UNWIND range(0, size($providers) - 1) AS n
  OPTIONAL MATCH (:ResourceProvider {uuid: $providers[n]})-[:IN_TREE]->(root:ResourceProvider)
  WITH n, CASE WHEN root IS NOT NULL THEN [root.uuid, COUNT { (root)<-[:IN_TREE]-() }] ELSE [] END AS found
  ORDER BY n
  RETURN collect(found) AS trees
}
RETURN classes, traits, aggregates, trees

// name: has_member
// parameters: member_of
// columns: found
// Whether any provider is in an aggregate of each of these sets.
RETURN EXISTS {
  MATCH (first:Aggregate)<-[:MEMBER_OF]-(p:ResourceProvider)
  WHERE first.uuid IN $member_of[0]
  WITH [(p)-[:MEMBER_OF]->(a:Aggregate) | a.uuid] AS aggregates
  WHERE all(members IN $member_of WHERE any(a IN aggregates WHERE a IN members))
  RETURN aggregates
} AS found

// name: has_root
// parameters: required, forbidden
// columns: found
// Whether any root has all of these traits and none of those.
RETURN EXISTS {
  MATCH (root:Root)
  WITH [(root)-[:HAS_TRAIT]->(t:Trait) | t.name] AS traits
  WHERE all(name IN $required WHERE name IN traits) AND none(name IN $forbidden WHERE name IN traits)
  RETURN traits
} AS found

// name: start_at_class
// parameters: class, amount, most
// columns: roots
// The roots of trees in which, or shared with which, some inventory has this much of a class free.
MATCH (i:Inventory {resource_class: $class})
WHERE i.free >= $amount
MATCH (i)<-[:HAS_INVENTORY]-(p:ResourceProvider)
CALL (p) {
  MATCH (p)-[:IN_TREE]->(root:ResourceProvider)
  RETURN root
  UNION
  MATCH (p)-[:SHARES]->(:Aggregate)<-[:MEMBER_OF]-(:ResourceProvider)-[:IN_TREE]->(root:ResourceProvider)
  RETURN root
}
WITH DISTINCT root LIMIT $most
RETURN collect(root.uuid) AS roots

// name: start_at_trait
// parameters: traits, most
// columns: roots
// The roots of trees in which, or shared with which, some provider has one of these traits.
MATCH (t:Trait)
WHERE t.name IN $traits
MATCH (t)<-[:HAS_TRAIT]-(p:ResourceProvider)
CALL (p) {
  MATCH (p)-[:IN_TREE]->(root:ResourceProvider)
  RETURN root
  UNION
  MATCH (p)-[:SHARES]->(:Aggregate)<-[:MEMBER_OF]-(:ResourceProvider)-[:IN_TREE]->(root:ResourceProvider)
  RETURN root
}
WITH DISTINCT root LIMIT $most
RETURN collect(root.uuid) AS roots

// name: start_at_aggregate
// parameters: aggregates, most
// columns: roots
// The roots of trees in which, or shared with which, some provider is in one of these aggregates.
MATCH (a:Aggregate)
WHERE a.uuid IN $aggregates
MATCH (a)<-[:MEMBER_OF]-(p:ResourceProvider)
CALL (p) {
  MATCH (p)-[:IN_TREE]->(root:ResourceProvider)
  RETURN root
  UNION
  MATCH (p)-[:SHARES]->(:Aggregate)<-[:MEMBER_OF]-(:ResourceProvider)-[:IN_TREE]->(root:ResourceProvider)
  RETURN root
}
WITH DISTINCT root LIMIT $most
RETURN collect(root.uuid) AS roots

// name: start_at_tree
// parameters: provider, most
// columns: roots
// The root of the tree of a provider, and the roots of trees with which anything in that tree shares.
MATCH (:ResourceProvider {uuid: $provider})-[:IN_TREE]->(home:ResourceProvider)
// A pattern of its own, for within one a relationship is matched once, and the provider's own would be left out.
MATCH (home)<-[:IN_TREE]-(p:ResourceProvider)
CALL (p) {
  MATCH (p)-[:IN_TREE]->(root:ResourceProvider)
  RETURN root
  UNION
  MATCH (p)-[:SHARES]->(:Aggregate)<-[:MEMBER_OF]-(:ResourceProvider)-[:IN_TREE]->(root:ResourceProvider)
  RETURN root
}
WITH DISTINCT root LIMIT $most
RETURN collect(root.uuid) AS roots

// name: match
// parameters: roots, kinds, classes, traits, aggregates, collective, root_required, root_forbidden, subtrees, summed
// columns: roots, providers, shared, fits, room, ancestors, covers
// For a batch of roots: which providers, of the tree or sharing with it, fit which kinds of slots. A tree in
// which a kind has no provider, a set of collective traits no holder or a subtree no common ancestor is left out.
// One row of columns, an entry a tree in each (a row a tree would cost the client several times as much):
//   providers  [uuid]                of the providers that fit something; the other columns point into this list
//   fits       [[kind]]              for each provider, positions in kinds
//   shared     [[provider, root]]    of those that share with the tree, and where they are themselves
//   room       [[amount]]            for each provider, as summed: what it can give of a class in all
//   ancestors  [[provider]]          for each provider, those above it and itself; null without subtrees
//   covers     [[set]]               for each provider, positions in collective; null without them
UNWIND $roots AS uuid
MATCH (root:ResourceProvider {uuid: uuid})
WHERE root:Root
  AND NOT EXISTS {
    UNWIND $root_required AS name
    WITH name WHERE NOT EXISTS { (root)-[:HAS_TRAIT]->(:Trait {name: name}) }
    RETURN name
  }
  AND NOT EXISTS {
    UNWIND $root_forbidden AS name
    MATCH (root)-[:HAS_TRAIT]->(:Trait {name: name})
    RETURN name
  }
CALL (root) {
  WITH root WHERE $aggregates <> []
  MATCH (root)-[:MEMBER_OF]->(a:Aggregate)
  WHERE a.uuid IN $aggregates
  RETURN collect(a.uuid) AS spanning
}
CALL (root, spanning) {
  CALL (root) {
    MATCH (root)<-[:IN_TREE]-(p:ResourceProvider)
    RETURN p, root AS home, 0 AS shared
    UNION ALL
    MATCH (root)<-[:IN_TREE]-(:ResourceProvider)-[:MEMBER_OF]->(a:Aggregate)
    WITH DISTINCT a
    MATCH (a)<-[:SHARES]-(p:ResourceProvider)-[:IN_TREE]->(home:ResourceProvider)
    RETURN p, home, 1 AS shared
  }
  WITH p, home, max(shared) AS shared
  CALL (p) {
    WITH p WHERE $traits <> []
    MATCH (p)-[:HAS_TRAIT]->(t:Trait)
    WHERE t.name IN $traits
    RETURN collect(t.name) AS traits
  }
  CALL (p) {
    WITH p WHERE $aggregates <> []
    MATCH (p)-[:MEMBER_OF]->(a:Aggregate)
    WHERE a.uuid IN $aggregates
    RETURN collect(a.uuid) AS aggregates
  }
  WITH p, home, shared, traits, aggregates,
       [(p)-[:HAS_INVENTORY]->(i:Inventory) WHERE i.resource_class IN $classes | i] AS inventories
  WITH p, home, shared, traits, inventories, [k IN range(0, size($kinds) - 1) WHERE $kinds[k].possible
      AND all(r IN $kinds[k].resources WHERE any(i IN inventories WHERE i.resource_class = r.class
        AND r.amount <= i.free AND r.amount >= i.min_unit AND r.amount <= i.max_unit AND r.amount % i.step_size = 0))
      AND all(names IN $kinds[k].required WHERE any(name IN traits WHERE name IN names))
      AND none(name IN traits WHERE name IN $kinds[k].forbidden)
      AND ($kinds[k].tree IS NULL OR home.uuid = $kinds[k].tree AND (home = root OR NOT $kinds[k].spans))
      AND (all(members IN $kinds[k].member_of WHERE any(a IN aggregates WHERE a IN members))
        OR $kinds[k].spans AND home = root
          AND all(members IN $kinds[k].member_of WHERE any(a IN spanning WHERE a IN members)))
      AND none(a IN aggregates WHERE a IN $kinds[k].forbidden_aggregates)
      AND NOT ($kinds[k].spans AND any(a IN spanning WHERE a IN $kinds[k].forbidden_aggregates)) | k] AS fits
  WHERE fits <> []
  CALL (p) {
    WITH p WHERE $subtrees <> []
    MATCH (p)-[:CHILD_OF*0..]->(above:ResourceProvider)
    RETURN collect(above.uuid) AS above
  }
  RETURN collect({
    uuid: p.uuid, fits: fits, home: CASE WHEN shared = 1 THEN home.uuid END, above: above,
    room: [s IN $summed | reduce(room = 0, i IN inventories |
      CASE WHEN i.resource_class <> s.class THEN room
        ELSE reduce(least = s.most, limit IN [i.free, i.max_unit] | CASE WHEN limit < least THEN limit ELSE least END)
      END)],
    covers: [n IN range(0, size($collective) - 1) WHERE any(name IN traits WHERE name IN $collective[n]) | n]
  }) AS found
}
WITH root, found
WHERE all(k IN range(0, size($kinds) - 1) WHERE any(f IN found WHERE k IN f.fits))
  AND all(n IN range(0, size($collective) - 1) WHERE any(f IN found WHERE n IN f.covers))
  AND all(kinds IN $subtrees WHERE any(top IN found WHERE any(k IN kinds WHERE k IN top.fits)
    AND all(k IN kinds WHERE any(f IN found WHERE k IN f.fits AND top.uuid IN f.above))))
WITH root, found, [f IN found | f.uuid] AS uuids
RETURN
  collect(root.uuid) AS roots,
  collect(uuids) AS providers,
  collect([n IN range(0, size(found) - 1) WHERE found[n].home IS NOT NULL | [n, found[n].home]]) AS shared,
  collect([f IN found | f.fits]) AS fits,
  collect([f IN found | f.room]) AS room,
  collect(CASE WHEN $subtrees = [] THEN []
    ELSE [f IN found | [n IN range(0, size(uuids) - 1) WHERE uuids[n] IN f.above]] END) AS ancestors,
  collect(CASE WHEN $collective = [] THEN [] ELSE [f IN found | f.covers] END) AS covers

// name: summaries
// parameters: roots
// columns: roots, providers, revisions, parents, inventories, traits
// All providers of the trees under these roots. One row of columns, an entry a provider in each: the uuid of its
// root, its own, its revision, its parent's uuid or nothing in a list, [class, capacity, used] of each inventory,
// and its traits.
UNWIND $roots AS uuid
MATCH (root:ResourceProvider {uuid: uuid})<-[:IN_TREE]-(p:ResourceProvider)
WITH root, p, [(p)-[:CHILD_OF]->(above:ResourceProvider) | above.uuid] AS parent,
     [(p)-[:HAS_INVENTORY]->(i:Inventory) | [i.resource_class, i.capacity, i.used]] AS inventories,
     [(p)-[:HAS_TRAIT]->(t:Trait) | t.name] AS traits
RETURN collect(root.uuid) AS roots, collect(p.uuid) AS providers, collect(p.revision) AS revisions,
       collect(parent) AS parents, collect(inventories) AS inventories, collect(traits) AS traits

// name: revisions
// parameters: roots
// columns: roots, providers, revisions
// The membership of the trees under these roots, and the revision of each provider: what summaries were read of.
UNWIND $roots AS uuid
MATCH (root:ResourceProvider {uuid: uuid})<-[:IN_TREE]-(p:ResourceProvider)
RETURN collect(root.uuid) AS roots, collect(p.uuid) AS providers, collect(p.revision) AS revisions
