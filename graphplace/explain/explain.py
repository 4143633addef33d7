"""The explanation of one request for candidates."""

from dataclasses import dataclass

from graphplace import providers
from graphplace.candidates.find import budget_of
from graphplace.candidates.names import look_up
from graphplace.candidates.overlay import AS_IT_IS, Overlay, Views
from graphplace.compiler.combination import Known
from graphplace.compiler.slots import Slots
from graphplace.cypher import statement
from graphplace.errors import TimeBudgetError
from graphplace.explain.changes import Change
from graphplace.explain.counts import Counts, count_all, fitting
from graphplace.explain.host import Host, look_at
from graphplace.explain.number import MOST_COUNTED, NONE, Number
from graphplace.explain.reasons import Asking, Reason, reasons, reasons_alone
from graphplace.explain.remedies import Remedies, look_for_remedies
from graphplace.explain.sentence import sentence
from graphplace.explain.survey import Survey, survey
from graphplace.graph.budget import Budget
from graphplace.graph.database import Database
from graphplace.request.model import CandidateRequest
from graphplace.settings import PREFIX, Settings

CHANGES_SETTING = PREFIX + "EXPLAIN_CHANGES_TIMEOUT"


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """What there is to say of a request, which ``request`` says in words.

    Where there are no candidates, ``reasons`` say why, ``if_empty`` is how many there would be if nothing were
    allocated, and ``changes`` are what would give some. ``host`` is about the provider that was named, if any. What the
    time did not suffice for is None or left out, and ``gave_up`` says so.
    """

    request: str
    candidates: Number | None
    if_empty: Number | None
    counts: Counts | None
    reasons: tuple[Reason, ...]
    changes: tuple[Change, ...]
    host: Host | None
    gave_up: str | None


def explain(
    database: Database,
    request: CandidateRequest,
    settings: Settings,
    named: str | None = None,
    overlay: Overlay = AS_IT_IS,
) -> Explanation:
    """Explain *request* with *overlay*, within the time that *settings* allow for a search, and for changes to it.

    The provider with the uuid or name *named* is looked at by itself, too. Raises BadRequestError for an unknown
    class or trait, as the search does, and if there is no such provider.
    """
    views = Views(database, overlay)
    budget = budget_of(settings)
    for_changes = _budget_for_changes(settings, budget)
    candidates = counts = host = gave_up = None
    why: tuple[Reason, ...] = ()
    found = Remedies()
    in_vain = 0
    try:
        counts, all_known = count_all(views, request, budget)
        why = reasons_alone(request, counts)
        if why and all_known:
            candidates = NONE
        else:
            # The search refuses what is unknown.
            surveyed = _survey(views, request, budget)
            candidates = Number.of(len(surveyed.placements))
            in_vain = sum(number for _, number in surveyed.trees.values())
            why = () if candidates.count else reasons(request, counts, surveyed, _asking(views, request, budget))
        if named is not None:
            host = look_at(views, request, named, settings, _asking(views, request, budget))
        if not candidates.count:
            found = look_for_remedies(views, request, counts, why, for_changes, within=budget, in_vain=in_vain)
            gave_up = found.gave_up
    except TimeBudgetError as error:
        gave_up = str(error)
    return Explanation(
        request=sentence(Slots.of(request)),
        candidates=candidates,
        if_empty=found.if_empty,
        counts=counts,
        reasons=why,
        changes=tuple(found.changes),
        host=host,
        gave_up=gave_up,
    )


def _survey(views: Views, request: CandidateRequest, budget: Budget) -> Survey:
    return views.read(lambda view: survey(view, request, MOST_COUNTED + 1, budget), budget)


def _asking(views: Views, request: CandidateRequest, budget: Budget) -> Asking:
    return Asking(
        survey=lambda other: _survey(views, other, budget),
        fitting=lambda: views.read(lambda view: fitting(view, request, look_up(view, request)), budget),
        names=lambda uuids: providers.names(views.database, uuids),
        known=lambda uuids, traits: _known(views, uuids, traits, budget),
        budget=budget,
    )


def _known(views: Views, uuids: list[str], traits: list[str], budget: Budget) -> dict[str, Known]:
    given = {"providers": uuids, "traits": traits}
    rows = views.read(lambda view: view.run(statement("explain.known"), **given), budget)
    return {uuid: Known(name, frozenset(held), above) for uuid, name, held, above in rows}


def _budget_for_changes(settings: Settings, budget: Budget) -> Budget:
    """Return what is left of *budget*, which begins now, for changes."""
    longest, most = settings.allocation_candidates_timeout, settings.explain_changes_timeout
    return Budget(most, CHANGES_SETTING) if most and (most < longest or not longest) else budget
