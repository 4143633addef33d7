"""Batches of trees from Neo4j: which of their providers fit which kinds of slots."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from graphplace.candidates.overlay import View
from graphplace.candidates.shape import Shape, shape_of
from graphplace.compiler.compile import ANCHORING, OFFERS, CompiledQuery
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
        (columns,) = self._view.run(self._query.statement, roots=roots, sharing=self._sharing, **self._query.parameters)
        trees = list(zip(*columns, strict=True))
        for root, providers, shared, *rest in self._with_offers(trees) if trees and self._query.offers else trees:
            yield Tree(root, providers, dict(shared), self._shape(rest))

    def _with_offers(self, trees: Sequence[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
        """Yield those of *trees* that have enough of all that may be split, with all that :func:`shape_of` wants."""
        uuids = dict.fromkeys(uuid for _, providers, *_ in trees for uuid in providers)
        (found,) = self._view.run(statement(OFFERS), providers=list(uuids), **self._query.offers)
        offered = dict(zip(*found, strict=True))
        splits = self._query.problem.splits
        for root, providers, shared, *rest in trees:
            offers = [offered.get(uuid, [None] * len(splits)) for uuid in providers]
            if all(split.amount <= sum(_most(offer[n]) for offer in offers) for n, split in enumerate(splits)):
                yield root, providers, shared, *rest, offers, _giving(root, providers, shared, offers)

    def _shape(self, columns: list[Any]) -> Shape:
        key = orjson.dumps(columns)
        shape = self._shapes.get(key)
        if shape is None:
            shape = self._shapes[key] = shape_of(len(self._query.parameters["kinds"]), columns)
        return shape


def _most(offer: list[int] | None) -> int:
    """Return how much at most an inventory can give at once: what is free of it may be less than nothing."""
    if offer is None:
        return 0
    free, _, max_unit, _ = offer
    return max(0, min(free, max_unit))


def _giving(root: str, providers: list[str], shared: list[tuple[int, str]], offers: list[list[Any]]) -> list[int]:
    """Return the positions of the tree's own providers that may give a part of something, by their uuids."""
    elsewhere = {position for position, home in shared if home != root}
    giving = [position for position in range(len(providers)) if any(offers[position]) and position not in elsewhere]
    return sorted(giving, key=providers.__getitem__)
