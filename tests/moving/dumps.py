"""What a graph holds, as a dump says it."""

import io
import json
from typing import Any

from graphplace.dumping import dump
from graphplace.graph.database import Database

# What Placement's API does not tell.
UNTOLD = ("created_at", "updated_at", "allocated_at")


def dumped(database: Database, *without: str) -> list[Any]:
    """All lines of a dump, without the parts that are called so."""
    out = io.BytesIO()
    dump(database, out)
    return [_stripped(json.loads(line), {*without}) for line in out.getvalue().splitlines()]


def _stripped(value: Any, without: set[str]) -> Any:
    if isinstance(value, list):
        return [_stripped(one, without) for one in value]
    if isinstance(value, dict):
        return {name: _stripped(one, without) for name, one in value.items() if name not in without}
    return value
