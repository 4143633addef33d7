"""From a request for candidates to what Neo4j is asked and what a search within one tree has to respect."""
