"""The explanation of one request for candidates."""

from dataclasses import dataclass, replace

from graphplace.candidates.find import budget_of, count_candidates
from graphplace.candidates.names import look_up
from graphplace.candidates.overlay import View
from graphplace.compiler.slots import Slots
from graphplace.errors import BadRequestError, TimeBudgetError
from graphplace.explain.counts import Counts, count
from graphplace.explain.reasons import Reason, reasons
from graphplace.explain.sentence import sentence
from graphplace.graph.budget import Budget
from graphplace.graph.database import Database
from graphplace.request.model import CandidateRequest
from graphplace.settings import Settings

MOST_COUNTED = 100
"""How many candidates are counted: that there are more than that is enough to know."""


@dataclass(frozen=True)
class Number:
    """A number of candidates; if there are ``more``, it is only known that there are."""

    count: int
    more: bool


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """What there is to say of a request, which ``request`` says in words.

    ``reasons`` say why there are no candidates, as far as one condition or constraint alone is in the way.
    ``if_empty`` is asked where there are no candidates: how many there would be if nothing were allocated. What the
    time did not suffice for is None, and ``gave_up`` says so.
    """

    request: str
    candidates: Number | None
    if_empty: Number | None
    counts: Counts | None
    reasons: tuple[Reason, ...]
    gave_up: str | None


def explain(database: Database, request: CandidateRequest, settings: Settings) -> Explanation:
    """Explain *request* within the time that *settings* allow for a search.

    Raises BadRequestError for an unknown class or trait, as the search does.
    """
    budget = budget_of(settings)
    counts = candidates = if_empty = gave_up = None
    found: tuple[Reason, ...] = ()
    try:
        candidates = how_many(database, request, budget)
        counts = _count(database, request, budget)
        if not candidates.count:
            found = reasons(request, counts, lambda relaxed: has_candidates(database, relaxed, budget))
            if_empty = _if_empty(database, request, budget)
    except TimeBudgetError as error:
        gave_up = str(error)
    return Explanation(
        request=sentence(Slots.of(request)),
        candidates=candidates,
        if_empty=if_empty,
        counts=counts,
        reasons=found,
        gave_up=gave_up,
    )


def how_many(database: Database, request: CandidateRequest, budget: Budget) -> Number:
    """Count the candidates of *request*, up to MOST_COUNTED."""
    found = count_candidates(database, request, MOST_COUNTED + 1, budget)
    return Number(min(found, MOST_COUNTED), found > MOST_COUNTED)


def _if_empty(database: Database, request: CandidateRequest, budget: Budget) -> Number:
    try:
        return how_many(database, replace(request, emptied=True), budget)
    except BadRequestError:
        # The search got further than before, to a name that nobody knows.
        return Number(0, more=False)


def has_candidates(database: Database, request: CandidateRequest, budget: Budget) -> bool:
    """Tell whether *request* has any candidate. What names something unknown has none."""
    try:
        return count_candidates(database, request, 1, budget) > 0
    except BadRequestError:
        return False


def _count(database: Database, request: CandidateRequest, budget: Budget) -> Counts:
    def work(view: View) -> Counts:
        return count(view, request, look_up(view, request))

    return database.read(lambda transaction: work(View(transaction)), budget)
