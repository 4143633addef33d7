// The search for candidates. Its texts are constants, few enough to be planned once and kept by Neo4j; whatever
// differs between requests is a parameter. A plan that was made for an empty graph may still be in use on a great one:
// where it has to start is said by USING INDEX SEEK, and labels stand nowhere else, because the type of a relationship
// says what is at its ends and a label would be another start to choose from.
// What is asked of roots and of providers is in conditions.cypher.

// name: facts
// parameters: classes, traits, aggregates, providers, most
// columns: classes, traits, aggregates, trees, sharing
// What the names of a request stand for, and how selective they are. One row of lists, each in the order of its
// parameter, where an empty list is an unknown name. `classes` counts inventories that have the amount free, or if
// these are `most` or more, all inventories of the class; `traits` and `aggregates` count providers. `trees` gives the
// root of the tree of a provider, and counts its providers. `sharing` is whether anything shares at all, of which Neo4j
// keeps count.
CALL () {
  UNWIND range(0, size($classes) - 1) AS n
  OPTIONAL MATCH (c:ResourceClass {name: $classes[n].class})
  USING INDEX SEEK c:ResourceClass(name)
  CALL (n, c) {
    MATCH (i:Inventory {resource_class: $classes[n].class})
    USING INDEX SEEK i:Inventory(resource_class, free, provider_uuid)
    WHERE c IS NOT NULL AND i.free >= $classes[n].amount AND i.provider_uuid IS NOT NULL
    WITH i LIMIT $most
    RETURN count(i) AS fitting
  }
  WITH n, CASE WHEN c IS NULL THEN [] ELSE [
    CASE WHEN fitting < $most THEN fitting ELSE COUNT { (c)<-[:OF_CLASS]-() } END
  ] END AS found ORDER BY n
  RETURN collect(found) AS classes
}
CALL () {
  UNWIND range(0, size($traits) - 1) AS n
  OPTIONAL MATCH (t:Trait {name: $traits[n]})
  USING INDEX SEEK t:Trait(name)
  WITH n, CASE WHEN t IS NULL THEN [] ELSE [COUNT { (t)<-[:HAS_TRAIT]-() }] END AS found ORDER BY n
  RETURN collect(found) AS traits
}
CALL () {
  UNWIND range(0, size($aggregates) - 1) AS n
  OPTIONAL MATCH (a:Aggregate {uuid: $aggregates[n]})
  USING INDEX SEEK a:Aggregate(uuid)
  WITH n, CASE WHEN a IS NULL THEN [] ELSE [COUNT { (a)<-[:MEMBER_OF]-() }] END AS found ORDER BY n
  RETURN collect(found) AS aggregates
}
CALL () {
  UNWIND range(0, size($providers) - 1) AS n
  OPTIONAL MATCH (p:ResourceProvider {uuid: $providers[n]})-[:IN_TREE]->(root)
  USING INDEX SEEK p:ResourceProvider(uuid)
  WITH n, CASE WHEN root IS NULL THEN [] ELSE [root.uuid, COUNT { (root)<-[:IN_TREE]-() }] END AS found ORDER BY n
  RETURN collect(found) AS trees
}
RETURN classes, traits, aggregates, trees, <<anything_shares>> AS sharing

// name: reaches
// parameters: classes, traits, aggregates, providers, most
// columns: classes, traits, aggregates, trees
// Beside what facts counts, where anything shares: how many providers have something shared with them by it. Of a class
// these are the first inventories that have the amount free, up to `most`, and a trait counts only if it has no more
// holders.
CALL () {
  UNWIND range(0, size($classes) - 1) AS n
  CALL (n) {
    MATCH (i:Inventory {resource_class: $classes[n].class})
    USING INDEX SEEK i:Inventory(resource_class, free, provider_uuid)
    WHERE i.free >= $classes[n].amount AND i.provider_uuid IS NOT NULL
    WITH i ORDER BY i.resource_class, i.free, i.provider_uuid LIMIT $most
    MATCH (i)<-[:HAS_INVENTORY]-(p)
    <<reach>>
  }
  WITH n, reach ORDER BY n
  RETURN collect(reach) AS classes
}
CALL () {
  UNWIND range(0, size($traits) - 1) AS n
  CALL (n) {
    MATCH (t:Trait {name: $traits[n]})
    USING INDEX SEEK t:Trait(name)
    WHERE COUNT { (t)<-[:HAS_TRAIT]-() } <= $most
    MATCH (t)<-[:HAS_TRAIT]-(p)
    <<reach>>
  }
  WITH n, reach ORDER BY n
  RETURN collect(reach) AS traits
}
CALL () {
  UNWIND range(0, size($aggregates) - 1) AS n
  CALL (n) {
    MATCH (a:Aggregate {uuid: $aggregates[n]})<-[:SHARES]-(p)
    USING INDEX SEEK a:Aggregate(uuid)
    <<reach>>
  }
  WITH n, reach ORDER BY n
  RETURN collect(reach) AS aggregates
}
CALL () {
  UNWIND range(0, size($providers) - 1) AS n
  CALL (n) {
    MATCH (named:ResourceProvider {uuid: $providers[n]})-[:IN_TREE]->(root)
    USING INDEX SEEK named:ResourceProvider(uuid)
    MATCH (root)<-[:IN_TREE]-(p)
    <<reach>>
  }
  WITH n, reach ORDER BY n
  RETURN collect(reach) AS trees
}
RETURN classes, traits, aggregates, trees

