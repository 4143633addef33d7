"""OpenStack Placement's whole job on a Neo4j property graph."""
