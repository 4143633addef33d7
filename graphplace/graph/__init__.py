"""The graph itself: the connection, transactions, the schema, and the managed local Neo4j."""