// name: has_member
// parameters: member_of
// columns: found
// Whether any provider is in an aggregate of each of these sets.
RETURN EXISTS {
  MATCH (first:Aggregate)<-[:MEMBER_OF]-(p)
  USING INDEX SEEK first:Aggregate(uuid)
  WHERE first.uuid IN $member_of[0]
  WITH <<aggregates_of_p>> AS aggregates
  WHERE all(members IN $member_of WHERE any(a IN aggregates WHERE a IN members))
  RETURN aggregates
} AS found

// name: has_root
// parameters: required, forbidden, member_of, forbidden_aggregates
// columns: found
// Whether any root has all of these traits and none of those, and is in these aggregates and in none of those.
RETURN EXISTS {
  MATCH (root:Root)
  WITH root, <<traits_of_root>> AS traits
  WHERE all(name IN $required WHERE name IN traits) AND none(name IN $forbidden WHERE name IN traits)
    AND <<root_is_member>>
  RETURN traits
} AS found

// name: start_at_class
// parameters: class, amount, least, most
// columns: roots, sharers
// The trees in which some provider has this much of a class free, the fullest first: the uuid of the root, and beside
// it that of the provider if it shares with other trees, or else an empty text. At most `most` of these pairs are given.
// If `least` is not null, the provider's capacity is at least that, too.
MATCH (i:Inventory {resource_class: $class})
USING INDEX SEEK i:Inventory(resource_class, free, provider_uuid)
WHERE i.free >= $amount AND i.provider_uuid IS NOT NULL AND ($least IS NULL OR i.capacity >= $least)
WITH i ORDER BY i.resource_class, i.free, i.provider_uuid
MATCH (i)<-[:HAS_INVENTORY]-(p)-[:IN_TREE]->(root)
WITH DISTINCT root.uuid AS root, CASE WHEN EXISTS { (p)-[:SHARES]->() } THEN p.uuid ELSE '' END AS sharer
LIMIT $most
RETURN collect(root) AS roots, collect(sharer) AS sharers

// name: start_at_trait
// parameters: traits, most
// columns: roots, sharers
// The trees in which some provider has one of these traits, as for start_at_class, but in the order of their uuids.
MATCH (t:Trait)
USING INDEX SEEK t:Trait(name)
WHERE t.name IN $traits
MATCH (t)<-[:HAS_TRAIT]-(p)-[:IN_TREE]->(root)
WITH DISTINCT root.uuid AS root, CASE WHEN EXISTS { (p)-[:SHARES]->() } THEN p.uuid ELSE '' END AS sharer
ORDER BY root, sharer LIMIT $most
RETURN collect(root) AS roots, collect(sharer) AS sharers

// name: start_at_aggregate
// parameters: aggregates, most
// columns: roots, sharers
// The trees in which some provider is in one of these aggregates, in the order of their uuids.
MATCH (a:Aggregate)
USING INDEX SEEK a:Aggregate(uuid)
WHERE a.uuid IN $aggregates
MATCH (a)<-[:MEMBER_OF]-(p)-[:IN_TREE]->(root)
WITH DISTINCT root.uuid AS root, CASE WHEN EXISTS { (p)-[:SHARES]->() } THEN p.uuid ELSE '' END AS sharer
ORDER BY root, sharer LIMIT $most
RETURN collect(root) AS roots, collect(sharer) AS sharers

