"""Random small clouds."""

from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from cloud import Inventory, Provider, uuid_of
from hypothesis import strategies as st
from oracle.oracle import SHARES, capacity

CLASSES = ("VCPU", "DISK_GB", "SRIOV_NET_VF", "CUSTOM_FOO")
TRAITS = ("HW_NUMA_ROOT", "HW_CPU_X86_AVX", "CUSTOM_ONE", "CUSTOM_TWO")
AGGREGATES = ("A", "B", "C")
KNOWN = frozenset({*CLASSES, *TRAITS, SHARES})

T = TypeVar("T")

ALL_AGGREGATES = tuple(uuid_of(name) for name in AGGREGATES)
MOST_PROVIDERS = 9
DEEPEST = 6


# Making a strategy takes longer than drawing from it.
@lru_cache(maxsize=10_000, typed=True)
def one_in(number: int) -> st.SearchStrategy[bool]:
    """Draw True once in *number* times; shrinks to False."""
    return st.sampled_from([False] * (number - 1) + [True])


@lru_cache(maxsize=10_000, typed=True)
def one_of(*values: T) -> st.SearchStrategy[T]:
    """Draw one of *values*; shrinks to the first."""
    return st.sampled_from(values)


@lru_cache(maxsize=10_000, typed=True)
def some(values: tuple[str, ...], most: int, fewest: int = 0) -> st.SearchStrategy[list[str]]:
    """Draw up to *most* of *values*, and at least *fewest* of them."""
    return st.lists(one_of(*values), unique=True, min_size=fewest, max_size=most) if values else st.just([])


@st.composite
def inventories(draw: st.DrawFn) -> Inventory:
    """Draw an inventory, half of them with an edge: reserved, units, steps, a ratio; some are full or over-full."""
    inventory = Inventory(total=draw(one_of(4, 1, 2, 3, 6, 8, 8, 100)))
    if draw(one_in(2)):
        inventory = replace(
            inventory,
            reserved=draw(one_of(0, 0, 1, inventory.total)),
            min_unit=draw(one_of(1, 1, 2, 3)),
            max_unit=draw(one_of(100, 1, 2, 3, 4)),
            step_size=draw(one_of(1, 1, 2, 3)),
            # 100 x 0.57 is 56 in binary fractions.
            allocation_ratio=draw(one_of(1.0, 1.5, 2.0, 0.57)),
        )
    room = capacity(inventory)
    return replace(inventory, used=draw(one_of(0, 0, 0, 0, 1, 1, 2, max(room - 1, 0), room, room + 1)))


@st.composite
def providers(draw: st.DrawFn, name: str, parent: str | None) -> Provider:
    """Draw a provider; any of them, root or not, may share."""
    fewest = draw(one_of(1, 0, 1, 2))
    classes = draw(some(CLASSES, 3, fewest))
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
    deep = draw(one_in(2))
    depths: dict[str | None, int] = {None: 0}
    for number in range(draw(one_of(*range(1, MOST_PROVIDERS), *[MOST_PROVIDERS] * MOST_PROVIDERS))):
        name = f"p{number}"
        may_have_children = [one for one, depth in depths.items() if depth < DEEPEST]
        usual = may_have_children[-1:] if deep else [None]
        parent = draw(one_of(*usual * len(may_have_children), *may_have_children))
        depths[name] = depths[parent] + 1
        if cloud and draw(one_in(3)):
            cloud.append(replace(cloud[draw(st.integers(0, number - 1))], name=name, parent=parent))
        else:
            cloud.append(draw(providers(name, parent)))
    return tuple(cloud)
