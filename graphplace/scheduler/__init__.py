"""Selecting hosts for instances: request specs, filters, weighers, claims and alternates (specs: request-filtering)."""
