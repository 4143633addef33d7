"""From a query string to an immutable request for candidates."""
