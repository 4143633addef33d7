"""Which providers of a tree fit a part of a request by itself, where they do not fit together."""

from dataclasses import dataclass, replace

from graphplace.candidates.find import find_candidates
from graphplace.candidates.overlay import AS_IT_IS, Overlay
from graphplace.compiler.slots import Slot, Slots
from graphplace.graph.database import Database
from graphplace.request.model import CandidateRequest
from graphplace.settings import Settings
from graphplace.views.trees import tree

MOST = 100
"""Of how many providers of a tree it is told that they fit."""


@dataclass(frozen=True)
class Alone:
    """What is asked of one provider, and the uuids of the providers that fit it if nothing else is asked for.

    ``suffix`` is that of the group, and ``resources`` are its amounts by class, for the group without a suffix of one
    class.
    """

    suffix: str
    resources: dict[str, int]
    providers: tuple[str, ...]


def fitting_alone(
    database: Database, request: CandidateRequest, root: str, settings: Settings, overlay: Overlay = AS_IT_IS
) -> tuple[Alone, ...]:
    """Return who fits in the tree of *root* or shares with it, for each group of *request*, or class of the unsuffixed.

    Traits of the unsuffixed group are left out: any provider of the group may have them.
    """
    places = [root, *(node.uuid for node in tree(database, root).sharing)]

    def providers(slot: Slot) -> tuple[str, ...]:
        asked = [_of_one(request, slot, place) for place in places]
        answers = [find_candidates(database, one, settings, overlay) for one in asked]
        found = [uuid for answer in answers for one in answer.allocation_requests for uuid in one["allocations"]]
        return tuple(dict.fromkeys(found))

    return tuple(
        Alone(slot.group.suffix, dict(slot.resources), providers(slot))
        for slot in Slots.of(request).all
        if slot.resources
    )


def _of_one(request: CandidateRequest, slot: Slot, place: str) -> CandidateRequest:
    """Return a request for what *slot* asks for, in the tree of *place*."""
    required = slot.group.required if slot.suffixed else ()
    group = replace(slot.group, resources=slot.resources, required=required, in_tree=place)
    return CandidateRequest(groups=(group,), limit=MOST)
