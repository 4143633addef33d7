"""Why there is no candidate: nobody meets what a root or a group asks for, or what holds among groups rules out all."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from graphplace.candidates.spread import Placement
from graphplace.compiler.clause import counted, group_in_words, in_words
from graphplace.compiler.combination import Chosen, Combination, Known
from graphplace.compiler.constraints import combinations_of
from graphplace.compiler.constraints.isolation import shared
from graphplace.compiler.constraints.traits import COLLECTIVE
from graphplace.compiler.slots import Slot, Slots
from graphplace.explain.counts import Counts
from graphplace.explain.survey import Survey, positions
from graphplace.graph.budget import Budget
from graphplace.request.model import CandidateRequest

ONE_TREE = "one tree"
CAN_SPLIT = "can_split"
FLAT = "one provider of a tree"
IN_TREE = "in_tree"


@dataclass(frozen=True)
class Reason:
    """One true reason.

    ``about`` is a condition, ONE_TREE where no tree has a provider for every group, or what holds among groups and
    without which there are candidates, several things with "and" where it takes them together. ``tree`` is the uuid of
    the root of the tree that ``words`` name, if they name one.
    """

    about: str
    words: str
    tree: str | None = None


@dataclass(frozen=True, kw_only=True)
class Asking:
    """How more is asked of the graph: a survey of another request, names of providers by uuid, and what fits where.

    ``fitting`` gives, for each slot, the roots of the trees in which a provider meets all that it asks of one, and
    ``known(providers, traits)`` what there is to know of *providers*.
    """

    survey: Callable[[CandidateRequest], Survey]
    fitting: Callable[[], Sequence[frozenset[str]]]
    names: Callable[[list[str]], dict[str, str]]
    known: Callable[[list[str], list[str]], Mapping[str, Known]]
    budget: Budget


def reasons(request: CandidateRequest, counts: Counts, surveyed: Survey, ask: Asking) -> tuple[Reason, ...]:
    """Return why *request*, of which *surveyed* has no placement, has no candidates."""
    return (
        reasons_alone(request, counts)
        or tuple(_of_trees(request, ask))
        or tuple(_scattered(surveyed, ask))
        or tuple(_ruled_out(surveyed, ask))
        or tuple(_of_form(surveyed, ask))
    )


def reasons_alone(request: CandidateRequest, counts: Counts) -> tuple[Reason, ...]:
    """Return why *request* has no candidates if *counts* tell: none is left of its roots, or for a group."""
    return tuple(_of_roots(counts)) or tuple(_of_groups(request, counts))


def _of_roots(counts: Counts) -> Iterator[Reason]:
    lost = [step for step in counts.roots if not step.remaining]
    if lost:
        yield Reason(lost[0].condition, f"No tree is left at this condition: {lost[0].words}.")


def _of_groups(request: CandidateRequest, counts: Counts) -> Iterator[Reason]:
    slots = Slots.of(request)
    for position, group in enumerate(counts.groups):
        lost = [step for step in group.conditions if not step.remaining]
        if lost and position not in slots.splittable:
            words = f"For {group_in_words(slots.all[position])} nobody is left at this condition: {lost[0].words}."
            yield Reason(lost[0].condition, words)


def _of_trees(request: CandidateRequest, ask: Asking) -> Iterator[Reason]:
    """Say of groups without resources, which any tree may satisfy, whose in_tree names nobody."""
    named = {group.suffix: group.in_tree for group in request.groups if group.in_tree and not group.resources}
    known = ask.names(sorted(set(named.values())))
    for suffix, uuid in named.items():
        if uuid not in known:
            yield Reason(IN_TREE, f"For group {suffix}, in_tree names a provider that does not exist: {uuid}.")


def _scattered(surveyed: Survey, ask: Asking) -> Iterator[Reason]:
    """Say that no tree has a provider for every slot, if so, and what the trees lack that have the most of them."""
    slots = surveyed.slots
    needed = [position for position in range(len(slots.all)) if position not in slots.splittable]
    if surveyed.trees or not needed:
        return
    fitting = ask.fitting()
    lacking = {
        root: tuple(position for position in needed if root not in fitting[position])
        for root in sorted(frozenset().union(*(fitting[position] for position in needed)))
    }
    if not lacking or () in lacking.values():
        return
    least = min(lacking.values(), key=len)
    closest = [root for root, missing in lacking.items() if missing == least]
    name = ask.names(closest[:1]).get(closest[0], closest[0])
    lacks = in_words((_slot_in_words(slots.all[position]) for position in least), "and")
    others = f" and {len(closest) - 1} more" if len(closest) > 1 else ""
    yield Reason(
        ONE_TREE,
        "Each group has a provider that fits, but no tree has one for all of them. "
        f"Closest: the tree of {name}{others}, without one for {lacks}.",
        closest[0],
    )


def _slot_in_words(slot: Slot) -> str:
    if slot.suffixed:
        return group_in_words(slot)
    ((name, amount),) = slot.resources
    return f"{amount} {name} of {group_in_words(slot)}"


def _ruled_out(surveyed: Survey, ask: Asking) -> Iterator[Reason]:
    """Say what holds among providers and rules out every choice: one thing if that is enough, or else as few as are."""
    # Without isolation, providers may have to give for several groups what they never had to with it.
    sharing = Slots.of(shared(surveyed.request))
    every = list({one.about: one for one in (*combinations_of(surveyed.slots), *combinations_of(sharing))}.values())
    without_collective: list[Survey] = []

    def trees_for(some: Iterable[Combination]) -> Survey:
        """Return the survey of the trees for a try without *some*: the search leaves out trees without the traits."""
        if COLLECTIVE not in [one.about for one in some]:
            return surveyed
        if not without_collective:
            without_collective.append(ask.survey(_without_collective(surveyed.request)))
        return without_collective[0]

    for size in range(1, len(every) + 1):
        found = False
        for some in combinations(every, size):
            ask.budget.check()
            trees = trees_for(some)
            problem = trees.problem
            for one in some:
                problem = one.without(problem)
            placements = list(trees.placements_without(problem, ask.budget))
            if placements:
                found = True
                yield _reason(some, surveyed.slots, trees, placements, ask)
        if found:
            return


def _without_collective(request: CandidateRequest) -> CandidateRequest:
    groups = tuple(group if group.suffix else replace(group, required=()) for group in request.groups)
    return replace(request, groups=groups)


def _reason(
    some: Sequence[Combination], slots: Slots, trees: Survey, placements: Sequence[Placement], ask: Asking
) -> Reason:
    """Say that *some* rule out all of *placements*, and what the nearest of them breaks."""
    about = " and ".join(one.about for one in some)
    together = "" if len(some) == 1 else " together"
    number = sum(number for _, number in trees.trees.values())
    used = {uuid: None for placement in placements for uuid in (placement.tree.root, *placement.tree.providers)}
    traits = {name for group in slots.request.groups for any_of in group.required for name in any_of}
    known = ask.known(list(used), sorted(traits))
    compared = [(placement.tree.root, _chosen(placement, trees, known)) for placement in placements]
    root, nearest = min(compared, key=lambda one: sum(rule.distance(slots, one[1]) for rule in some))
    broken = in_words((one.broken(slots, nearest) for one in some), "and")
    return Reason(
        about,
        f"There {'is' if number == 1 else 'are'} {counted(number, 'tree')} with a provider for every "
        f"group, but every choice is ruled out by {about}{together}. "
        f"Closest: in the tree of {nearest.name(root)}, {broken}.",
        root,
    )


def _chosen(placement: Placement, trees: Survey, known: Mapping[str, Known]) -> Chosen:
    tree = placement.tree
    return Chosen(
        tuple(tuple(tree.providers[position] for position in of_slot) for of_slot in positions(placement.choice)),
        tuple(() if isinstance(one, int) else tuple(amount for _, amount in one) for one in placement.choice),
        {
            (tree.providers[position], summed): amount
            for position, of_provider in enumerate(tree.shape.room)
            for summed, amount in zip(trees.problem.summed, of_provider, strict=True)
        },
        known,
    )


def _of_form(surveyed: Survey, ask: Asking) -> Iterator[Reason]:
    """Say what is left: how the providers of a tree may be used, of which there are enough."""
    request = surveyed.request
    trees, problem = surveyed, surveyed.problem
    for one in combinations_of(surveyed.slots):
        problem = one.without(problem)
        if one.about == COLLECTIVE:
            trees = ask.survey(_without_collective(request))
    # What is left now is to fill each slot, by whichever providers of a tree.
    trees = replace(trees, request=replace(trees.request, nested=True))
    if not request.nested and any(trees.placements_without(problem, ask.budget)):
        yield Reason(FLAT, "At this version of the API a candidate uses one provider of each tree at the most.")
    elif request.can_split and not any(replace(trees, using=None).placements_without(problem, ask.budget)):
        yield Reason(
            CAN_SPLIT, f"In no tree that has the rest can {in_words(request.can_split, 'and')} be given in parts."
        )
