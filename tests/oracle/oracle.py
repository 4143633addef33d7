"""What candidates a request has in a cloud, by trying everything: slow, and meant to be obviously right.

Written from the rules alone: Placement's API reference, its specifications "Modeling with Provider Trees" and
"Getting On The Nested Magic Train 1", the facts measured on the reference implementation, and for what goes beyond
Placement docs/extensions.md. It knows nothing of how graphplace searches.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain, combinations, product
from math import prod
from typing import Any

from cloud import Inventory, Provider, uuid_of

from graphplace.request.model import CandidateRequest, RequestGroup

SHARES = "MISC_SHARES_VIA_AGGREGATE"

# Who gives what for one group: (provider, class, amount), and every provider that the group uses.
Gifts = tuple[tuple[str, str, int], ...]
Solution = tuple[Gifts, frozenset[str]]

# The amounts by provider and class, and the providers by suffix where there are any: what makes two candidates equal.
Candidate = tuple[frozenset[tuple[tuple[str, str], int]], frozenset[tuple[str, frozenset[str]]]]


# More than this takes seconds. About one random request of 200 has more.
MOST_COMBINATIONS = 20_000
# Amounts that one provider may give of what is divided; two providers can give the square of it.
MOST_PARTS = 1000


class RefusedError(Exception):
    """The request names a class or trait that does not exist: 400."""


class TooManyError(Exception):
    """There are more than MOST_COMBINATIONS to try, or more than MOST_PARTS."""


@dataclass(frozen=True)
class Answer:
    """Every candidate with the roots that it is found under, and the summaries that go with them all, by uuid.

    A candidate has more than one root if nothing but sharing providers is in it.
    """

    anchors: dict[Candidate, set[str]]
    summaries: dict[str, Any]


class Oracle:
    """One cloud, with the names of the resource classes and traits that exist.

    Of the ways to split what the unsuffixed group asks for, each tree has the first *most_splits*.
    """

    def __init__(self, cloud: tuple[Provider, ...], known: frozenset[str], most_splits: int = 100) -> None:
        self.providers = {uuid_of(provider.name): provider for provider in cloud}
        self.known = known
        self.most_splits = most_splits

    def answer(self, request: CandidateRequest) -> Answer:
        """Return all candidates, whatever the limit. Raises RefusedError and TooManyError."""
        anchors = self.anchors(request)
        solutions: list[dict[str, list[Solution]]] = []
        for group in request.groups:
            by_anchor = self.solve_group(group, anchors, request.can_split) if anchors else {}
            is_condition = not (group.suffix or group.resources)
            if not by_anchor and (not is_condition or not self.has_named(group)):
                return Answer({}, {})
            solutions.append(by_anchor)
        choices = {anchor: [by_anchor.get(anchor, []) for by_anchor in solutions] for anchor in anchors}
        if sum(prod(map(len, by_group)) for by_group in choices.values()) > MOST_COMBINATIONS:
            raise TooManyError
        found: dict[Candidate, set[str]] = {}
        for anchor, by_group in choices.items():
            for combination in product(*by_group):
                candidate = self.merge(request, combination)
                if candidate is not None:
                    found.setdefault(candidate, set()).add(anchor)
        return Answer(found, self.summaries(found))

    # --- one group ---------------------------------------------------------------------------------------------

    def solve_group(
        self, group: RequestGroup, anchors: list[str], can_split: Sequence[str]
    ) -> dict[str, list[Solution]]:
        """Return the ways to satisfy the group alone, by anchor; anchors that have none are left out."""
        for name, _ in group.resources:
            self.refuse_unknown(name)
        if not self.has_members(group):
            return {}
        for any_of in group.required:
            self.refuse_unknown(*any_of)
        self.refuse_unknown(*group.forbidden)
        if not self.has_named(group):
            return {}
        by_anchor = {anchor: self.solve(group, anchor, can_split) for anchor in anchors}
        return {anchor: solutions for anchor, solutions in by_anchor.items() if solutions}

    def has_members(self, group: RequestGroup) -> bool:
        return not group.member_of or any(self.is_member(uuid, group) for uuid in self.providers)

    def has_named(self, group: RequestGroup) -> bool:
        """Tell whether there is what it names: members of the aggregates, and the tree."""
        return self.has_members(group) and (group.in_tree is None or group.in_tree in self.providers)

    def solve(self, group: RequestGroup, anchor: str, can_split: Sequence[str]) -> list[Solution]:
        if group.suffix:
            return self.solve_suffixed(group, anchor)
        if group.resources:
            return self.solve_unsuffixed(group, anchor, can_split)
        return [((), frozenset())] if self.has_such(anchor, group) else []

    def solve_suffixed(self, group: RequestGroup, anchor: str) -> list[Solution]:
        """One provider meets everything by itself."""
        if not (group.resources or group.required or group.member_of):
            return []
        return [
            (tuple((uuid, name, amount) for name, amount in group.resources), frozenset({uuid}))
            for uuid in self.reachable(anchor)
            if all(self.has_room(uuid, name, amount) for name, amount in group.resources)
            and all(self.has_any(uuid, any_of) for any_of in group.required)
            and not self.has_any(uuid, group.forbidden)
            and self.is_member(uuid, group)
            and not self.is_forbidden_member(uuid, group)
            and (group.in_tree is None or not group.resources or self.root(uuid) == self.root(group.in_tree))
        ]

    def solve_unsuffixed(self, group: RequestGroup, anchor: str, can_split: Sequence[str]) -> list[Solution]:
        """Each class comes from one provider, or from several if it may; together they have the required traits."""
        whole: dict[str, list[Gifts]] = {
            name: [
                ((uuid, name, amount),)
                for uuid in self.reachable(anchor)
                if self.has_room(uuid, name, amount) and self.may_serve(uuid, group, anchor)
            ]
            for name, amount in group.resources
        }
        split = {
            name: self.splits(name, amount, group, anchor)
            for name, amount in group.resources
            if name in can_split and not whole[name]
        }
        together = [tuple(chain(*ways)) for ways in product(*split.values())][: self.most_splits]
        solutions = []
        for choice in product(*(ways for name, ways in whole.items() if name not in split), together):
            gifts = tuple(chain(*choice))
            used = frozenset(uuid for uuid, _, _ in gifts)
            if all(any(self.has_any(uuid, any_of) for uuid in used) for any_of in group.required):
                solutions.append((gifts, used))
        return solutions

    def splits(self, name: str, amount: int, group: RequestGroup, anchor: str) -> list[Gifts]:
        """Return what as few providers of the tree as can give the amount together give of it, in order of uuid."""
        of_the_tree = [
            uuid for uuid in sorted(self.providers) if self.root(uuid) == anchor and self.may_serve(uuid, group, anchor)
        ]
        most = min(amount, max((self.most_of(uuid, name) for uuid in of_the_tree), default=0))
        if most > MOST_PARTS:
            raise TooManyError
        legal = {uuid: [part for part in range(1, most + 1) if self.has_room(uuid, name, part)] for uuid in of_the_tree}
        able = [uuid for uuid, parts in legal.items() if parts]
        for number in range(2, len(able) + 1):
            ways = [divide(amount, [legal[uuid] for uuid in chosen]) for chosen in combinations(able, number)]
            if any(ways):
                return [
                    tuple((uuid, name, part) for uuid, part in zip(chosen, parts, strict=True))
                    for chosen, parts in zip(combinations(able, number), ways, strict=True)
                    if parts
                ]
        return []

    def may_serve(self, uuid: str, group: RequestGroup, anchor: str) -> bool:
        """Tell whether a provider meets all that the unsuffixed group asks of each one, but for amounts."""
        of_the_tree = self.root(uuid) == anchor
        spanned = self.is_member(uuid, group) or (of_the_tree and self.is_member(anchor, group))
        forbidden = self.is_forbidden_member(uuid, group) or self.is_forbidden_member(anchor, group)
        in_tree = group.in_tree is None or (of_the_tree and anchor == self.root(group.in_tree))
        return not self.has_any(uuid, group.forbidden) and spanned and not forbidden and in_tree

    def has_such(self, anchor: str, group: RequestGroup) -> bool:
        """Tell whether any provider of the tree meets everything of an unsuffixed group without resources."""
        return any(
            self.root(uuid) == anchor
            and self.may_serve(uuid, group, anchor)
            and all(self.has_any(uuid, any_of) for any_of in group.required)
            for uuid in self.providers
        )

    # --- all groups --------------------------------------------------------------------------------------------

    def merge(self, request: CandidateRequest, combination: tuple[Solution, ...]) -> Candidate | None:
        """Put one solution of each group together, unless that breaks what holds among groups."""
        used = {group.suffix: providers for group, (_, providers) in zip(request.groups, combination, strict=True)}
        suffixed = {suffix: next(iter(providers)) for suffix, providers in used.items() if suffix}
        isolated = suffixed.keys() if request.group_policy == "isolate" else set(request.isolated)
        for one, other in combinations(suffixed, 2):
            if suffixed[one] == suffixed[other] and not isolated.isdisjoint({one, other}):
                return None
        for subtree in request.same_subtrees:
            inside = {suffixed[suffix] for suffix in subtree.suffixes}
            if not self.is_subtree(inside):
                return None
            if any(self.is_subtree(inside | {suffixed[suffix]}) for suffix in subtree.excluded):
                return None
        amounts: Counter[tuple[str, str]] = Counter()
        for gifts, _ in combination:
            for uuid, name, amount in gifts:
                amounts[uuid, name] += amount
        if not all(self.can_give(uuid, name, amount) for (uuid, name), amount in amounts.items()):
            return None
        return frozenset(amounts.items()), frozenset((suffix, by) for suffix, by in used.items() if by)

    def can_give(self, uuid: str, name: str, amount: int) -> bool:
        """Tell whether the provider has so much for several groups together."""
        inventory = self.providers[uuid].inventories[name]
        return inventory.used + amount <= capacity(inventory) and amount <= inventory.max_unit

    def summaries(self, candidates: Iterable[Candidate]) -> dict[str, Any]:
        """Return the summary of every provider of the trees that give resources to any of *candidates*."""
        trees = {self.root(uuid) for amounts, _ in candidates for (uuid, _), _ in amounts}
        return {
            uuid: {
                "resources": {
                    name: {"capacity": capacity(inventory), "used": inventory.used}
                    for name, inventory in provider.inventories.items()
                },
                "traits": set(provider.traits),
                "parent_provider_uuid": uuid_of(provider.parent) if provider.parent else None,
                "root_provider_uuid": self.root(uuid),
            }
            for uuid, provider in self.providers.items()
            if self.root(uuid) in trees
        }

    # --- facts about the cloud ---------------------------------------------------------------------------------

    def refuse_unknown(self, *names: str) -> None:
        if not self.known.issuperset(names):
            raise RefusedError

    def anchors(self, request: CandidateRequest) -> list[str]:
        """Return the roots that have the traits and are in the aggregates that *request* asks of roots."""
        self.refuse_unknown(*request.root_required)
        self.refuse_unknown(*request.root_forbidden)
        return [
            uuid
            for uuid, provider in self.providers.items()
            if provider.parent is None
            and request.root_required.issubset(provider.traits)
            and request.root_forbidden.isdisjoint(provider.traits)
            and all(not any_of.isdisjoint(self.aggregates(uuid)) for any_of in request.root_member_of)
            and request.root_forbidden_aggregates.isdisjoint(self.aggregates(uuid))
        ]

    def reachable(self, anchor: str) -> list[str]:
        """Return the providers of the anchor's tree, and those that share an aggregate with any of them."""
        tree = [uuid for uuid in self.providers if self.root(uuid) == anchor]
        connected = {aggregate for uuid in tree for aggregate in self.providers[uuid].aggregates}
        sharing = [
            uuid
            for uuid, provider in self.providers.items()
            if SHARES in provider.traits and connected.intersection(provider.aggregates)
        ]
        return tree + [uuid for uuid in sharing if uuid not in tree]

    def ancestors(self, uuid: str) -> list[str]:
        """Return the provider itself and all that are above it."""
        parent = self.providers[uuid].parent
        return [uuid, *(self.ancestors(uuid_of(parent)) if parent else [])]

    def is_subtree(self, uuids: set[str]) -> bool:
        """Tell whether one of the providers is, or is above, each of them."""
        return any(all(top in self.ancestors(uuid) for uuid in uuids) for top in uuids)

    def root(self, uuid: str) -> str:
        return self.ancestors(uuid)[-1]

    def has_room(self, uuid: str, name: str, amount: int) -> bool:
        inventory = self.providers[uuid].inventories.get(name)
        return (
            inventory is not None
            and inventory.used + amount <= capacity(inventory)
            and inventory.min_unit <= amount <= inventory.max_unit
            and amount % inventory.step_size == 0
        )

    def most_of(self, uuid: str, name: str) -> int:
        """Return the amount beyond which the provider surely has no room."""
        inventory = self.providers[uuid].inventories.get(name)
        return 0 if inventory is None else min(capacity(inventory) - inventory.used, inventory.max_unit)

    def has_any(self, uuid: str, traits: frozenset[str]) -> bool:
        return not traits.isdisjoint(self.providers[uuid].traits)

    def is_member(self, uuid: str, group: RequestGroup) -> bool:
        return all(not any_of.isdisjoint(self.aggregates(uuid)) for any_of in group.member_of)

    def is_forbidden_member(self, uuid: str, group: RequestGroup) -> bool:
        return not group.forbidden_aggregates.isdisjoint(self.aggregates(uuid))

    def aggregates(self, uuid: str) -> set[str]:
        return {uuid_of(name) for name in self.providers[uuid].aggregates}


