// What a consumer uses stands with its project, so that the usages of a project are read without its consumers.
MATCH (c:Consumer)-[of_project:OF_PROJECT]->()
CALL (c, of_project) {
  SET of_project.usage =
    coalesce(head([(c)-[:OF_TYPE]->(type) | type.name]), '') + reduce(text = '', held IN COLLECT {
      MATCH (c)-[r:CONSUMES]->()
      WITH r.resource_class AS resource_class, sum(r.amount) AS amount ORDER BY resource_class
      RETURN ' ' + resource_class + '=' + amount
    } | text + held)
} IN TRANSACTIONS OF 1000 ROWS