// name: start_at_tree
// parameters: provider, most
// columns: roots, sharers
// The tree of a provider.
MATCH (named:ResourceProvider {uuid: $provider})-[:IN_TREE]->(root)
USING INDEX SEEK named:ResourceProvider(uuid)
// A pattern of its own, for within one a relationship is matched once, and the provider's own would be left out.
MATCH (root)<-[:IN_TREE]-(p)
WITH DISTINCT root.uuid AS root, CASE WHEN EXISTS { (p)-[:SHARES]->() } THEN p.uuid ELSE '' END AS sharer
ORDER BY root, sharer LIMIT $most
RETURN collect(root) AS roots, collect(sharer) AS sharers

// name: anchors
// parameters: sharers
// columns: roots
// The roots of the trees with which these providers share, in the order of their uuids.
MATCH (p:ResourceProvider)
USING INDEX SEEK p:ResourceProvider(uuid)
WHERE p.uuid IN $sharers
<<members_shared_with>>
MATCH (member)-[:IN_TREE]->(root)
WITH DISTINCT root
WITH root.uuid AS root ORDER BY root
RETURN collect(root) AS roots

// name: anchoring
// parameters: roots, member_of, forbidden_aggregates, in_tree, tree_holds
// columns: roots
// Those of these roots that are in such aggregates and in no forbidden one, and whose trees hold what is asked for: the
// given providers, and for each condition some provider that meets it. It is asked of few requests, and so it is no part
// of the next statement, which all of them wait for.
UNWIND $roots AS uuid
MATCH (root:ResourceProvider {uuid: uuid})
USING INDEX SEEK root:ResourceProvider(uuid)
WHERE <<root_is_member>>
  AND <<tree_has_members>>
  AND <<tree_holds>>
RETURN collect(uuid) AS roots

// name: match
// parameters: roots, kinds, needed, resourceless, classes, emptied, traits, aggregates, collective, root_required, root_forbidden, ancestry, summed, sharing
// columns: roots, providers, shared, fits, room, ancestors, covers
// For a batch of roots: which providers, of the tree or sharing with it, fit which kinds of slots. A tree in
// which a needed kind has no provider or a set of collective traits no holder is left out.
// One row of columns, an entry a tree in each (a row a tree would cost the client several times as much):
//   providers  [uuid]                of the providers that fit something; the other columns point into this list
//   fits       [[kind]]              for each provider, positions in kinds
//   shared     [[provider, root]]    of those that share with the tree, and where they are themselves
//   room       [[amount]]            for each provider, as summed: what it can give of a class in all
//   ancestors  [[provider]]          for each provider, those above it and itself; empty unless ancestry is asked for
//   covers     [[set]]               for each provider, positions in collective; empty without them
UNWIND $roots AS uuid
MATCH (root:ResourceProvider {uuid: uuid})
USING INDEX SEEK root:ResourceProvider(uuid)
WHERE root:Root
  AND <<root_has_traits>>
<<spanning>>
CALL (root, spanning) {
  CALL (root) {
    MATCH (root)<-[:IN_TREE]-(p)
    RETURN p, root AS home, 0 AS shared
    UNION ALL
    <<sharers>>
    RETURN p, home, 1 AS shared
  }
  WITH p, home, max(shared) AS shared
  WITH p, p.uuid AS uuid, home, shared, <<inventories>> AS inventories
  WHERE uuid IS NOT NULL AND ($resourceless OR inventories <> [])
  <<traits>>
  <<aggregates>>
  WITH p, uuid, home, shared, traits, inventories, [k IN $kinds WHERE k.possible
      AND all(r IN k.resources WHERE any(i IN inventories WHERE i[0] = r.class
        AND <<capacity>> AND <<min_unit>> AND <<max_unit>> AND <<step_size>>))
      AND <<required>>
      AND <<forbidden>>
      AND <<in_tree>>
      AND <<member_of>>
      AND <<forbidden_aggregates>> | k.number] AS fits
  WHERE fits <> []
  // Names, because hosts that are built alike have their parts in the same order then, and one shape; uuids are random.
  WITH p, uuid, home, shared, traits, inventories, fits ORDER BY shared, p.name
  CALL (p) {
    WITH p WHERE $ancestry
    MATCH (p)-[:CHILD_OF*0..]->(above)
    RETURN collect(above) AS above
  }
  RETURN
    collect(uuid) AS providers,
    collect(fits) AS fits,
    collect(CASE WHEN shared = 1 THEN coalesce(home.uuid, '') ELSE '' END) AS homes,
    collect([s IN $summed | reduce(room = 0, i IN inventories | CASE
      WHEN i[0] <> s.class THEN room
      WHEN i[1] < s.most AND i[1] <= i[3] THEN i[1]
      WHEN i[3] < s.most THEN i[3]
      ELSE s.most
    END)]) AS room,
    collect(p) AS nodes,
    collect(above) AS above,
    collect([n IN range(0, size($collective) - 1) WHERE any(name IN traits WHERE name IN $collective[n]) | n]) AS covers
}
WITH *
WHERE all(k IN $needed WHERE any(of_one IN fits WHERE k IN of_one))
  AND all(n IN range(0, size($collective) - 1) WHERE any(of_one IN covers WHERE n IN of_one))
