"""What the names in a request stand for, how selective they are, and the refusal of unknown ones."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from graphplace.candidates.overlay import View
from graphplace.compiler.compile import starts_of
from graphplace.compiler.start import AggregateStart, ClassStart, Start, TraitStart, TreeStart
from graphplace.cypher import statement
from graphplace.errors import BadRequestError
from graphplace.request.model import CandidateRequest, RequestGroup

# Beyond this all inventories of a class stand for those that fit. Counting costs a microsecond each.
MOST_COUNTED = 100
FACTS = "candidates.facts"
REACHES = "candidates.reaches"


class Extent(NamedTuple):
    """How many providers meet a condition, and for how many others those of them that share do."""

    providers: int
    reach: int

    @classmethod
    def of(cls, parts: Iterable["Extent | None"]) -> "Extent":
        """Return the sum of *parts*, where None is nothing."""
        known = [part for part in parts if part is not None]
        return cls(sum(part.providers for part in known), sum(part.reach for part in known))


@dataclass(frozen=True)
class Names:
    """The names of one request: how much there is of each, None for those that do not exist.

    ``fitting`` counts the inventories of a class that have the greatest amount asked for free, or if these are
    MOST_COUNTED or more, all inventories of the class; ``holders`` the providers that have a trait, ``members`` those
    in an aggregate; ``trees`` gives, for a provider, the uuid of its root and the extent of its tree. ``sharing`` says
    whether any provider shares.
    """

    fitting: dict[str, Extent | None]
    holders: dict[str, Extent | None]
    members: dict[str, Extent | None]
    trees: dict[str, tuple[str, Extent] | None]
    sharing: bool

    def roots(self) -> dict[str, str | None]:
        """Return the uuid of the root of each named provider's tree."""
        return {provider: tree[0] if tree else None for provider, tree in self.trees.items()}

    def extent(self, start: Start) -> Extent:
        """Return about how many providers meet the condition of *start*."""
        return Extent.of(self._extents(start))

    def _extents(self, start: Start) -> Iterable[Extent | None]:
        match start:
            case ClassStart(resource_class):
                return [self.fitting[resource_class]]
            case TraitStart(traits):
                return [self.holders[trait] for trait in traits]
            case AggregateStart(aggregates):
                return [self.members[aggregate] for aggregate in aggregates]
            case TreeStart(provider, anchors):
                tree = self.trees[provider]
                return [tree and (Extent(1, 0) if anchors else tree[1])]

    def any_unknown(self) -> bool:
        """Tell whether a class or trait does not exist, which makes the request a bad one once it is reached."""
        return None in self.fitting.values() or None in self.holders.values()


def look_up(view: View, request: CandidateRequest) -> Names:
    """Ask the graph for every name in *request*."""
    asked = names_in(request)
    (facts,) = view.run(statement(FACTS), **asked)
    reaches = view.run(statement(REACHES), **asked)[0] if facts["sharing"] else None

    def found(column: str) -> list[list[Any]]:
        """Return an entry for each name, empty for an unknown one: what facts has of it, and the reach."""
        reach = reaches[column] if reaches else [0] * len(facts[column])
        return [known and [*known, further] for known, further in zip(facts[column], reach, strict=True)]

    return Names(
        fitting={one["class"]: _extent(entry) for one, entry in zip(asked["classes"], found("classes"), strict=True)},
        holders={name: _extent(entry) for name, entry in zip(asked["traits"], found("traits"), strict=True)},
        members={name: _extent(entry) for name, entry in zip(asked["aggregates"], found("aggregates"), strict=True)},
        trees={
            provider: (entry[0], Extent(*entry[1:])) if entry else None
            for provider, entry in zip(asked["providers"], found("trees"), strict=True)
        },
        sharing=facts["sharing"],
    )


def names_in(request: CandidateRequest) -> dict[str, Any]:
    """Return the names in *request*, and what else FACTS and REACHES have to be told of them, as their parameters."""
    starts = starts_of(request)
    classes = [start for start in starts if isinstance(start, ClassStart)]
    aggregates = {one for start in starts if isinstance(start, AggregateStart) for one in start.aggregates}
    return {
        "classes": [{"class": start.resource_class, "amount": start.amount} for start in classes],
        "traits": sorted(_traits(request)),
        "aggregates": sorted(aggregates),
        "providers": sorted({group.in_tree for group in request.groups if group.in_tree}),
        "most": MOST_COUNTED,
    }


def check_in_order(
    view: View,
    request: CandidateRequest,
    names: Names,
    has_candidates: Callable[[CandidateRequest], bool],
) -> None:
    """Go through *request*, which has unknown names, as Placement does: up to the first one, or an empty answer.

    The root's traits and aggregates come first, then group by group in the order of the query: classes, aggregates,
    traits, in_tree, and whether the group alone has candidates at all, if it is for any. Nothing behind an empty answer
    is looked at.
    Raises BadRequestError for an unknown class or trait that is reached.
    """
    _refuse_unknown_traits(request.root_required, names)
    _refuse_unknown_traits(request.root_forbidden, names)
    if not _has_root(view, request):
        return
    for group in request.groups:
        for name, _ in group.resources:
            if names.fitting[name] is None:
                raise BadRequestError(f"Invalid resource class in resources parameter: No such resource class {name}.")
        if group.member_of and not _has_member(view, group):
            return
        for any_of in group.required:
            _refuse_unknown_traits(any_of, names)
        _refuse_unknown_traits(group.forbidden, names)
        if group.in_tree and names.trees[group.in_tree] is None:
            return
        alone = replace(request, groups=(group,), group_policy=None, isolated=(), same_subtrees=(), limit=1)
        if (group.suffix or group.resources) and not has_candidates(alone):
            return


def _traits(request: CandidateRequest) -> set[str]:
    named = set(request.root_required | request.root_forbidden)
    for group in request.groups:
        named.update(group.forbidden, *group.required)
    return named


def _refuse_unknown_traits(traits: frozenset[str], names: Names) -> None:
    if unknown := sorted(trait for trait in traits if names.holders[trait] is None):
        raise BadRequestError(f"No such trait(s): {', '.join(unknown)}.")


def _has_member(view: View, group: RequestGroup) -> bool:
    if view.overlay.has_member(group.member_of):
        return True
    member_of = [sorted(any_of) for any_of in group.member_of]
    (row,) = view.run(statement("candidates.has_member"), member_of=member_of)
    return bool(row["found"])


def _has_root(view: View, request: CandidateRequest) -> bool:
    conditions = {
        "required": sorted(request.root_required),
        "forbidden": sorted(request.root_forbidden),
        "member_of": [sorted(any_of) for any_of in request.root_member_of],
        "forbidden_aggregates": sorted(request.root_forbidden_aggregates),
    }
    if not any(conditions.values()):
        return True
    (row,) = view.run(statement("candidates.has_root"), **conditions)
    return bool(row["found"])


def _extent(found: list[int]) -> Extent | None:
    return Extent(*found) if found else None
