"""What the views of the page show, by the functions that the routes of the API use."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from flask import request
from graphplace.api.allocation_candidates import read_request
from graphplace.api.allocations import document_of
from graphplace.api.context import database, settings
from graphplace.api.reshaper import read_reshape

from graphplace import allocations, previews, providers
from graphplace import ask as asking
from graphplace import search as searching
from graphplace.candidates.find import find_candidates
from graphplace.candidates.overlay import Overlay
from graphplace.explain.alone import fitting_alone
from graphplace.explain.explain import Explanation, explain
from graphplace.forms import Reshape
from graphplace.request.model import CandidateRequest
from graphplace.request.query import decode_query
from graphplace.validation import load_json
from graphplace.views import trees
from graphplace.views.trees import TreeView
from graphplace.what_if.changes import Changes
from graphplace.what_if.suppose import suppose

MOST_FOUND = 50
"""How many providers, traits and aggregates a search shows."""
MOST_CANDIDATES = 100
"""How many candidates are shown of a request without a limit."""
MOST_TREES = 20
"""How many trees are read of those that a reshape or a consumer is about."""
GONE = "gone"
"""The parameter that names a consumer without which candidates are looked for."""


def start() -> dict[str, Any]:
    """Return the first hosts by name, or those after the name ``after``, and how much there is of everything."""
    found = searching.hosts(database(), request.args.get("after", ""), MOST_FOUND)
    return asdict(found) | {"sizes": asdict(searching.sizes(database()))}


def search() -> dict[str, Any]:
    """Return what ``q`` finds, or the providers with a ``trait``, or in an ``aggregate``."""
    for name, find in (("trait", searching.with_trait), ("aggregate", searching.in_aggregate)):
        if name in request.args:
            return asdict(find(database(), request.args[name], MOST_FOUND))
    return asdict(searching.find(database(), request.args.get("q", ""), MOST_FOUND))


def tree(uuid: str) -> dict[str, Any]:
    """Return the tree that the provider with this uuid or name is in."""
    return trees.document(trees.tree(database(), providers.called(database(), uuid)))


def candidates() -> dict[str, Any]:
    """Return the candidates for the query, or why there are none, and the tree of the first one or the closest.

    Nothing without a query.
    """
    pairs = decode_query(request.query_string)
    gone = frozenset(value for key, value in pairs if key == GONE)
    asked = [pair for pair in pairs if pair[0] != GONE]
    if not asked:
        return {"candidates": None, "explanation": None, "trees": []}
    wanted = read_request(asked)
    overlay = suppose(database(), Changes(consumers_gone=gone))
    limited = replace(wanted, limit=wanted.limit or MOST_CANDIDATES)
    found = find_candidates(database(), limited, settings(), overlay)
    if found.allocation_requests:
        first = found.allocation_requests[0]["allocations"]
        # As it is: asdict would copy all of it.
        return {"candidates": vars(found), "explanation": None, "trees": _trees_with(first)}
    explanation = explain(database(), wanted, settings(), overlay=overlay)
    closest = _closest(explanation)
    return {
        "candidates": None,
        "explanation": asdict(explanation),
        "trees": [] if closest is None else _trees_with([closest]),
        "alone": [] if closest is None else _alone(wanted, closest, overlay),
    }


def claims(uuid: str) -> dict[str, Any]:
    """Return what the consumer holds, and the trees that it holds it of."""
    found = allocations.of_consumer(database(), uuid)
    if found is None:
        return {"allocations": {}, "trees": []}
    return document_of(found) | {"trees": _trees_with(found.allocations)}


def reshape() -> dict[str, Any]:
    """Return what the reshape of the body would do, and the trees that it would do it to."""
    shapes, moved = read_reshape(load_json(request.get_data(), Reshape))
    preview = previews.preview(database(), shapes, moved)
    return asdict(preview) | {"trees": _trees_with([one.uuid for one in preview.providers])}


def questions() -> dict[str, Any]:
    """Return the questions of the cookbook."""
    return {"questions": [asdict(one) for one in asking.cookbook().values()]}


def answer(name: str) -> dict[str, Any]:
    """Return the answer to a question of the cookbook, whose parameters are in the query, and its text for others."""
    question = asking.question(name)
    values = asking.read_values(question, request.args)
    found = asking.run(database(), question, values)
    return {"answer": asking.document(found), "text": asking.browser_text(question.text, values)}


def _closest(explanation: Explanation) -> str | None:
    """Return the root of the tree that shows best why there are no candidates, if one does."""
    named = (reason.tree for reason in explanation.reasons if reason.tree is not None)
    groups = explanation.counts.groups if explanation.counts else ()
    lost_first = sorted(groups, key=lambda group: group.fitting)
    return next(named, next((miss.root for group in lost_first for miss in group.nearest), None))


def _alone(wanted: CandidateRequest, root: str, overlay: Overlay) -> list[dict[str, Any]]:
    return [asdict(one) for one in fitting_alone(database(), wanted, root, settings(), overlay)]


def _trees_with(uuids: Iterable[str]) -> list[dict[str, Any]]:
    """Return as few trees as show all these providers, in them or beside them, if not so many are concerned."""
    wanted = set(uuids)
    found: list[TreeView] = []
    unread = set(wanted)
    while unread and len(found) < MOST_TREES:
        found.append(trees.tree(database(), min(unread)))
        unread -= {node.uuid for node in found[-1].providers}
    return [trees.document(view) for view in _fewest(found, wanted)]


def _fewest(found: Sequence[TreeView], wanted: set[str]) -> Iterator[TreeView]:
    """Yield those that show the most of *wanted* first, and none that shows nothing more."""
    shown = {view: wanted & {node.uuid for node in (*view.providers, *view.sharing)} for view in found}
    for view in sorted(found, key=lambda view: (-len(shown[view]), view.providers[0].name)):
        if shown[view] & wanted:
            yield view
            wanted = wanted - shown[view]