RETURN
  collect(uuid) AS roots,
  collect(providers) AS providers,
  collect([n IN range(0, size(homes) - 1) WHERE homes[n] <> '' | [n, homes[n]]]) AS shared,
  collect(fits) AS fits,
  collect(room) AS room,
  collect(CASE WHEN $ancestry
    THEN [of_one IN above | [n IN range(0, size(nodes) - 1) WHERE nodes[n] IN of_one]] ELSE [] END) AS ancestors,
  collect(CASE WHEN $collective = [] THEN [] ELSE covers END) AS covers

// name: offers
// parameters: providers, splittable, classes, emptied
// columns: providers, offers
// What these providers can give of each of the classes that may be split: [free, min_unit, max_unit, step_size], or
// nothing. It is asked of few requests, as anchoring is.
UNWIND $providers AS uuid
MATCH (p:ResourceProvider {uuid: uuid})
USING INDEX SEEK p:ResourceProvider(uuid)
WITH uuid, <<inventories>> AS inventories
RETURN
  collect(uuid) AS providers,
  collect([class IN $splittable | head([i IN inventories WHERE i[0] = class | i[1..]])]) AS offers

// name: summaries
// parameters: batches, recent
// columns: stamps, providers, held, moved, doubted
// All providers of the trees under these roots, a row for each batch of roots, so that one is worked on while the next
// is read. Three columns have an entry a tree:
//   stamps     [root, revision of the root, number of providers, sum of their revisions]
//   providers  [uuid]
//   held       [[one]]  for each provider, of all that it has: [class, capacity, used] of an inventory, the name of a
//                       trait, [uuid] of its parent; in one list, because each walk along its relationships costs alike
// `moved` are those of the roots whose trees were written to meanwhile: a write raises the revision of all that it
// touches, and one that changes which providers there are also that of the root. Neo4j shows one statement what others
// commit while it runs, and may show revisions of a commit before the rest of it. So `doubted` are the trees of several
// providers of which one was written to in the last `recent` milliseconds: a revision is a time.
UNWIND $batches AS batch
CALL (batch) {
  UNWIND batch AS uuid
  MATCH (root:ResourceProvider {uuid: uuid})
  USING INDEX SEEK root:ResourceProvider(uuid)
  CALL (root) {
    MATCH (root)<-[:IN_TREE]-(p)
    WITH p.uuid AS provider, p.revision AS revision,
      <<held>> AS held
    // Deleted while it was read: the columns stay in step.
    WHERE provider IS NOT NULL AND revision IS NOT NULL
    RETURN collect(provider) AS providers, collect(held) AS held, sum(revision) AS revisions, max(revision) AS newest
  }
  RETURN collect([uuid, root.revision, size(providers), revisions]) AS before,
         collect(providers) AS providers, collect(held) AS held,
         collect(CASE WHEN size(providers) > 1 AND newest > timestamp() - $recent THEN uuid END) AS doubted
}
CALL (batch) {
  UNWIND batch AS uuid
  MATCH (root:ResourceProvider {uuid: uuid})
  USING INDEX SEEK root:ResourceProvider(uuid)
  CALL (root) {
    MATCH (root)<-[:IN_TREE]-(p)
    RETURN count(p.revision) AS providers, sum(p.revision) AS revisions
  }
  RETURN collect([uuid, root.revision, providers, revisions]) AS after
}
RETURN before AS stamps, providers, held,
       CASE WHEN before = after THEN [] ELSE [tree IN before WHERE NOT tree IN after | tree[0]] END AS moved, doubted

// name: stamps
// parameters: roots
// columns: stamps
// What tells whether anybody has written to the trees under these roots: their stamps, as above.
CALL () {
  UNWIND $roots AS uuid
  MATCH (root:ResourceProvider {uuid: uuid})
  USING INDEX SEEK root:ResourceProvider(uuid)
  CALL (root) {
    MATCH (root)<-[:IN_TREE]-(p)
    RETURN count(p.revision) AS providers, sum(p.revision) AS revisions
  }
  RETURN collect([uuid, root.revision, providers, revisions]) AS stamps
}
RETURN stamps
