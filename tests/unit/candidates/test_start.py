"""Where a search starts, and how many trees it asks for first."""

import pytest

from graphplace.candidates.names import Extent, Names
from graphplace.candidates.start import ALL, best_start
from graphplace.compiler.start import AggregateStart, ClassStart, TraitStart

CPUS = ClassStart("VCPU", 1)
DISK = ClassStart("DISK_GB", 1)
HALF = TraitStart(frozenset({"HALF"}))
RARE = TraitStart(frozenset({"RARE"}))
ZONE = AggregateStart(frozenset({"zone"}))
NOBODY = AggregateStart(frozenset({"nobody"}))
# 10,000 hosts with CPUs, of which 2,000 are in the zone; the disk is of three pools that all share.
NAMES = Names(
    fitting={"VCPU": Extent(10_000, 0), "DISK_GB": Extent(3, 30_000)},
    holders={"HALF": Extent(5_000, 0), "RARE": Extent(5, 0)},
    members={"zone": Extent(2_000, 0), "nobody": Extent(0, 0)},
    trees={},
    sharing=True,
)


@pytest.mark.parametrize(
    ("starts", "limit", "best"),
    [
        ([CPUS], 10, (CPUS, 16)),
        ([CPUS], 200, (CPUS, 300)),
        ([CPUS], None, (CPUS, ALL)),
        # Half of the trees do, so that twice as many and a margin are asked for.
        ([HALF, CPUS], 10, (CPUS, 30)),
        ([HALF, CPUS], 200, (CPUS, 600)),
        ([CPUS, ZONE], 10, (ZONE, 16)),
        ([CPUS, ZONE], 100, (ZONE, 150)),
        ([CPUS, HALF, ZONE], None, (ZONE, ALL)),
        ([CPUS, RARE], 10, (RARE, 16)),
        ([CPUS, RARE, NOBODY], 10, (NOBODY, 16)),
        ([DISK, CPUS], 10, (CPUS, 16)),
    ],
    ids=str,
)
def test_the_fewest_trees_are_listed(starts: list[ClassStart], limit: int | None, best: tuple[ClassStart, int]) -> None:
    assert best_start(starts, NAMES, limit) == best


def test_of_equal_starts_it_is_the_class_because_its_trees_come_in_order() -> None:
    few = Names(fitting={"VCPU": Extent(20, 0)}, holders={"HALF": Extent(20, 0)}, members={}, trees={}, sharing=False)
    assert best_start([HALF, CPUS], few, None)[0] == CPUS
    assert best_start([HALF, CPUS], few, 10)[0] == CPUS


@pytest.mark.parametrize("starts", [[CPUS, HALF], [CPUS, ZONE, HALF], [DISK, ZONE, CPUS]], ids=str)
def test_it_is_the_same_whatever_the_limit(starts: list[ClassStart]) -> None:
    assert len({best_start(starts, NAMES, limit)[0] for limit in (None, 1, 10, 100, 1000)}) == 1
