"""Random small clouds, and random requests that have to do with them."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import uuid4

from cloud import Inventory, Provider, uuid_of
from hypothesis import strategies as st
from oracle.oracle import SHARES, Oracle, capacity

from graphplace.request.model import CandidateRequest, RequestGroup

CLASSES = ("VCPU", "DISK_GB", "SRIOV_NET_VF", "CUSTOM_FOO")
TRAITS = ("HW_NUMA_ROOT", "HW_CPU_X86_AVX", "CUSTOM_ONE", "CUSTOM_TWO")
AGGREGATES = ("A", "B", "C")
KNOWN = frozenset({*CLASSES, *TRAITS, SHARES})
SUFFIXES = ("1", "2", "_X", "_Y")

ALL_AGGREGATES = tuple(uuid_of(name) for name in AGGREGATES)
UNKNOWN_UUID = str(uuid4())
DEEPEST = 6


def one_in(number: int) -> st.SearchStrategy[bool]:
    """Draw True once in *number* times; shrinks to False."""
    return st.sampled_from([False] * (number - 1) + [True])


def some(values: Sequence[str], most: int) -> st.SearchStrategy[frozenset[str]]:
    """Draw up to *most* of *values*."""
    return st.frozensets(st.sampled_from(values), max_size=most) if values else st.just(frozenset())


@st.composite
def inventories(draw: st.DrawFn) -> Inventory:
    """Draw an inventory of a few units, half of them with an edge: reserved, ratio, step, units, over-full."""
    inventory = Inventory(total=draw(st.integers(1, 8)))
    if draw(st.booleans()):
        inventory = replace(
            inventory,
            reserved=draw(st.sampled_from([0, 1])),
            min_unit=draw(st.sampled_from([1, 2])),
            max_unit=draw(st.sampled_from([2, 3, 4, 100])),
            step_size=draw(st.sampled_from([1, 1, 2, 3])),
            allocation_ratio=draw(st.sampled_from([1.0, 1.5, 2.0, 0.57])),
        )
    return replace(inventory, used=draw(st.sampled_from([0, 0, 0, 0, 1, 1, 1, 2, capacity(inventory) + 1])))


@st.composite
def clouds(draw: st.DrawFn) -> tuple[Provider, ...]:
    """Draw a cloud of up to nine providers in trees up to six deep, some of them sharing."""
    cloud: list[Provider] = []
    depths = {None: 0}
    for number in range(draw(st.integers(1, 9))):
        parent = draw(st.sampled_from([name for name, depth in depths.items() if depth < DEEPEST]))
        name = f"p{number}"
        depths[name] = depths[parent] + 1
        fewest = draw(st.sampled_from([0, 1, 1, 2]))
        classes = draw(st.lists(st.sampled_from(CLASSES), unique=True, min_size=fewest, max_size=4))
        traits = draw(some(TRAITS, 2)) | ({SHARES} if draw(one_in(4)) else set())
        cloud.append(
            Provider(
                name=name,
                parent=parent,
                inventories={one: draw(inventories()) for one in classes},
                traits=tuple(sorted(traits)),
                aggregates=tuple(sorted(draw(some(AGGREGATES, 2)))),
            )
        )
    return tuple(cloud)


class RequestsFor:
    """Requests that ask for what the providers around one root have, with a false word now and then.

    Wholly random ones would hardly ever have an answer.
    """

    def __init__(self, cloud: tuple[Provider, ...], draw: st.DrawFn) -> None:
        self.oracle = Oracle(cloud, KNOWN)
        self.draw = draw
        roots = [uuid for uuid, provider in self.oracle.providers.items() if provider.parent is None]
        self.around = self.oracle.reachable(draw(st.sampled_from(roots)))
        self.giving = [uuid for uuid in self.around if self.oracle.providers[uuid].inventories]

    def provider(self, *, giving: bool) -> Provider:
        uuids = list(self.oracle.providers) if self.draw(one_in(20)) else (giving and self.giving) or self.around
        return self.oracle.providers[self.draw(st.sampled_from(uuids))]

    def resources(self, provider: Provider, most: int) -> tuple[tuple[str, int], ...]:
        had = sorted(provider.inventories)
        if not had or self.draw(one_in(20)):
            had = list(CLASSES)
        names = self.draw(st.lists(st.sampled_from(had), unique=True, min_size=1, max_size=most))
        if self.draw(one_in(30)):
            names.append("CUSTOM_UNKNOWN")
        return tuple((name, self.amount(provider.inventories.get(name))) for name in names)

    def amount(self, inventory: Inventory | None) -> int:
        if inventory is None or self.draw(one_in(10)):
            return self.draw(st.integers(1, 6))
        free = capacity(inventory) - inventory.used
        fitting = [
            amount
            for amount in range(inventory.min_unit, 5)
            if amount % inventory.step_size == 0 and amount <= min(inventory.max_unit, free)
        ]
        return self.draw(st.sampled_from(fitting or [1]))

    def any_of(self, had: Sequence[str], others: Sequence[str]) -> tuple[frozenset[str], ...]:
        """Draw sets of which each has one that the provider has, mostly."""
        wanted = self.draw(some(had, 2)) if self.draw(one_in(3)) else frozenset()
        sets = [frozenset({name}) | self.draw(some(others, 1)) for name in sorted(wanted)]
        if self.draw(one_in(40)):
            sets.append(frozenset({self.draw(st.sampled_from(others))}))
        return tuple(dict.fromkeys(sets))

    def none_of(self, had: Sequence[str], others: Sequence[str]) -> frozenset[str]:
        if not self.draw(one_in(4)):
            return frozenset()
        lacked = [name for name in others if name not in had]
        return self.draw(some(others if self.draw(one_in(6)) else lacked, 1))

    def group(self, suffix: str, *, resourceless: bool) -> RequestGroup:
        provider = self.provider(giving=not resourceless)
        aggregates = [uuid_of(name) for name in provider.aggregates]
        known = (*TRAITS, SHARES)
        required = self.any_of(provider.traits, (*known, "CUSTOM_UNKNOWN") if self.draw(one_in(30)) else known)
        forbidden = self.none_of(provider.traits, known)
        if resourceless and not required and not (forbidden and self.draw(one_in(5))):
            required = (frozenset({self.draw(st.sampled_from(TRAITS))}) - forbidden or frozenset({SHARES}),)
        in_tree = None
        if self.draw(one_in(6)):
            in_tree = UNKNOWN_UUID if self.draw(one_in(10)) else uuid_of(provider.name)
        return RequestGroup(
            suffix=suffix,
            resources=() if resourceless else self.resources(provider, 2 if suffix else 3),
            required=tuple(any_of for any_of in required if not any_of <= forbidden),
            forbidden=forbidden,
            member_of=self.any_of(aggregates, ALL_AGGREGATES) if self.draw(one_in(3)) else (),
            forbidden_aggregates=self.none_of(aggregates, ALL_AGGREGATES),
            in_tree=in_tree,
        )

    def root_traits(self) -> tuple[frozenset[str], frozenset[str]]:
        if not self.draw(one_in(5)):
            return frozenset(), frozenset()
        root = self.oracle.providers[self.around[0]]
        forbidden = self.none_of(root.traits, TRAITS)
        if self.draw(one_in(10)):
            forbidden |= {"CUSTOM_UNKNOWN"}
        return self.draw(some(root.traits, 1)) - forbidden, forbidden


@st.composite
def requests(draw: st.DrawFn, cloud: tuple[Provider, ...]) -> CandidateRequest:
    """Draw a request of any form that the API accepts."""
    near = RequestsFor(cloud, draw)
    count = draw(st.sampled_from([0, 1, 2, 2, 3, 3, 4]))
    suffixes = draw(st.permutations(SUFFIXES))[:count]
    all_suffixes = draw(st.permutations(["", *suffixes] if not suffixes or draw(st.booleans()) else suffixes))
    subtrees = [
        tuple(draw(st.permutations(suffixes))[: draw(st.sampled_from([1, 2, 2, 3]))])
        for _ in range(draw(st.sampled_from([0, 1, 1, 2])) if suffixes else 0)
    ]
    may_lack_resources = {suffix for subtree in subtrees for suffix in subtree} - {all_suffixes[0]}
    root_required, root_forbidden = near.root_traits()
    return CandidateRequest(
        groups=tuple(
            near.group(suffix, resourceless=suffix in may_lack_resources and draw(st.booleans()))
            for suffix in draw(st.permutations(all_suffixes))
        ),
        group_policy=draw(st.sampled_from(["none", "none", "isolate"])),
        same_subtrees=tuple(subtrees),
        root_required=root_required,
        root_forbidden=root_forbidden,
    )
