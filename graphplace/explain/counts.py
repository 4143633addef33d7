"""How many roots and providers meet each condition of a request and all before it, and who comes nearest."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from graphplace.candidates.names import Names
from graphplace.candidates.overlay import View
from graphplace.compiler.compile import CompiledQuery, compile_request
from graphplace.compiler.condition import Held, Stock
from graphplace.compiler.constraints import CONDITIONS, CONSTRAINTS
from graphplace.compiler.constraints.resources import BEYOND_ALL
from graphplace.compiler.slots import Slot
from graphplace.cypher import statement
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


class Counted(NamedTuple):
    """``counts``, and for each slot the roots of the trees in which a provider meets all that it asks of one."""

    counts: Counts
    fitting: tuple[frozenset[str], ...]


def count(
    view: View,
    request: CandidateRequest,
    names: Names,
    among: Sequence[str] | None = None,
    providers: Sequence[str] | None = None,
) -> Counted:
    """Count for *request*, whose *names* are looked up: in all trees, or in those with the roots *among*.

    All their providers are counted, or only *providers*.
    """
    query = compile_request(request, {member: root or NO_TREE for member, root in names.roots().items()})
    total, remaining, roots = _roots(view, query, among)
    of_slots = set(query.problem.kinds)
    parameters = _parameters("explain.conditions", query)
    parameters["kinds"] = [kind for kind in parameters["kinds"] if kind["number"] in of_slots]
    rows = view.run(
        statement("explain.conditions"),
        **parameters,
        roots=roots,
        providers=providers,
        sharing=names.sharing,
        most=NEAREST,
    )
    found = {row["kind"]: row for row in rows}
    pairs = sorted({(uuid, root) for row in rows for uuid, root, _ in row["nearest"]})
    held = {(one.uuid, one.anchor): one for one in _held(view, query, pairs)}
    of_kinds = [found.get(kind) for kind in query.problem.kinds]
    return Counted(
        Counts(
            total,
            _root_steps(query, remaining),
            tuple(_group(slot, row, held) for slot, row in zip(query.slots.all, of_kinds, strict=True)),
        ),
        tuple(frozenset(row["trees"] if row else ()) for row in of_kinds),
    )


def _roots(view: View, query: CompiledQuery, among: Sequence[str] | None) -> tuple[int, list[int], list[str] | None]:
    """Return how many trees there are, how many are left at each of ROOT_CONSTRAINTS, and which: None for all."""
    parameters = _parameters("explain.roots", query)
    if any(parameters.values()):
        (row,) = view.run(statement("explain.roots"), **parameters, among=among)
        return row["total"], row["remaining"], row["roots"]
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
    remaining = row["remaining"] if row else [0] * len(CONDITIONS)
    conditions = tuple(
        Step(condition.name, f"a provider {words}", number)
        for condition, number in zip(CONDITIONS, remaining, strict=True)
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
