"""The explanation of one request for candidates."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from graphplace import providers
from graphplace.candidates.find import budget_of
from graphplace.candidates.names import look_up
from graphplace.candidates.overlay import AS_IT_IS, Overlay, Views
from graphplace.compiler.combination import Known
from graphplace.compiler.constraints.resources import BEYOND_ALL
from graphplace.compiler.slots import Slots
from graphplace.cypher import statement
from graphplace.errors import NotFoundError, TimeBudgetError
from graphplace.explain.changes import MOST_ASKED, Change, Search, changes
from graphplace.explain.counts import Counts, count, fitting
from graphplace.explain.gone import without_consumers
from graphplace.explain.host import Host, look_at
from graphplace.explain.number import MOST_COUNTED, NONE, Number, how_many, how_many_if_any
from graphplace.explain.reasons import Asking, Reason, reasons
from graphplace.explain.sentence import sentence
from graphplace.explain.survey import Survey, survey
from graphplace.graph.budget import Budget
from graphplace.graph.database import Database
from graphplace.request.model import CandidateRequest
from graphplace.settings import PREFIX, Settings
from graphplace.what_if.changes import Changes as Supposition
from graphplace.what_if.suppose import suppose

MOST_AMOUNTS = 1000
"""Of how many lesser amounts of a class the largest is looked for that gives candidates."""

CHANGES_SETTING = PREFIX + "EXPLAIN_CHANGES_TIMEOUT"
MORE = "There may be more changes that give candidates."


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
    candidates = counts = if_empty = host = gave_up = None
    why: tuple[Reason, ...] = ()
    found: tuple[Change, ...] = ()
    try:
        surveyed = _survey(views, request, budget)
        candidates = Number.of(len(surveyed.placements))
        if named is not None:
            host = look_at(views, request, named, settings, _asking(views, request, budget))
        counts = views.read(lambda view: count(view, request, look_up(view, request)), budget)
        if not candidates.count:
            why = reasons(request, counts, surveyed, _asking(views, request, budget))
            if_empty = how_many_if_any(views, replace(request, emptied=True), budget)
            in_the_way = bool(if_empty.count) and not overlay.providers
            found, gave_up = _changes(views, request, counts, why, for_changes, in_the_way=in_the_way)
    except TimeBudgetError as error:
        gave_up = str(error)
    return Explanation(
        request=sentence(Slots.of(request)),
        candidates=candidates,
        if_empty=if_empty,
        counts=counts,
        reasons=why,
        changes=found,
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


def _changes(
    views: Views,
    request: CandidateRequest,
    counts: Counts,
    why: tuple[Reason, ...],
    budget: Budget,
    *,
    in_the_way: bool,
) -> tuple[tuple[Change, ...], str | None]:
    """Return the changes that give candidates, and why there may be more; consumers only if some are *in_the_way*."""

    def lesser(name: str, amount: int) -> list[int]:
        given = {"class": name, "amount": min(amount, BEYOND_ALL), "most": MOST_AMOUNTS}
        (row,) = views.read(lambda view: view.run(statement("explain.amounts"), **given), budget)
        return list(row["amounts"])

    search = Search(lambda changed: how_many_if_any(views, changed, budget), lesser)
    found: list[Change] = []
    try:
        found.extend(changes(request, counts, [reason.about for reason in why], search))
        if in_the_way:
            roots = _nearest(counts, why)
            found.extend(_without_consumers(views.database, request, roots, budget))
    except TimeBudgetError as error:
        return tuple(found), f"{MORE} {error}"
    return tuple(found), None if search.left else f"{MORE} The search was asked {MOST_ASKED} times, and no more."


def _nearest(counts: Counts, why: Sequence[Reason]) -> list[str]:
    """Return the roots of the trees that come nearest: those that reasons name, and those of providers that do."""
    named = [reason.tree for reason in why if reason.tree is not None]
    return named + [miss.root for group in counts.groups for miss in group.nearest]


def _without_consumers(
    database: Database, request: CandidateRequest, roots: Sequence[str], budget: Budget
) -> Iterator[Change]:
    classes = sorted({name for group in request.groups for name, _ in group.resources})

    def consumers_of(root: str) -> tuple[str, list[str]]:
        given = {"root": root, "classes": classes}
        rows = database.read(lambda transaction: transaction.run(statement("explain.consumers"), **given), budget)
        return (rows[0]["name"], list(rows[0]["consumers"])) if rows else (root, [])

    def count_without(consumers: Sequence[str]) -> Number:
        budget.check()
        try:
            overlay = suppose(database, Supposition(consumers_gone=frozenset(consumers)))
        except NotFoundError:
            # One of them went meanwhile, so that nothing can be said of it any more.
            return NONE
        return how_many(Views(database, overlay), request, budget)

    return without_consumers(request, roots, consumers_of, count_without)


def _budget_for_changes(settings: Settings, budget: Budget) -> Budget:
    """Return what is left of *budget*, which begins now, for changes."""
    longest, most = settings.allocation_candidates_timeout, settings.explain_changes_timeout
    return Budget(most, CHANGES_SETTING) if most and (most < longest or not longest) else budget
