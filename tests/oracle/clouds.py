"""Random small clouds."""

from collections.abc import Sequence
from dataclasses import replace

from cloud import Inventory, Provider, uuid_of
from hypothesis import strategies as st
from oracle.oracle import SHARES, capacity

CLASSES = ("VCPU", "DISK_GB", "SRIOV_NET_VF", "CUSTOM_FOO")
TRAITS = ("HW_NUMA_ROOT", "HW_CPU_X86_AVX", "CUSTOM_ONE", "CUSTOM_TWO")
AGGREGATES = ("A", "B", "C")
KNOWN = frozenset({*CLASSES, *TRAITS, SHARES})

ALL_AGGREGATES = tuple(uuid_of(name) for name in AGGREGATES)
MOST_PROVIDERS = 9
DEEPEST = 6


def one_in(number: int) -> st.SearchStrategy[bool]:
    """Draw True once in *number* times; shrinks to False."""
    return st.sampled_from([False] * (number - 1) + [True])


def some(values: Sequence[str], most: int) -> st.SearchStrategy[list[str]]:
    """Draw up to *most* of *values*."""
    return st.lists(st.sampled_from(values), unique=True, max_size=most) if values else st.just([])


@st.composite
def inventories(draw: st.DrawFn) -> Inventory:
    """Draw an inventory, half of them with an edge: reserved, units, steps, a ratio; some are full or over-full."""
    inventory = Inventory(total=draw(st.sampled_from([4, 1, 2, 3, 6, 8, 8, 100])))
    if draw(st.booleans()):
        inventory = replace(
            inventory,
            reserved=draw(st.sampled_from([0, 0, 1, inventory.total])),
            min_unit=draw(st.sampled_from([1, 1, 2, 3])),
            max_unit=draw(st.sampled_from([100, 1, 2, 3, 4])),
            step_size=draw(st.sampled_from([1, 1, 2, 3])),
            # 100 x 0.57 is 56 in binary fractions.
            allocation_ratio=draw(st.sampled_from([1.0, 1.5, 2.0, 0.57])),
        )
    room = capacity(inventory)
    return replace(inventory, used=draw(st.sampled_from([0, 0, 0, 0, 1, 1, 2, max(room - 1, 0), room, room + 1])))


@st.composite
def providers(draw: st.DrawFn, name: str, parent: str | None) -> Provider:
    """Draw a provider; any of them, root or not, may share."""
    fewest = draw(st.sampled_from([1, 0, 1, 2]))
    classes = draw(st.lists(st.sampled_from(CLASSES), unique=True, min_size=fewest, max_size=3))
    shares = [SHARES] if draw(one_in(3)) else []
    return Provider(
        name=name,
        parent=parent,
        inventories={one: draw(inventories()) for one in classes},
        traits=(*draw(some(TRAITS, 2)), *shares),
        aggregates=tuple(draw(some(AGGREGATES, 2))),
    )


@st.composite
def clouds(draw: st.DrawFn) -> tuple[Provider, ...]:
    """Draw a cloud of a few providers: many trees or deep ones. One provider in three is like an earlier one."""
    cloud: list[Provider] = []
    deep = draw(st.booleans())
    depths: dict[str | None, int] = {None: 0}
    for number in range(draw(st.integers(1, MOST_PROVIDERS) | st.just(MOST_PROVIDERS))):
        name = f"p{number}"
        may_have_children = [one for one, depth in depths.items() if depth < DEEPEST]
        usual = may_have_children[-1:] if deep else [None]
        parent = draw(st.sampled_from(usual * len(may_have_children) + may_have_children))
        depths[name] = depths[parent] + 1
        if cloud and draw(one_in(3)):
            cloud.append(replace(draw(st.sampled_from(cloud)), name=name, parent=parent))
        else:
            cloud.append(draw(providers(name, parent)))
    return tuple(cloud)
