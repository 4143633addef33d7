"""Answers to requests for candidates."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from graphplace.candidates.answer import Answer, is_current
from graphplace.candidates.match import Matcher, Tree
from graphplace.candidates.names import Names, check_in_order, look_up
from graphplace.candidates.overlay import AS_IT_IS, Overlay, View, Views
from graphplace.candidates.remembered import Memory, Summary
from graphplace.candidates.spread import Placement, spread
from graphplace.candidates.start import ALL, Tally, root_batches
from graphplace.candidates.summaries import summarise
from graphplace.compiler.compile import CompiledQuery, compile_request
from graphplace.compiler.slots import Slots
from graphplace.graph.budget import Budget
from graphplace.graph.database import Database
from graphplace.request.model import CandidateRequest
from graphplace.settings import BREADTH_FIRST, PREFIX, Settings

DEFAULTS = Settings(allocation_candidates_timeout=0)
TIMEOUT_SETTING = PREFIX + "ALLOCATION_CANDIDATES_TIMEOUT"


@dataclass(frozen=True)
class Candidates:
    """Allocation requests, and a summary of every provider of the trees that they take resources from, by uuid.

    Both are plain data in the form of the API at microversion 1.39, for reading only: like parts are one object. Each
    request fits what the summaries say.
    """

    allocation_requests: list[dict[str, Any]]
    provider_summaries: dict[str, Summary]


def find_candidates(
    database: Database,
    request: CandidateRequest,
    settings: Settings | None = None,
    overlay: Overlay = AS_IT_IS,
    memory: Memory | None = None,
) -> Candidates:
    """Answer *request* as *overlay* would have it, in the order and number that *settings* ask for.

    *memory* is of *database*: it spares reading the trees of the answer again to which nobody wrote, and is of no use
    with an overlay.
    Without any settings, they are the defaults, and it may take any time. Raises BadRequestError for an unknown class
    or trait, and TimeBudgetError when it takes longer than the settings allow.
    """
    settings = settings or DEFAULTS
    budget = budget_of(settings)
    if settings.max_allocation_candidates >= 0:
        # One at the least, as in Placement.
        request = replace(request, limit=min(request.limit or ALL, settings.max_allocation_candidates or 1))
    memory = None if overlay.providers else memory
    return Views(database, overlay).read(lambda view: _find(view, request, settings, budget, memory), budget)


def budget_of(settings: Settings) -> Budget:
    """Return the time that *settings* allow for a request that begins now."""
    return Budget(settings.allocation_candidates_timeout, TIMEOUT_SETTING)


def _find(
    view: View, request: CandidateRequest, settings: Settings, budget: Budget, memory: Memory | None = None
) -> Candidates:
    answer = Answer(Slots.of(request))
    placements = _placements(view, request, settings, budget, answer)
    requests: list[dict[str, Any]] = []
    summaries: dict[str, Summary] = {}
    summarised: set[str] = set()
    doubtful: set[str] = set()
    while taken := list(islice(placements, request.limit and request.limit - len(requests))):
        roots = {root for placement in taken for root in answer.roots(placement)} - summarised
        summaries |= summarise(view, roots, memory)
        summarised |= roots
        for placement in taken:
            budget.check()
            found = answer.allocation_request(placement)
            if is_current(found, summaries):
                requests.append(found)
            else:
                doubtful.update(answer.roots(placement))
    if doubtful:
        # A tree was written to meanwhile, and may have been read in the middle of a commit, of which no revision tells.
        summaries |= summarise(view, doubtful)
        requests = [found for found in requests if is_current(found, summaries)]
    return Candidates(requests, summaries)


def count_candidates(views: Views, request: CandidateRequest, most: int, budget: Budget) -> int:
    """Return how many candidates *request* has, whatever its own limit: up to *most* of them are counted.

    Raises BadRequestError for an unknown class or trait, and TimeBudgetError when the time of *budget* is over.
    """
    request = replace(request, limit=most)
    answer = Answer(Slots.of(request))

    def count(view: View) -> int:
        placements = _placements(view, request, DEFAULTS, budget, answer)
        return sum(1 for _ in islice(placements, most))

    return views.read(count, budget)


def _placements(
    view: View, request: CandidateRequest, settings: Settings, budget: Budget, answer: Answer
) -> Iterator[Placement]:
    found = _all_placements(view, request, settings, budget)
    return found if request.nested else filter(answer.is_flat, found)


def _all_placements(view: View, request: CandidateRequest, settings: Settings, budget: Budget) -> Iterator[Placement]:
    names = look_up(view, request)
    if names.any_unknown():
        check_in_order(view, request, names, lambda group: any(_all_placements(view, group, settings, budget)))
        return
    if None in names.trees.values():
        return
    yield from _search(view, request, names, settings, budget)


def _search(
    view: View, request: CandidateRequest, names: Names, settings: Settings, budget: Budget
) -> Iterator[Placement]:
    shuffled = settings.randomize_allocation_candidates
    evenly = shuffled or settings.allocation_candidates_generation_strategy == BREADTH_FIRST
    query = compile_request(request, names.roots())
    trees = match_trees(view, request, names, query, shuffled=shuffled)
    yield from spread(query.problem, trees, budget, evenly=evenly, shuffled=shuffled)


def match_trees(
    view: View,
    request: CandidateRequest,
    names: Names,
    query: CompiledQuery,
    *,
    shuffled: bool = False,
    among: Sequence[str] | None = None,
) -> Iterator[Tree]:
    """Yield, as they are asked for, the trees in which every kind of slot of *request*, compiled, has a provider.

    They are looked for everywhere, or under the roots *among*.
    """
    matcher = Matcher(view, query, sharing=names.sharing)
    tally = Tally()
    for batch in root_batches(view, names, request, tally, shuffled=shuffled) if among is None else [among]:
        tally.trees += len(batch)
        for tree in matcher.match(batch):
            tally.viable += 1
            yield tree
