"""Batches of trees from Neo4j: which of their providers fit which kinds of slots."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from graphplace.candidates.overlay import View
from graphplace.candidates.shape import Shape, shape_of
from graphplace.compiler.compile import ANCHORING, CompiledQuery
from graphplace.cypher import statement


@dataclass(frozen=True)
class Tree:
    """A tree that may give candidates, known by its root.

    ``providers`` are the uuids of those that fit something, the tree's own and those that share with it, in the
    order of the positions in ``shape``. ``shared`` maps positions of providers that share to the root of the tree
    that they are in themselves, which is this one for the tree's own.
    """

    root: str
    providers: list[str]
    shared: dict[int, str]
    shape: Shape


class Matcher:
    """Matches batches of roots for one query, and recognises the shapes that it has seen."""

    def __init__(self, view: View, query: CompiledQuery, *, sharing: bool) -> None:
        self._view = view
        self._query = query
        self._sharing = sharing
        self._shapes: dict[bytes, Shape] = {}

    def match(self, roots: Sequence[str]) -> Iterator[Tree]:
        """Yield those of the trees under *roots* in which every kind of slot has a provider."""
        if self._query.anchoring:
            ((roots,),) = self._view.run(statement(ANCHORING), roots=roots, **self._query.anchoring)
            if not roots:
                return
        (row,) = self._view.run(self._query.statement, roots=roots, sharing=self._sharing, **self._query.parameters)
        *columns, offers = row
        if self._query.problem.splits:
            columns += [offers, list(map(_giving, *columns[:3], offers))]
        for root, providers, shared, *rest in zip(*columns, strict=True):
            yield Tree(root, providers, dict(shared), self._shape(rest))

    def _shape(self, columns: list[Any]) -> Shape:
        key = orjson.dumps(columns)
        shape = self._shapes.get(key)
        if shape is None:
            shape = self._shapes[key] = shape_of(len(self._query.parameters["kinds"]), columns)
        return shape


def _giving(root: str, providers: list[str], shared: list[tuple[int, str]], offers: list[list[Any]]) -> list[int]:
    """Return the positions of the tree's own providers that may give a part of something, by their uuids."""
    elsewhere = {position for position, home in shared if home != root}
    giving = [position for position in range(len(providers)) if any(offers[position]) and position not in elsewhere]
    return sorted(giving, key=providers.__getitem__)
