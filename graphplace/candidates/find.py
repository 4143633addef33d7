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

    Both are plain data in the form of the API at microversion 1.39. Each request fits what the summaries say.
    """

    allocation_requests: list[dict[str, Any]]
    provider_summaries: dict[str, Summary]


def find_candidates(database: Database, request: CandidateRequest) -> Candidates:
    """Answer *request* from one read transaction. Raises BadRequestError for an unknown class or trait."""
    return database.read(lambda transaction: _find(transaction, request))


def _find(transaction: Transaction, request: CandidateRequest) -> Candidates:
    slots = Slots.of(request)
    placements = _placements(transaction, request)
    requests: list[dict[str, Any]] = []
    summaries: dict[str, Summary] = {}
    summarised: set[str] = set()
    while taken := list(islice(placements, request.limit and request.limit - len(requests))):
        roots = {root for placement in taken for root in _roots(slots, placement)} - summarised
        summaries |= summarise(transaction, roots)
        summarised |= roots
        found = (_allocation_request(slots, placement) for placement in taken)
        requests.extend(one for one in found if _is_current(one, summaries))
    return Candidates(requests, summaries)


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
    matcher = Matcher(transaction, query, sharing=names.sharing)
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


def _is_current(allocation_request: dict[str, Any], summaries: dict[str, Summary]) -> bool:
    """Tell whether what was found still fits what was read after it: others may have claimed or deleted meanwhile."""
    for provider, gift in allocation_request["allocations"].items():
        if provider not in summaries:
            return False
        resources = summaries[provider]["resources"]
        for name, amount in gift["resources"].items():
            if name not in resources or resources[name]["used"] + amount > resources[name]["capacity"]:
                return False
    return True
