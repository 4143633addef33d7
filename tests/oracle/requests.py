"""Random requests, each written around a candidate of its own: wholly random ones would hardly ever have any."""

from collections.abc import Sequence

from cloud import Inventory, Provider, uuid_of
from hypothesis import strategies as st
from oracle.clouds import ALL_AGGREGATES, CLASSES, KNOWN, TRAITS, one_in, one_of, some
from oracle.oracle import SHARES, Oracle, capacity

from graphplace.request.model import CandidateRequest, GroupPolicy, RequestGroup, SameSubtree

SUFFIXES = ("1", "2", "_X", "_Y", "_Z", "long-Suffix_3")
KNOWN_TRAITS = (*TRAITS, SHARES)
UNKNOWN_UUID = uuid_of("nobody")


@st.composite
def requests(draw: st.DrawFn, cloud: tuple[Provider, ...]) -> CandidateRequest:
    """Draw a request of any form that the API accepts; of three, two are sure to have a candidate or almost so."""
    return Around(cloud, draw).request()


class Around:
    """Chooses providers around one root for each group, and then asks for what these have.

    ``chosen`` has the provider that each suffixed group is written around, and ``taken`` is what the candidate takes
    so far, by provider and class. In one request of three it slips now and then: it asks for one unit too many, for
    another provider's trait, for what nobody knows.
    """

    def __init__(self, cloud: tuple[Provider, ...], draw: st.DrawFn) -> None:
        self.draw = draw
        self.oracle = Oracle(cloud, KNOWN)
        self.providers = self.oracle.providers
        self.anchor = draw(one_of(*(uuid for uuid, one in self.providers.items() if one.parent is None)))
        self.near = self.oracle.reachable(self.anchor)
        self.chosen: dict[str, str] = {}
        self.taken: dict[tuple[str, str], int] = {}
        self.may_slip = draw(one_in(3))

    def slips(self) -> bool:
        return self.may_slip and self.draw(one_in(8))

    def request(self) -> CandidateRequest:
        count = self.draw(one_of(2, 0, 1, 2, 3, 3, 4, 5, 6))
        suffixes = list(self.draw(one_of(SUFFIXES, SUFFIXES[::-1]))[:count])
        if not suffixes or self.draw(one_in(2)):
            suffixes.insert(self.draw(st.integers(0, len(suffixes))), "")
        groups = [self.group(suffix) for suffix in suffixes if not self.taken or self.giving() or self.slips()]
        resourceless = [group.suffix for group in groups if group.suffix and not group.resources]
        root_required, root_forbidden = self.root_traits()
        return CandidateRequest(
            groups=tuple(groups),
            group_policy=self.group_policy(),
            same_subtrees=self.same_subtrees(resourceless),
            root_required=root_required,
            root_forbidden=root_forbidden,
        )

    # --- groups ------------------------------------------------------------------------------------------------

    def group(self, suffix: str) -> RequestGroup:
        """Draw the group, and note which provider it is written around if it has a suffix."""
        if not suffix:
            return self.unsuffixed()
        if self.taken and self.draw(one_in(3)):
            provider = self.draw(one_of(*self.above_or_near()))
            group = self.conditions(suffix, (), [provider])
            vain = group.forbidden or group.forbidden_aggregates or group.in_tree
            if group.required or group.member_of or (vain and self.slips()):
                self.chosen[suffix] = provider
                return group
        provider = self.provider()
        self.chosen[suffix] = provider
        return self.conditions(suffix, self.resources(provider, 2), [provider])

    def unsuffixed(self) -> RequestGroup:
        resources: dict[str, int] = {}
        used = []
        for _ in range(self.draw(one_of(1, 1, 2, 3))):
            provider = self.provider()
            for name, amount in self.resources(provider, 1):
                if name not in resources:
                    resources[name] = amount
                    used.append(provider)
        return self.conditions("", tuple(resources.items()), used)

    def giving(self) -> list[str]:
        return [uuid for uuid in self.near if self.possible(uuid)]

    def provider(self) -> str:
        giving = [] if self.slips() else self.giving()
        return self.draw(one_of(*giving or self.providers))

    def above_or_near(self) -> list[str]:
        """Return, twice as likely, what is above the providers chosen so far, and every other that can be chosen."""
        return [above for uuid in self.chosen.values() for above in self.oracle.ancestors(uuid)] + self.near

    def resources(self, uuid: str, most: int) -> tuple[tuple[str, int], ...]:
        possible = self.possible(uuid)
        names = self.draw(some(tuple(sorted(possible)) or CLASSES, most, 1))
        if self.slips():
            names = [self.draw(one_of(*CLASSES, "CUSTOM_UNKNOWN"))]
        return tuple((name, self.amount(uuid, name, possible.get(name, []))) for name in names)

    def possible(self, uuid: str) -> dict[str, list[int]]:
        """Return the classes of which the provider can give some more, with every amount that it can give."""
        amounts = {
            name: [
                amount
                for amount in range(inventory.min_unit, self.room(uuid, name, inventory) + 1)
                if amount % inventory.step_size == 0
            ]
            for name, inventory in self.providers[uuid].inventories.items()
        }
        return {name: legal for name, legal in amounts.items() if legal}

    def room(self, uuid: str, name: str, inventory: Inventory) -> int:
        return min(capacity(inventory) - inventory.used, inventory.max_unit) - self.taken.get((uuid, name), 0)

    def amount(self, uuid: str, name: str, legal: Sequence[int]) -> int:
        inventory = self.providers[uuid].inventories.get(name)
        if inventory and self.slips():
            free = capacity(inventory) - inventory.used
            edges = [free + 1, inventory.max_unit + 1, inventory.min_unit - 1, inventory.step_size + 1]
            return self.draw(one_of(*(edge for edge in edges if edge > 0)))
        if not legal:
            return self.draw(st.integers(1, 6))
        amount = self.draw(one_of(legal[0], legal[-1], *legal))
        self.taken[uuid, name] = self.taken.get((uuid, name), 0) + amount
        return amount

    def conditions(self, suffix: str, resources: tuple[tuple[str, int], ...], used: Sequence[str]) -> RequestGroup:
        """Draw traits, aggregates and a tree that the providers *used* have, if it does not slip."""
        held = sorted({trait for uuid in used for trait in self.providers[uuid].traits})
        forbidden = self.none_of(held, KNOWN_TRAITS)
        fewest = 0 if resources else 1
        required = self.sets(held, KNOWN_TRAITS, "CUSTOM_UNKNOWN", fewest)
        spanned = [] if suffix else [self.anchor]
        return RequestGroup(
            suffix=suffix,
            resources=resources,
            required=tuple(any_of for any_of in required if not any_of <= forbidden),
            forbidden=forbidden,
            member_of=self.sets(self.common_aggregates(used, spanned), ALL_AGGREGATES, UNKNOWN_UUID),
            forbidden_aggregates=self.none_of(
                sorted(one for uuid in [*used, *spanned] for one in self.oracle.aggregates(uuid)), ALL_AGGREGATES
            ),
            in_tree=self.in_tree(used),
        )

    def common_aggregates(self, used: Sequence[str], spanned: Sequence[str]) -> list[str]:
        """Return the aggregates that all of *used* are in, or those of a root that span to all of them."""
        if spanned and all(self.oracle.root(uuid) == self.anchor for uuid in used) and self.draw(one_in(2)):
            return sorted(self.oracle.aggregates(self.anchor))
        return sorted(set.intersection(*(self.oracle.aggregates(uuid) for uuid in used)))

    def sets(
        self, had: Sequence[str], others: Sequence[str], unknown: str, fewest: int = 0
    ) -> tuple[frozenset[str], ...]:
        """Draw sets that each hold one of what is *had*."""
        wanted = self.draw(some(tuple(had), 2)) if self.draw(one_in(3)) else had[:fewest]
        drawn = [frozenset({name, *self.draw(some(tuple(others), 1))}) for name in wanted]
        if self.slips():
            drawn.append(frozenset({self.draw(one_of(*others, unknown))}))
        return tuple(dict.fromkeys(drawn))

    def none_of(self, had: Sequence[str], others: Sequence[str]) -> frozenset[str]:
        if not self.draw(one_in(4)):
            return frozenset()
        return frozenset(self.draw(some(tuple(one for one in others if one not in had or self.slips()), 2)))

    def in_tree(self, used: Sequence[str]) -> str | None:
        if not self.draw(one_in(6)):
            return None
        if self.slips():
            return self.draw(one_of(UNKNOWN_UUID, *self.providers))
        roots = {self.oracle.root(uuid) for uuid in used}
        of_the_tree = [uuid for uuid in self.providers if {self.oracle.root(uuid)} == roots]
        return self.draw(one_of(*of_the_tree)) if of_the_tree else None

    # --- the whole request -------------------------------------------------------------------------------------

    def root_traits(self) -> tuple[frozenset[str], frozenset[str]]:
        if not self.draw(one_in(5)):
            return frozenset(), frozenset()
        held = self.providers[self.anchor].traits
        forbidden = self.none_of(held, KNOWN_TRAITS)
        required = self.draw(some((*KNOWN_TRAITS, "CUSTOM_UNKNOWN") if self.slips() else held, 2))
        return frozenset(required) - forbidden, forbidden

    def group_policy(self) -> GroupPolicy | None:
        apart = len(set(self.chosen.values())) == len(self.chosen)
        policies: list[GroupPolicy] = ["none", "isolate"] if apart or self.slips() else ["none"]
        return self.draw(one_of(*policies, *[None] * (len(self.chosen) < 2)))

    def same_subtrees(self, resourceless: list[str]) -> tuple[SameSubtree, ...]:
        tops = [self.draw(one_of(*self.chosen)) for _ in range(self.draw(one_of(0, 1, 1, 2)) if self.chosen else 0)]
        subtrees = [self.subtree(suffix) for suffix in tops]
        named = {suffix for subtree in subtrees for suffix in subtree.suffixes}
        subtrees += [self.subtree(suffix) for suffix in resourceless if suffix not in named]
        return tuple(subtrees)

    def subtree(self, suffix: str) -> SameSubtree:
        """Draw suffixes, this one among them, with a provider among theirs that all others are below."""
        above = self.oracle.ancestors(self.chosen[suffix])
        top = self.draw(one_of(*(one for one in self.chosen if self.chosen[one] in above)))
        below = [one for one in self.chosen if self.chosen[top] in self.oracle.ancestors(self.chosen[one])]
        others = self.draw(some(tuple(self.chosen if self.slips() else below), 3))
        return SameSubtree(tuple(dict.fromkeys([suffix, top, *others])))
