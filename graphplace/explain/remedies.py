"""What would give a request candidates that has none: if nothing were allocated, other requests, consumers gone."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from graphplace.candidates.overlay import Views
from graphplace.compiler.constraints.resources import BEYOND_ALL
from graphplace.cypher import statement
from graphplace.errors import NotFoundError, TimeBudgetError
from graphplace.explain.changes import MOST_ASKED, Change, Search, changes_about, other_changes
from graphplace.explain.counts import Counts, count_all
from graphplace.explain.gone import without_consumers
from graphplace.explain.number import NONE, Number, how_many, how_many_if_any
from graphplace.explain.reasons import Reason, reasons_alone
from graphplace.graph.budget import Budget
from graphplace.graph.database import Database
from graphplace.request.model import CandidateRequest
from graphplace.what_if.changes import Changes as Supposition
from graphplace.what_if.suppose import suppose

MOST_AMOUNTS = 1000
"""Of how many lesser amounts of a class the largest is looked for that gives candidates."""
LEAST_SHARE = 0.1
"""The share of their time that changes about the reasons get, even if it is over when the reasons are known."""
MANY_TREES = 4000
"""To look at more trees than these in vain takes more than half a second."""

MORE = "There may be more changes that give candidates."
IF_EMPTY_UNKNOWN = "How many candidates there would be if nothing were allocated is not known."
# The search finds out at once that nobody meets these.
FOUND_AT_ONCE = frozenset({"class", "capacity"})


@dataclass
class Remedies:
    """What was found until the time was over, and if there may be more, why that is not known."""

    if_empty: Number | None = None
    changes: list[Change] = field(default_factory=list)
    gave_up: str | None = None


def look_for_remedies(
    views: Views,
    request: CandidateRequest,
    counts: Counts,
    why: Sequence[Reason],
    budget: Budget,
    *,
    within: Budget,
    in_vain: int,
) -> Remedies:
    """Look for what helps *request*, which has no candidates, in the time of *budget*, in the order of what is needed.

    First come changes about the reasons, which get a share of the time even if *budget* is over, but not *within*.
    Then comes what there would be if nothing were allocated: for that there is the time *within*, unless so many trees
    were looked at *in_vain* that the same again would take too long.
    """

    def count_in(time: Budget) -> Callable[[CandidateRequest], Number]:
        return lambda changed: how_many_if_any(views, changed, time)

    def lesser(name: str, amount: int) -> list[int]:
        given = {"class": name, "amount": min(amount, BEYOND_ALL), "most": MOST_AMOUNTS}
        (row,) = views.read(lambda view: view.run(statement("explain.amounts"), **given), budget)
        return list(row["amounts"])

    def look_about() -> None:
        found.changes.extend(changes_about(request, counts, about, search))

    def look_if_empty() -> None:
        found.if_empty = _if_empty(views, request, counts, within if in_vain <= MANY_TREES else budget)

    def look_for_others() -> None:
        search.count = count_in(budget)
        any_found = bool(found.changes)
        found.changes.extend(other_changes(request, counts, about, search, single_only=any_found))

    def look_for_consumers() -> None:
        if found.if_empty and found.if_empty.count and not views.overlay.providers:
            found.changes.extend(_without_consumers(views.database, request, _nearest(counts, why), budget))

    about = [reason.about for reason in why]
    search = Search(count_in(budget.with_share(LEAST_SHARE, within)), lesser)
    found = Remedies()
    given_up: str | None = None
    for look in (look_about, look_if_empty, look_for_others, look_for_consumers):
        try:
            look()
        except TimeBudgetError as error:
            given_up = str(error)
    found.gave_up = _gave_up(given_up, found, search)
    return found


def _gave_up(given_up: str | None, found: Remedies, search: Search) -> str | None:
    if given_up is None:
        return None if search.left else f"{MORE} The search was asked {MOST_ASKED} times, and no more."
    unknown = f"{IF_EMPTY_UNKNOWN} " if found.if_empty is None else ""
    return f"{MORE} {unknown}{given_up}"


def _if_empty(views: Views, request: CandidateRequest, counts: Counts, budget: Budget) -> Number:
    """Return how many candidates there would be if nothing were allocated; *counts* are those as it is."""
    emptied = replace(request, emptied=True)
    lost = {reason.about for reason in reasons_alone(request, counts)}
    if lost and lost.isdisjoint(FOUND_AT_ONCE):
        # The search would look at each tree in vain.
        if_counted, _ = count_all(views, emptied, budget)
        if reasons_alone(emptied, if_counted):
            return NONE
    return how_many_if_any(views, emptied, budget)


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
