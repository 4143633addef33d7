"""The compute side: what a compute service does with Placement, over its REST API alone (specs: reshaper)."""
