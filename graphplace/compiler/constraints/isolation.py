"""``isolate``: the provider of a group that it names serves no other suffixed group, resourceless ones included.

``group_policy=isolate`` names them all. The unsuffixed group is exempt: it may share a provider with any group.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations

from graphplace.compiler.clause import Clause, groups_in_words, in_words, provider
from graphplace.compiler.combination import Chosen, Combination
from graphplace.compiler.constraint import Constraint, Parameters
from graphplace.compiler.problem import Problem
from graphplace.compiler.relaxation import Relaxation
from graphplace.compiler.slots import Slots
from graphplace.request.model import CandidateRequest


def apart(slots: Slots) -> tuple[frozenset[int], ...]:
    """Return, for each slot, the positions of the slots that must not get the same provider."""
    everyone = frozenset(slots.suffixed.values())
    isolated = frozenset(slots.suffixed[suffix] for suffix in slots.request.isolated)
    if slots.request.group_policy == "isolate":
        isolated = everyone
    return tuple(_apart(position, isolated, everyone) for position in range(len(slots.all)))


def _apart(position: int, isolated: frozenset[int], everyone: frozenset[int]) -> frozenset[int]:
    if position in isolated:
        return everyone - {position}
    return isolated if position in everyone else frozenset()


def _of_problem(slots: Slots) -> Parameters:
    return {"apart": apart(slots)}


def _of_choice(slots: Slots, position: int) -> Iterable[Clause]:
    others = sorted(other for other in apart(slots)[position] if other < position)
    if others:
        yield Clause(
            words=f"other than that of {groups_in_words([slots.all[other] for other in others])}",
            predicates=tuple(f"{provider(position)} <> {provider(other)}" for other in others),
        )


def shared(request: CandidateRequest) -> CandidateRequest:
    """Return *request* without isolation: any group may share its provider with others."""
    return replace(request, group_policy="none" if request.group_policy else None, isolated=())


def _about(request: CandidateRequest) -> str:
    """Return what the query says of isolation, or nothing: policy and isolated groups exclude each other."""
    if request.group_policy == "isolate":
        return "group_policy=isolate"
    return f"isolate={','.join(request.isolated)}" if request.isolated else ""


def _combinations(slots: Slots) -> Iterable[Combination]:
    if any(apart(slots)):
        yield Combination(about=_about(slots.request), without=_without, broken=_broken, distance=_distance)


def _without(problem: Problem) -> Problem:
    return replace(problem, apart=(frozenset(),) * len(problem.apart))


def _together(slots: Slots, chosen: Chosen) -> list[tuple[int, int]]:
    """Return the pairs of slots that get the same provider and must not."""
    forbidden = apart(slots)
    return [
        (one, other)
        for one, other in combinations(range(len(slots.all)), 2)
        if other in forbidden[one] and chosen.providers[one] == chosen.providers[other]
    ]


def _broken(slots: Slots, chosen: Chosen) -> str:
    served: dict[str, dict[int, None]] = {}
    for pair in _together(slots, chosen):
        served.setdefault(chosen.providers[pair[0]][0], {}).update(dict.fromkeys(pair))
    return in_words(
        (
            f"{chosen.name(provider)} would serve {groups_in_words([slots.all[one] for one in positions])}"
            for provider, positions in served.items()
        ),
        "and",
    )


def _distance(slots: Slots, chosen: Chosen) -> float:
    return len(_together(slots, chosen))


def _relaxations(request: CandidateRequest) -> Iterable[Relaxation]:
    if about := _about(request):
        yield Relaxation(about, shared)


CONSTRAINT = Constraint(
    name="isolation",
    of_problem=_of_problem,
    of_choice=_of_choice,
    combinations=_combinations,
    relaxations=_relaxations,
)
