"""One search on behalf of an explanation: how many candidates there are, and in which trees they were looked for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from graphplace.candidates.answer import Answer
from graphplace.candidates.find import match_trees
from graphplace.candidates.match import Tree
from graphplace.candidates.names import check_in_order, look_up
from graphplace.candidates.overlay import View
from graphplace.candidates.shape import Shape
from graphplace.candidates.splits import Choice, choices
from graphplace.candidates.spread import Placement, spread
from graphplace.compiler.compile import compile_request
from graphplace.compiler.constraints.isolation import apart, shared
from graphplace.compiler.problem import Problem
from graphplace.compiler.slots import Slots
from graphplace.graph.budget import Budget
from graphplace.request.model import CandidateRequest

MOST_TREES = 20
"""In how many trees the choice is looked for that comes nearest."""
MOST_CHOICES = 50
"""How many choices of a tree are compared."""


@dataclass(frozen=True)
class Survey:
    """The first ``placements`` of a request, and the ``trees`` gone through in which every kind of slot has a provider.

    Of trees of one shape there is the first, with how many there are. If there is no placement, these are all trees.
    Placements are of interest that use any of the providers ``using``, or all if that is None.
    """

    request: CandidateRequest
    slots: Slots
    problem: Problem
    placements: tuple[Placement, ...]
    trees: dict[Shape, tuple[Tree, int]]
    using: frozenset[str] | None

    def placements_without(self, problem: Problem, budget: Budget) -> Iterator[Placement]:
        """Yield placements that solve *problem*, which asks for less than the request does.

        They are the first MOST_CHOICES in each of the first MOST_TREES trees where there are any.
        """
        of_trees = filter(None, (self._placements_in(tree, problem, budget) for tree, _ in self.trees.values()))
        return chain.from_iterable(islice(of_trees, MOST_TREES))

    def _placements_in(self, tree: Tree, problem: Problem, budget: Budget) -> list[Placement]:
        def wanted() -> Iterator[Placement]:
            for choice in choices(problem, tree.shape, budget):
                budget.check()
                placement = Placement(tree, choice)
                if _is_wanted(placement, self.request, self.slots, self.using):
                    yield placement

        return list(islice(wanted(), MOST_CHOICES))


def survey(
    view: View,
    request: CandidateRequest,
    most: int,
    budget: Budget,
    *,
    among: Sequence[str] | None = None,
    using: frozenset[str] | None = None,
) -> Survey:
    """Search for *most* candidates of *request*, everywhere or in the trees with the roots *among*.

    If *using* is not None, they are candidates that use any of these providers.

    Raises BadRequestError for an unknown class or trait, as the search does, and TimeBudgetError when the time of
    *budget* is over.
    """
    request = replace(request, limit=most)
    slots = Slots.of(request)
    names = look_up(view, request)
    # With the room for groups that isolation keeps apart, so that the same trees tell what there is without it.
    query = compile_request(shared(request), names.roots())
    problem = replace(query.problem, apart=apart(slots))
    trees: dict[Shape, tuple[Tree, int]] = {}
    if names.any_unknown():
        check_in_order(
            view,
            request,
            names,
            lambda group: bool(survey(view, group, 1, budget, among=among).placements),
        )
    if names.any_unknown() or None in names.trees.values():
        return Survey(request, slots, problem, (), trees, using)

    def noted(tree: Tree) -> Tree:
        first, number = trees.get(tree.shape, (tree, 0))
        trees[tree.shape] = first, number + 1
        return tree

    found = map(noted, match_trees(view, request, names, query, among=among))
    placements = spread(problem, found, budget, evenly=True, shuffled=False)
    kept = (one for one in placements if _is_wanted(one, request, slots, using))
    return Survey(request, slots, problem, tuple(islice(kept, most)), trees, using)


def _is_wanted(placement: Placement, request: CandidateRequest, slots: Slots, using: frozenset[str] | None) -> bool:
    if not (request.nested or Answer(slots).is_flat(placement)):
        return False
    if using is None:
        return True
    chosen = (position for of_slot in positions(placement.choice) for position in of_slot)
    return not using.isdisjoint(placement.tree.providers[position] for position in chosen)


def positions(chosen: Choice) -> list[tuple[int, ...]]:
    """Return, for each slot, the positions of the providers that *chosen* gives it."""
    return [(one,) if isinstance(one, int) else tuple(position for position, _ in one) for one in chosen]