def divide(amount: int, legal: Sequence[Sequence[int]]) -> list[int]:
    """Give each one, one after the other, the most that leaves the rest to the others; [] if they cannot give it."""
    parts = []
    for position, own in enumerate(legal):
        others = totals(amount, legal[position + 1 :])
        possible = [part for part in own if amount - part in others]
        if not possible:
            return []
        parts.append(max(possible))
        amount -= max(possible)
    return parts


def totals(most: int, legal: Sequence[Sequence[int]]) -> set[int]:
    """Return every amount up to *most* that all of these can give together, each of them some of it."""
    found = {0}
    for parts in legal:
        found = {total + part for total in found for part in parts if total + part <= most}
    return found


def is_even(candidates: Sequence[Candidate], anchors: dict[Candidate, set[str]]) -> bool:
    """Tell whether every tree of *anchors* gives one of *candidates*, in their order, before any tree gives two.

    So the first of them can be dealt to as many different trees; when they no longer can, no tree is without one.
    """
    every_tree = set().union(*anchors.values())
    for number in range(len(candidates)):
        trees = [anchors[candidate] for candidate in candidates[: number + 1]]
        one_each = any(len(set(dealt)) == len(trees) for dealt in product(*trees))
        if not one_each and set().union(*trees[:-1]) != every_tree:
            return False
    return True


def capacity(inventory: Inventory) -> int:
    """Return what an inventory can hold in all, in exact decimals."""
    return int((inventory.total - inventory.reserved) * Decimal(str(inventory.allocation_ratio)))
