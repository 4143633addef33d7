"""How many roots and providers meet each condition of a request and all before it, and who comes nearest."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from graphplace.candidates.names import Names, look_up
from graphplace.candidates.overlay import View, Views
from graphplace.compiler.compile import CompiledQuery, compile_request
from graphplace.compiler.condition import Held, Stock
from graphplace.compiler.constraints import CONDITIONS, CONSTRAINTS
from graphplace.compiler.constraints.resources import BEYOND_ALL
from graphplace.compiler.slots import Slot
from graphplace.cypher import statement
from graphplace.graph.budget import Budget
from graphplace.request.model import CandidateRequest

NEAREST = 3
"""How many of those that nearly meet all conditions of a group are named."""

# What is said of roots, in the order of the statement ``explain.roots``.
ROOT_CONSTRAINTS = ("in_tree", "tree_holds", "root_required", "root_member_of")
NOTHING_OF_ROOTS: dict[str, Any] = {"in_tree": [], "tree_holds": [], "member_of": [], "forbidden_aggregates": []}
NO_TREE = "no such tree"


@dataclass(frozen=True)
class Step:
    """A condition with its ``words``, and how many meet it and all conditions before it."""

    condition: str
    words: str
    remaining: int


@dataclass(frozen=True)
class Miss:
    """A provider that does not meet all conditions, seen from the tree of ``root``; ``lacks`` says why not."""

    uuid: str
    name: str
    root: str
    lacks: tuple[str, ...]


@dataclass(frozen=True)
class GroupCount:
    """The conditions that one provider has to meet, for a suffixed group or for one class of the unsuffixed group."""

    suffix: str
    resources: dict[str, int]
    conditions: tuple[Step, ...]
    nearest: tuple[Miss, ...]

    @property
    def fitting(self) -> int:
        """How many providers meet all of them."""
        return self.conditions[-1].remaining if self.conditions else 0


@dataclass(frozen=True)
class Counts:
    """``trees`` is the number of trees, ``roots`` the conditions on their roots; then group by group.

    Providers are counted that are in or share with the trees whose roots meet everything.
    """

    trees: int
    roots: tuple[Step, ...]
    groups: tuple[GroupCount, ...]


def count(
    view: View,
    request: CandidateRequest,
    names: Names,
    among: Sequence[str] | None = None,
    providers: Sequence[str] | None = None,
) -> Counts:
    """Count for *request*, whose *names* are looked up: in all trees, or in those with the roots *among*.

    All their providers are counted, or only *providers*.
    """
    query = _compiled(request, names)
    total, remaining, roots = _roots(view, query, among)
    found = _conditions(view, query, names, roots, providers)
    pairs = sorted({(uuid, root) for row in found.values() for uuid, root, _ in row["nearest"]})
    held = {(one.uuid, one.anchor): one for one in _held(view, query, pairs)}
    return Counts(
        total,
        _root_steps(query, remaining),
        tuple(
            _group(slot, found.get(kind), held) for slot, kind in zip(query.slots.all, query.problem.kinds, strict=True)
        ),
    )


def count_all(views: Views, request: CandidateRequest, budget: Budget) -> tuple[Counts, bool]:
    """Count for *request* in all trees, in the time of *budget*, and tell whether all that it names is known."""

    def work(view: View) -> tuple[Counts, bool]:
        names = look_up(view, request)
        return count(view, request, names), not names.any_unknown()

    return views.read(work, budget)


def fitting(
    view: View,
    request: CandidateRequest,
    names: Names,
    among: Sequence[str] | None = None,
    providers: Sequence[str] | None = None,
) -> tuple[frozenset[str], ...]:
    """Return, for each slot of *request*, the roots of the trees in which a provider meets all that it asks of one.

    What is given is as for :func:`count`.
    """
    query = _compiled(request, names)
    _, _, roots = _roots(view, query, among)
    found = _conditions(view, query, names, roots, providers, listed=True)
    return tuple(frozenset(found[kind]["trees"] if kind in found else ()) for kind in query.problem.kinds)


def _compiled(request: CandidateRequest, names: Names) -> CompiledQuery:
    return compile_request(request, {member: root or NO_TREE for member, root in names.roots().items()})


def _conditions(
    view: View,
    query: CompiledQuery,
    names: Names,
    roots: Sequence[str] | None,
    providers: Sequence[str] | None,
    *,
    listed: bool = False,
) -> dict[int, Any]:
    """Return the rows of the statement ``explain.conditions``, by kind."""
    if roots == []:
        return {}
    of_slots = set(query.problem.kinds)
    kinds = [kind for kind in query.parameters["kinds"] if kind["number"] in of_slots]
    of_roots = any(kind["spans"] and (kind["member_of"] or kind["forbidden_aggregates"]) for kind in kinds)
    named_trees = sorted({kind["tree"] for kind in kinds} - {None})
    rows = view.run(
        statement("explain.conditions"),
        kinds=kinds,
        classes=query.parameters["classes"],
        traits=_of_all(kinds, "required", "forbidden"),
        aggregates=_of_all(kinds, "member_of", "forbidden_aggregates"),
        resourceless=query.parameters["resourceless"],
        named_trees=named_trees,
        rooted=listed or of_roots or bool(named_trees) or roots is not None,
        roots=roots,
        providers=providers,
        emptied=query.parameters["emptied"],
        sharing=names.sharing,
        listed=listed,
        most=NEAREST,
    )
    return {row["kind"]: row for row in rows}


def _of_all(kinds: Iterable[Any], wanted: str, unwanted: str) -> list[str]:
    """Return all names in sets of which *kinds* want one each, and those that they do not want."""
    names = {name for kind in kinds for any_of in kind[wanted] for name in any_of}
    return sorted(names.union(*(kind[unwanted] for kind in kinds)))


def _roots(view: View, query: CompiledQuery, among: Sequence[str] | None) -> tuple[int, list[int], list[str] | None]:
    """Return how many trees there are, how many are left at each of ROOT_CONSTRAINTS, and which: None for all."""
    parameters = _parameters("explain.roots", query)
    if any(parameters.values()):
        (row,) = view.run(statement("explain.roots"), **parameters, among=among)
        all_are_left = among is None and row["remaining"][-1] == row["total"]
        return row["total"], row["remaining"], None if all_are_left else row["roots"]
    if among is not None:
        return len(among), [len(among)] * len(ROOT_CONSTRAINTS), list(among)
    ((total,),) = view.run(statement("explain.trees"))
    return total, [total] * len(ROOT_CONSTRAINTS), None


def _root_steps(query: CompiledQuery, remaining: Sequence[int]) -> tuple[Step, ...]:
    constraints = {constraint.name: constraint for constraint in CONSTRAINTS}
    words = {
        name: ", ".join(clause.words for clause in constraints[name].of_root(query.slots)) for name in ROOT_CONSTRAINTS
    }
    return tuple(
        Step(name, f"a root {words[name]}", number)
        for name, number in zip(ROOT_CONSTRAINTS, remaining, strict=True)
        if words[name]
    )


def _group(slot: Slot, row: Any, held: dict[tuple[str, str], Held]) -> GroupCount:
    reached = row["reached"] if row else []
    conditions = tuple(
        Step(condition.name, f"a provider {words}", sum(providers for met, providers in reached if met >= number))
        for number, condition in enumerate(CONDITIONS, 1)
        if (words := condition.asked(slot))
    )
    nearest = tuple(
        _miss(slot, held[uuid, root], met)
        for uuid, root, met in (row["nearest"] if row else ())
        # Others may have deleted it meanwhile.
        if (uuid, root) in held
    )
    # JSON ends at 64 bits, and nobody gives as much.
    resources = {name: min(amount, BEYOND_ALL) for name, amount in slot.resources}
    return GroupCount(slot.group.suffix, resources, conditions, nearest)


def _miss(slot: Slot, held: Held, met: Iterable[bool]) -> Miss:
    lacks = (
        condition.short(slot, held) or f"is no longer one {condition.asked(slot)}"
        for condition, is_met in zip(CONDITIONS, met, strict=True)
        if not is_met
    )
    return Miss(held.uuid, held.name, held.anchor, tuple(lacks))


def _held(view: View, query: CompiledQuery, pairs: Sequence[tuple[str, str]]) -> list[Held]:
    ((found,),) = view.run(statement("explain.held"), **_parameters("explain.held", query), pairs=pairs)
    return [
        Held(
            uuid=uuid,
            name=name,
            root=root,
            anchor=anchor,
            inventories={resource_class: Stock(*values) for resource_class, *values in inventories},
            traits=frozenset(traits),
            aggregates=frozenset(aggregates),
            spanning=frozenset(spanning),
        )
        for uuid, name, root, anchor, inventories, traits, aggregates, spanning in found
    ]


def _parameters(name: str, query: CompiledQuery) -> dict[str, Any]:
    """Return what the statement takes of the parameters with which the engine matches.

    An unsuffixed ``in_tree`` is about the root here in any case; the engine knows without asking that it is met.
    """
    anchors = [group.in_tree for group in query.slots.request.groups if group.in_tree and not group.suffix]
    of_roots = NOTHING_OF_ROOTS | query.anchoring | {"in_tree": anchors}
    return {key: value for key, value in (of_roots | query.parameters).items() if key in statement(name).parameters}
