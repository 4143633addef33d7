"""candidates."""
