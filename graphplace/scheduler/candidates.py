"""The hosts that Placement has room on for an instance, and how much room."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from graphplace import hosts
from graphplace.aggregates import SHARING_TRAIT
from graphplace.compute.errors import PlacementError
from graphplace.compute.placement import Placement
from graphplace.graph.database import Database
from graphplace.hosts import Place
from graphplace.scheduler.host_state import AllocationRequest, HostState, Room

PATH = "/allocation_candidates"
# How allocation requests are written, and what claims them.
MICROVERSION = "1.39"
# Some requests need graphplace's extensions; other services do not see that they are asked for.
EXTENDED = f"{MICROVERSION}, graphplace 1.0"
MOST_EXPLANATIONS = 4


@dataclass(frozen=True)
class Found:
    """The hosts found, and the room of all their providers.

    ``is_whole`` is whether these are all candidates there are, or as many as were asked for; ``unmapped`` is how many
    trees with room stand for no host.
    """

    hosts: tuple[HostState, ...]
    room: Room
    is_whole: bool
    unmapped: int


def find(placement: Placement, database: Database, query: str, most: int | None) -> Found:
    """Return what GET /allocation_candidates with *query* finds, at *most* so many candidates (None: all there are).

    Which hosts they are is read from the graph by one statement. Raises PlacementError, StoreUnavailableError.
    """
    limited = query if most is None else f"{query}&limit={most}"
    answer = replace(placement, microversion=EXTENDED).get(f"{PATH}?{limited}")
    summaries: Mapping[str, Any] = answer["provider_summaries"]
    by_root = _by_root(answer["allocation_requests"], summaries)
    places = hosts.of_roots(database, {root for roots in by_root for root in roots})
    requests: dict[str, list[AllocationRequest]] = defaultdict(list)
    unmapped: set[frozenset[str]] = set()
    for roots, some in by_root.items():
        if (root := next((root for root in roots if root in places), None)) is None:
            unmapped.add(frozenset(roots))
        else:
            requests[root] += some
    room = _room(summaries)
    return Found(
        hosts=_states(requests, places, summaries, room),
        room=room,
        is_whole=most is None or len(answer["allocation_requests"]) < most,
        unmapped=len(unmapped),
    )


def explain(placement: Placement, query: str, *, settled: bool) -> Mapping[str, Any] | None:
    """Return why *query* has no candidates, in graphplace's words, or None where the service cannot tell.

    An explanation that is made while others claim may be of several moments. If it is to be *settled*, it is asked for
    until its reasons are twice the same; None if they never are.
    """
    asking = replace(placement, microversion=EXTENDED)
    before: Mapping[str, Any] | None = None
    try:
        for _ in range(MOST_EXPLANATIONS):
            now: Mapping[str, Any] = asking.get(f"{PATH}/explain?{query}")
            if not settled or (before is not None and before["reasons"] == now["reasons"]):
                return now
            before = now
    except PlacementError:
        return None
    return None


def _by_root(
    requests: list[AllocationRequest], summaries: Mapping[str, Any]
) -> dict[tuple[str, ...], list[AllocationRequest]]:
    """Return *requests* by the roots of the trees that they take from, pools of other trees last."""
    grouped: dict[tuple[str, ...], list[AllocationRequest]] = defaultdict(list)
    for request in requests:
        sharing_last = sorted(request["allocations"], key=lambda uuid: SHARING_TRAIT in summaries[uuid]["traits"])
        roots = dict.fromkeys(summaries[uuid]["root_provider_uuid"] for uuid in sharing_last)
        grouped[tuple(roots)].append(request)
    return grouped


def _room(summaries: Mapping[str, Any]) -> Room:
    return Counter(
        {
            (provider, resource_class): one["capacity"] - one["used"]
            for provider, summary in summaries.items()
            for resource_class, one in summary["resources"].items()
        }
    )


def _states(
    requests: Mapping[str, list[AllocationRequest]],
    places: Mapping[str, Place],
    summaries: Mapping[str, Any],
    room: Room,
) -> tuple[HostState, ...]:
    members: dict[str, set[str]] = defaultdict(set)
    for provider, summary in summaries.items():
        members[summary["root_provider_uuid"]].add(provider)
    states = []
    for root, some in requests.items():
        giving = members[root].union(*(one["allocations"] for one in some))
        free = Counter[str]()
        for provider in giving:
            for resource_class in summaries[provider]["resources"]:
                free[resource_class] += room[provider, resource_class]
        states.append(HostState(root, places[root], tuple(some), free))
    return tuple(states)
