// title: Traits without room
// answers: Which traits can no request get, because nothing is free of any provider that has them, or below it?
// note: Traits that are asked for, by flavors and images say, may be named: those that nobody has come too.
// parameter: asked | names | - | HW_CPU_X86_AVX512F,CUSTOM_FAST | traits that are asked for
// columns: trait, providers, why
CALL () {
  MATCH (p:ResourceProvider)
  WHERE EXISTS { (p)-[:HAS_TRAIT]->() }
  WITH p, EXISTS {
    MATCH (p)<-[:CHILD_OF*0..]-(:ResourceProvider)-[:HAS_INVENTORY]->(i:Inventory)
    WHERE i.free > 0
  } AS has_room
  MATCH (p)-[:HAS_TRAIT]->(t:Trait)
  WITH t.name AS trait, count(p) AS providers, sum(CASE WHEN has_room THEN 1 ELSE 0 END) AS with_room
  WHERE with_room = 0
  RETURN trait, providers, 'never free' AS why
  UNION ALL
  UNWIND coalesce($asked, []) AS trait
  WITH DISTINCT trait
  WHERE NOT EXISTS { (:Trait {name: trait})<-[:HAS_TRAIT]-() }
  RETURN trait, 0 AS providers, 'nobody has it' AS why
}
RETURN trait, providers, why
ORDER BY trait
