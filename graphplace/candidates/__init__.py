"""From a request to its candidates: where to start, what fits, which choices hold together, and the summaries."""
