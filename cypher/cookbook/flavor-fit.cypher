// title: How many of a flavor still fit
// answers: How many of a flavor still fit into the trees of each aggregate, going by free amounts alone?
// note: A class may be in pools that share: they are filled once, however many trees they share with. Trees are
// note: counted by the aggregates of their roots, those of none without an aggregate.
// parameter: resources | resources | required | VCPU:2,MEMORY_MB:2048 | the flavor
// parameter: required | names | - | HW_CPU_X86_AVX2 | traits that some provider of the tree must have
// columns: aggregate, trees, trees_with_room, fit
MATCH (root:Root)
WHERE NOT EXISTS { (root)-[:SHARES]->(:Aggregate) }
  AND all(name IN coalesce($required, []) WHERE EXISTS {
    (root)<-[:IN_TREE]-(:ResourceProvider)-[:HAS_TRAIT]->(:Trait {name: name})
  })
CALL (root) {
  UNWIND keys($resources) AS class
  WITH root, class, toInteger($resources[class]) AS amount
  CALL (root, class, amount) {
    MATCH (root)<-[:IN_TREE]-(p:ResourceProvider)-[:HAS_INVENTORY]->(i:Inventory {resource_class: class})
    WHERE i.free >= amount AND i.min_unit <= amount AND i.max_unit >= amount AND amount % i.step_size = 0
      AND NOT EXISTS { (p)-[:SHARES]->(:Aggregate) }
    RETURN sum(i.free / amount) AS own
  }
  CALL (root, class, amount) {
    MATCH (root)<-[:IN_TREE]-(:ResourceProvider)-[:MEMBER_OF]->(:Aggregate)<-[:SHARES]-(p:ResourceProvider)
    WITH DISTINCT p, class, amount
    MATCH (p)-[:HAS_INVENTORY]->(i:Inventory {resource_class: class})
    WHERE i.free >= amount AND i.min_unit <= amount AND i.max_unit >= amount AND amount % i.step_size = 0
    RETURN collect({uuid: p.uuid, fit: i.free / amount}) AS pools, sum(i.free / amount) AS shared
  }
  RETURN collect({class: class, own: own, pools: pools}) AS classes, min(own + shared) AS fit
}
OPTIONAL MATCH (root)-[:MEMBER_OF]->(a:Aggregate)
WITH a.uuid AS aggregate, count(root) AS trees, sum(CASE WHEN fit > 0 THEN 1 ELSE 0 END) AS trees_with_room,
     sum(fit) AS in_trees, collect(classes) AS all_classes
CALL (all_classes) {
  UNWIND all_classes AS classes
  UNWIND classes AS one
  WITH one.class AS class, sum(one.own) AS own, collect(one.pools) AS all_pools
  CALL (all_pools) {
    UNWIND all_pools AS pools
    UNWIND pools AS pool
    WITH DISTINCT pool
    RETURN sum(pool.fit) AS shared
  }
  RETURN min(own + shared) AS in_all
}
RETURN aggregate, trees, trees_with_room, CASE WHEN in_trees < in_all THEN in_trees ELSE in_all END AS fit
ORDER BY fit DESC, aggregate
