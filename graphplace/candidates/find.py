"""Answers to requests for candidates."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from graphplace.candidates.match import Matcher
from graphplace.candidates.names import Names, check_in_order, look_up
from graphplace.candidates.spread import Placement, spread
from graphplace.candidates.start import root_batches
from graphplace.candidates.summaries import Summary, summarise
from graphplace.compiler.compile import compile_request, starts_of
from graphplace.compiler.slots import Slots
from graphplace.graph.database import Database, Transaction
from graphplace.request.model import CandidateRequest


@dataclass(frozen=True)
class Candidates:
    """Allocation requests, and a summary of every provider of the trees that they take resources from, by uuid.

    Both are plain data in the form of the API at microversion 1.39.
    """

    allocation_requests: list[dict[str, Any]]
    provider_summaries: dict[str, Summary]


def find_candidates(database: Database, request: CandidateRequest) -> Candidates:
    """Answer *request* from one read transaction. Raises BadRequestError for an unknown class or trait."""
    return database.read(lambda transaction: _find(transaction, request))


def _find(transaction: Transaction, request: CandidateRequest) -> Candidates:
    slots = Slots.of(request)
    placements = list(islice(_placements(transaction, request), request.limit))
    roots = {root for placement in placements for root in _roots(slots, placement)}
    summaries = summarise(transaction, roots) if roots else {}
    requests = [_allocation_request(slots, placement) for placement in placements]
    # Whoever follows an allocation request looks its providers up: those deleted meanwhile are no candidates.
    held = [one for one in requests if one["allocations"].keys() <= summaries.keys()]
    return Candidates(held, summaries)


def _placements(transaction: Transaction, request: CandidateRequest) -> Iterator[Placement]:
    names = look_up(transaction, request)
    if names.any_unknown():
        check_in_order(transaction, request, names, lambda group: any(_placements(transaction, group)))
        return
    if None in names.trees.values():
        return
    yield from _search(transaction, request, names)


def _search(transaction: Transaction, request: CandidateRequest, names: Names) -> Iterator[Placement]:
    query = compile_request(request, names.roots())
    matcher = Matcher(transaction, query)
    batches = root_batches(transaction, names, starts_of(request), request.limit)
    yield from spread(query.problem, (tree for batch in batches for tree in matcher.match(batch)))


def _roots(slots: Slots, placement: Placement) -> Iterator[str]:
    """Yield the roots of the trees that give resources in *placement*."""
    for slot, position in zip(slots.all, placement.choice, strict=True):
        if slot.resources:
            yield placement.tree.shared.get(position, placement.tree.root)


def _allocation_request(slots: Slots, placement: Placement) -> dict[str, Any]:
    allocations: dict[str, dict[str, dict[str, int]]] = {}
    mappings: dict[str, list[str]] = {}
    for slot, position in zip(slots.all, placement.choice, strict=True):
        provider = placement.tree.providers[position]
        mapped = mappings.setdefault(slot.group.suffix, [])
        if provider not in mapped:
            mapped.append(provider)
        if slot.resources:
            resources = allocations.setdefault(provider, {"resources": {}})["resources"]
            for name, amount in slot.resources:
                resources[name] = resources.get(name, 0) + amount
    return {"allocations": allocations, "mappings": mappings}
