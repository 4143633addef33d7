"""What is measured: a table of requests, each on one cloud of clouds.py."""

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus

from asking import delete_allocations, get, groups, host, put_allocations, put_inventories, reshape
from client import Request
from clouds import RARE_TRAIT, uuid_of

# The last microversion at which Placement sums the usages of a project on PostgreSQL.
USAGES_WORK = "1.37"


@dataclass(frozen=True)
class Case:
    """One kind of request.

    *request* gives that of round n; the rounds of what writes are different ones. *status* is of every answer.
    *goal* is in milliseconds of CPU, of graphplace and Neo4j together. *complete* says that the peer can give all
    candidates, without the limit of the request, within its time. *tuned* gives it its settings for wide trees.
    """

    name: str
    title: str
    cloud: str
    request: Callable[[int], Request]
    goal: float
    status: HTTPStatus = HTTPStatus.OK
    complete: bool = True
    tuned: bool = False


def candidates(name: str, title: str, cloud: str, query: str, goal: float, **rest: bool) -> Case:
    """Return a request for candidates."""
    return Case(name, title, cloud, get(f"/allocation_candidates?{query}"), goal, **rest)


THREE = "resources=VCPU:1,MEMORY_MB:1024,DISK_GB:10"
TEN = "&limit=10"
SUBTREE = (
    "resources_C=VCPU:2,MEMORY_MB:512&resources_F=FPGA:1&required_T=HW_NUMA_ROOT"
    "&same_subtree=_C,_F,_T&group_policy=none"
)
PERFLOAD = (
    "resources=DISK_GB:10&required=COMPUTE_VOLUME_MULTI_ATTACH&resources_COMPUTE=VCPU:1,MEMORY_MB:256"
    "&required_COMPUTE=CUSTOM_FOO&resources_FPGA=FPGA:1&group_policy=none&same_subtree=_COMPUTE,_FPGA"
)
FOUR = (
    "resources_1=VCPU:1&resources_2=VCPU:1&resources_3=SRIOV_NET_VF:1&resources_4=SRIOV_NET_VF:1&group_policy=isolate"
)
# Of more like groups than that Placement does not give all candidates.
COUNTABLE = 3


def growing(trees: int) -> list[Case]:
    """Return the requests that are asked of clouds of growing size."""
    flat, nested = f"flat {trees:,}", f"nested {trees:,}"
    return [
        candidates(f"flat-{trees}-ten", f"{flat}: 3 classes, limit 10", f"{trees} flat", THREE + TEN, 9),
        candidates(f"nested-{trees}-subtree-ten", f"{nested}: same_subtree of 3 groups, one resourceless, limit 10",
                   f"{trees} nested", SUBTREE + TEN, 13),
        candidates(f"nested-{trees}-perfload-ten", f"{nested}: the query of Placement's perfload, limit 10",
                   f"{trees} nested", PERFLOAD + TEN, 13),
    ]  # fmt: skip


FLAT = [
    candidates("flat-10000-all", "flat 10,000: 3 classes, all", "10000 flat", THREE, 400),
    candidates("flat-10000-trait-zone", "flat 10,000: trait and member_of, all", "10000 flat",
               f"{THREE}&required=HW_CPU_X86_AVX2&member_of={uuid_of('zone0')}", 50),
    candidates("flat-half-ten", "flat 10,000, half full: 3 classes, limit 10", "10000 flat, half full", THREE + TEN, 9),
]  # fmt: skip
NESTED = [
    candidates("nested-1000-subtree-all", "nested 1,000: same_subtree of 3 groups, one resourceless, all",
               "1000 nested", SUBTREE, 220),
    candidates("nested-1000-groups", "nested 1,000: 4 groups, isolate, limit 1,000", "1000 nested",
               f"{FOUR}&limit=1000", 160),
    candidates("nested-1000-groups-in-tree", "nested 1,000: the same with in_tree", "1000 nested",
               f"{FOUR}&in_tree_1={uuid_of('host77_numa0')}", 9),
    candidates("nested-1000-rare", "nested 1,000: a trait that 5 trees have", "1000 nested",
               f"resources=DISK_GB:10&required={RARE_TRAIT}", 9),
    candidates("nested-1000-nowhere", "nested 1,000: an amount that nothing has", "1000 nested",
               "resources=VCPU:64", 9),
    candidates("nested-1000-never-together", "nested 1,000: each class fits somewhere, both in no tree", "1000 nested",
               "resources=DISK_GB:10000,VGPU:16", 160),
]  # fmt: skip
SHARING = [
    candidates("sharing-all", "500 hosts, half full, sharing 3 pools: all", "500 sharing 3 pools", THREE, 40),
    candidates("sharing-ten", "500 hosts, half full, sharing 3 pools: limit 10", "500 sharing 3 pools",
               THREE + TEN, 20),
]  # fmt: skip
WIDE = [
    candidates(f"{name}-{number}", f"{title}: {number} groups, limit 10", cloud, groups(number, resources) + TEN, goal,
               complete=number <= COUNTABLE)
    for name, title, cloud, resources in (
        ("pci", "10 hosts with 16 PCI devices", "10 with 16 PCI devices", "CUSTOM_PCI:1"),
        ("vf", "10 hosts with 16 cards of 8 VFs", "10 with 16 cards of 8 VFs", "SRIOV_NET_VF:1"),
    )
    for number, goal in ((3, 12), (5, 20), (8, 20), (16, 20))
]  # fmt: skip
TUNED = [
    candidates(f"pci-tuned-{number}", f"10 hosts with 16 PCI devices: {number} groups, limit 10, Placement tuned",
               "10 with 16 PCI devices", groups(number, "CUSTOM_PCI:1") + TEN, 20, complete=False, tuned=True)
    for number in (5, 16)
]  # fmt: skip
PACKED = [
    candidates("pigeonhole", "12 devices of 3 units: 13 groups of 2", "12 devices of 3 units",
               groups(13, "CUSTOM_HOLE:2") + TEN, 20, complete=False),
    candidates("tight", "8 devices of 6 units: 6 groups of 3, limit 10", "8 devices of 6 units",
               groups(6, "CUSTOM_TIGHT:3") + TEN, 20, complete=False),
]  # fmt: skip
READS = [
    Case("provider", "GET one provider of 10,000", "10000 flat", get(f"/resource_providers/{host(77)}"), 3),
    Case("provider-usages", "GET the usages of one provider", "10000 flat",
         get(f"/resource_providers/{host(77)}/usages"), 3),
    Case("providers", "GET all 10,000 providers", "10000 flat", get("/resource_providers"), 120),
    Case("project-usages", f"GET the usages of a project with 100,000 consumers, at {USAGES_WORK}", "100000 consumers",
         get("/usages?project_id=project", version=USAGES_WORK), 120),
]  # fmt: skip
WRITES = [
    Case("put-inventories", "PUT inventories", "1000 flat", put_inventories, 5),
    Case("put-allocations", "PUT allocations of a new consumer", "1000 flat", put_allocations, 8,
         status=HTTPStatus.NO_CONTENT),
    Case("delete-allocations", "DELETE allocations", "1000 with 10 consumers", delete_allocations, 5,
         status=HTTPStatus.NO_CONTENT),
    Case("reshape", "POST reshaper with 10 consumers", "1000 with 10 consumers", reshape, 20,
         status=HTTPStatus.NO_CONTENT),
]  # fmt: skip
CASES = [
    *growing(100), *growing(1000), *growing(10_000), *FLAT, *NESTED, *SHARING, *WIDE, *TUNED, *PACKED, *READS, *WRITES,
]  # fmt: skip
