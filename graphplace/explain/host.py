"""Why one provider is, or is not, among the candidates of a request."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from graphplace.candidates.find import find_candidates
from graphplace.candidates.names import look_up
from graphplace.candidates.overlay import View, Views
from graphplace.compiler.clause import group_in_words
from graphplace.compiler.slots import Slots
from graphplace.cypher import statement
from graphplace.errors import BadRequestError, Code
from graphplace.explain.counts import Counts, count, fitting
from graphplace.explain.reasons import Asking, Reason, reasons
from graphplace.explain.survey import Survey, survey
from graphplace.request.model import CandidateRequest
from graphplace.settings import Settings

OTHERS = "other providers"

Verdict = Literal["candidate", "hidden by the limit", "no candidate"]


@dataclass(frozen=True, kw_only=True)
class Host:
    """What there is to say of one provider, where the root of a tree stands for the whole tree.

    If it is in no candidate, ``reasons`` say why, and ``counts`` are those of its tree, or of the provider alone if it
    is no root.
    """

    uuid: str
    name: str
    verdict: Verdict
    words: str
    reasons: tuple[Reason, ...] = ()
    counts: Counts | None = None


@dataclass(frozen=True)
class _Place:
    """A provider and its root; ``providers`` are those of the tree if it is one, and ``anchors`` see any of them.

    ``within`` are all of the tree, and those that share with it.
    """

    uuid: str
    name: str
    root: str
    providers: frozenset[str]
    anchors: tuple[str, ...]
    within: tuple[str, ...]

    @property
    def is_root(self) -> bool:
        """Whether it stands for a tree."""
        return self.uuid == self.root

    @property
    def shares(self) -> bool:
        """Whether trees other than its own may use any of it."""
        return len(self.anchors) > 1


def look_at(views: Views, request: CandidateRequest, named: str, settings: Settings, ask: Asking) -> Host:
    """Tell whether the provider with the uuid or name *named* is in a candidate of *request*, and why not.

    Raises BadRequestError if there is no such provider, and TimeBudgetError when the time of *ask* is over.
    """
    place = _find(views, named, ask)
    budget = ask.budget

    def survey_place(request: CandidateRequest) -> Survey:
        def work(view: View) -> Survey:
            return survey(view, request, 1, budget, among=place.anchors, using=place.providers)

        return views.read(work, budget)

    def fitting_here() -> tuple[frozenset[str], ...]:
        def work(view: View) -> tuple[frozenset[str], ...]:
            among, providers = (place.anchors, None) if place.shares else ([place.root], place.within)
            return fitting(view, request, look_up(view, request), among, providers)

        return views.read(work, budget)

    surveyed = survey_place(request)
    if surveyed.placements:
        return _in_candidates(views, request, place, settings)
    own = _count(views, request, place.anchors, sorted(place.providers), ask)
    of_tree = _count(views, request, [place.root], place.within, ask)
    # Where other trees may use it, they tell why they do not.
    seen = _count(views, request, place.anchors, None, ask) if place.shares else of_tree
    here = replace(ask, survey=survey_place, fitting=fitting_here)
    of_itself = () if place.is_root and not place.shares else _of_itself(request, place, own, parts=True)
    return Host(
        uuid=place.uuid,
        name=place.name,
        verdict="no candidate",
        words=f"{place.name} is not among the candidates.",
        reasons=of_itself
        or reasons(request, seen, surveyed, here)
        or _of_itself(request, place, own, parts=False)
        or (Reason(OTHERS, f"Each candidate that it could be in takes everything from others than {place.name}."),),
        counts=of_tree if place.is_root else own,
    )


def _find(views: Views, named: str, ask: Asking) -> _Place:
    rows = views.read(lambda view: view.run(statement("explain.host"), named=named, sharing=True), ask.budget)
    if not rows:
        raise BadRequestError(f"No resource provider with uuid or name {named} found.", Code.QUERY_BAD_VALUE)
    uuid, name, root, providers, anchors, within = rows[0]
    return _Place(uuid, name, root, frozenset(providers), tuple(dict.fromkeys([root, *anchors])), tuple(within))


def _count(
    views: Views, request: CandidateRequest, among: Sequence[str], providers: Sequence[str] | None, ask: Asking
) -> Counts:
    def work(view: View) -> Counts:
        return count(view, request, look_up(view, request), among, providers)

    return views.read(work, ask.budget)


def _in_candidates(views: Views, request: CandidateRequest, place: _Place, settings: Settings) -> Host:
    """Tell whether the answer has the provider, which is in some candidate."""
    shown = f"{place.name} is among the candidates."
    most = [limit for limit in (request.limit, settings.max_allocation_candidates) if limit is not None and limit >= 0]
    if most:
        answer = find_candidates(views.database, request, settings, views.overlay)
        used = {uuid for one in answer.allocation_requests for uuids in one["mappings"].values() for uuid in uuids}
        if used.isdisjoint(place.providers):
            words = f"{place.name} would be among the candidates: only the limit of {max(min(most), 1)} hides it."
            return Host(uuid=place.uuid, name=place.name, verdict="hidden by the limit", words=words)
    return Host(uuid=place.uuid, name=place.name, verdict="candidate", words=shown)


def _of_itself(request: CandidateRequest, place: _Place, own: Counts, *, parts: bool) -> tuple[Reason, ...]:
    """Say for each group why the provider, or its tree, does not fit it, if it fits none.

    With *parts*, it fits what may be split if it has any of it.
    """
    slots = Slots.of(request)
    if any(not step.remaining for step in own.roots):
        return ()
    found = []
    for position, (slot, group) in enumerate(zip(slots.all, own.groups, strict=True)):
        lost = [step for step in group.conditions if not step.remaining]
        if not lost or (parts and position in slots.splittable and lost[0].condition != "class"):
            return ()
        fault = (
            f"it is not {lost[0].words}"
            if len(place.providers) == 1
            else f"nobody of its tree is left at this condition: {lost[0].words}"
        )
        found.append(Reason(lost[0].condition, f"For {group_in_words(slot)} {fault}."))
    return tuple(found)
