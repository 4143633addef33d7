"""Values of Neo4j as plain data, which JSON can say."""

import math
from functools import singledispatch
from typing import Any

from neo4j.graph import Node, Path, Relationship
from neo4j.spatial import Point
from neo4j.time import Date, DateTime, Duration, Time


@singledispatch
def plain(value: Any) -> Any:
    """Return *value* as JSON has it: times in ISO 8601, nodes and relationships as objects with their properties."""
    return value


@plain.register(dict)
def _map(value: dict[str, Any]) -> dict[str, Any]:
    return {key: plain(item) for key, item in value.items()}


@plain.register(list)
def _list(value: list[Any]) -> list[Any]:
    return [plain(item) for item in value]


@plain.register
def _float(value: float) -> float | str:
    return value if math.isfinite(value) else str(value)


@plain.register(bytes)
@plain.register(bytearray)
def _bytes(value: bytes | bytearray) -> str:
    return value.hex()


@plain.register(Date)
@plain.register(DateTime)
@plain.register(Duration)
@plain.register(Time)
def _time(value: Date | DateTime | Duration | Time) -> str:
    return value.iso_format()


@plain.register
def _point(value: Point) -> dict[str, Any]:
    return {"srid": value.srid, "coordinates": list(value)}


@plain.register
def _node(value: Node) -> dict[str, Any]:
    return {"labels": sorted(value.labels), "properties": _map(dict(value))}


@plain.register
def _relationship(value: Relationship) -> dict[str, Any]:
    return {"type": value.type, "properties": _map(dict(value))}


@plain.register
def _path(value: Path) -> dict[str, Any]:
    return {
        "nodes": [plain(node) for node in value.nodes],
        "relationships": [plain(relationship) for relationship in value.relationships],
    }
