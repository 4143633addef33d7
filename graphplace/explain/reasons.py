"""Why there is no candidate: nobody meets what a root or a group asks for, or what holds among groups rules out all."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from graphplace.compiler.slots import Slots
from graphplace.explain.counts import Counts
from graphplace.request.model import CandidateRequest

HasCandidates = Callable[[CandidateRequest], bool]


@dataclass(frozen=True)
class Reason:
    """One true reason; ``about`` is a condition, or what holds among groups and without which there are candidates."""

    about: str
    words: str


def reasons(request: CandidateRequest, counts: Counts, has_candidates: HasCandidates) -> tuple[Reason, ...]:
    """Return why *request* has no candidates, as far as it is one condition or constraint that is in the way.

    *has_candidates* asks the engine, and is asked a few times at the most.
    """
    return tuple(_of_roots(counts)) or tuple(_of_groups(request, counts)) or tuple(_among(request, has_candidates))


def _of_roots(counts: Counts) -> Iterator[Reason]:
    lost = [step for step in counts.roots if not step.remaining]
    if lost:
        yield Reason(lost[0].condition, f"No tree is left at this condition: {lost[0].words}.")


def _of_groups(request: CandidateRequest, counts: Counts) -> Iterator[Reason]:
    splittable = Slots.of(request).splittable
    for position, group in enumerate(counts.groups):
        lost = [step for step in group.conditions if not step.remaining]
        if lost and position not in splittable:
            words = f"For {_named(group.suffix)} nobody is left at this condition: {lost[0].words}."
            yield Reason(lost[0].condition, words)


def _among(request: CandidateRequest, has_candidates: HasCandidates) -> Iterator[Reason]:
    for about, relaxed in _relaxed(request):
        if has_candidates(relaxed):
            yield Reason(about, f"Without {about} there would be candidates.")


def _relaxed(request: CandidateRequest) -> Iterator[tuple[str, CandidateRequest]]:
    """Yield *request* without one of the constraints that hold among several providers, and what that is called."""
    if request.group_policy == "isolate":
        yield "group_policy=isolate", replace(request, group_policy="none")
    if request.isolated:
        yield f"isolate={','.join(request.isolated)}", replace(request, isolated=())
    for subtree in request.same_subtrees:
        written = ",".join([*subtree.suffixes, *(f"!{suffix}" for suffix in subtree.excluded)])
        others = tuple(one for one in request.same_subtrees if one != subtree)
        yield f"same_subtree={written}", replace(request, same_subtrees=others)
    for group in request.groups:
        if not group.suffix and group.resources and group.required:
            without = tuple(replace(one, required=()) if one == group else one for one in request.groups)
            yield "the required traits of the unsuffixed group", replace(request, groups=without)


def _named(suffix: str) -> str:
    return f"group {suffix}" if suffix else "the unsuffixed group"
