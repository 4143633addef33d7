"""Measure how long one client waits for candidates and for explanations, in clouds of trees of seven providers.

    .venv/bin/python bench/waiting.py [TREES ...]        (default: 1000 10000)

For each number of trees it starts ``graphplace serve`` with a Neo4j of its own in a temporary folder, loads the cloud
of that size, asks for everything once, then again until the JVM is warm, and then for what counts. It prints what the
client waited, as median and 95th percentile, the milliseconds of CPU of API and Neo4j, and what both grew by in MiB.
"""

import sys
import tempfile
from pathlib import Path

from asking import get, groups
from cases import Case, candidates
from client import NEWEST
from clouds import CLOUDS, RARE_TRAIT, uuid_of
from measuring import Effort, Figures, Side, measure, tell
from report import cells, number
from server import graphplace, settle

EXTENDED = f"{NEWEST}, graphplace 1.0"
SUBTREE = (
    "resources_C=VCPU:2,MEMORY_MB:4096&resources_N=SRIOV_NET_VF:1&resources_F=FPGA:1&required_R=HW_NUMA_ROOT"
    "&same_subtree=_R,_C,_N,_F&group_policy=none"
)
FOUR = "resources_1=VCPU:1&resources_2=VCPU:1&resources_3=SRIOV_NET_VF:1&resources_4=FPGA:1&group_policy=none"
THREE = "resources=VCPU:2,MEMORY_MB:4096,DISK_GB:10"
NOWHERE = "resources=MEMORY_MB:60000,DISK_GB:1500"
TEN = "&limit=10"

CANDIDATES = {
    "same_subtree of 4 groups, one resourceless, limit 10": SUBTREE + TEN,
    "the same, limit 1,000": f"{SUBTREE}&limit=1000",
    "the same, all": SUBTREE,
    "three classes, limit 10": THREE + TEN,
    "a trait that 5 trees have": f"{THREE}&required={RARE_TRAIT}{TEN}",
    "4 groups, one of them in a tree, limit 10": f"{FOUR}&in_tree_1={uuid_of('host77_numa0')}{TEN}",
    "an amount that no inventory has free": "resources=VCPU:64",
    "each class fits somewhere, both in no tree": NOWHERE,
    **{
        f"10 hosts of 16 like devices: {many} groups, {policy}, limit 10":
        groups(many, "CUSTOM_PCI:1", policy) + TEN
        for many in (1, 4, 8, 16)
        for policy in ("none", "isolate")
    },
    "8 devices of 6 units: 6 groups of 3, limit 10": groups(6, "CUSTOM_TIGHT:3") + TEN,
    "12 devices of 3 units: 13 groups of 2, limit 10": groups(13, "CUSTOM_HOLE:2") + TEN,
}  # fmt: skip
EXPLAINED = {
    "what has candidates": SUBTREE,
    "one class, more than there is": "resources=VCPU:64",
    "three classes, of one more than there is": "resources=VCPU:64,MEMORY_MB:4096,DISK_GB:10",
    "the same with a trait of the root": "resources=VCPU:64,MEMORY_MB:4096,DISK_GB:10&root_required=COMPUTE_NODE",
    "the same in an aggregate": f"resources=VCPU:64,MEMORY_MB:4096,DISK_GB:10&member_of={uuid_of('zone1')}",
    "the same for one host": "resources=VCPU:64,MEMORY_MB:4096,DISK_GB:10&host=host77",
    "a trait that all have is forbidden": "resources_C=VCPU:2&required_C=!HW_NUMA_ROOT",
    "a trait that nobody of the class has": "resources_C=VCPU:2&required_C=HW_GPU_API_VULKAN",
    "each class fits somewhere, both in no tree": NOWHERE,
    "a card and an FPGA that share no subtree": "resources_N=SRIOV_NET_VF:1&resources_F=FPGA:1&same_subtree=_N,_F",
    "two of a root, kept apart": "resources_1=DISK_GB:1&resources_2=DISK_GB:1&group_policy=isolate",
    "two of a root, together too much": "resources_1=DISK_GB:1100&resources_2=DISK_GB:1100&group_policy=none",
    "a trait that no provider of the group brings": "resources=VCPU:1,SRIOV_NET_VF:1&required=HW_GPU_API_VULKAN",
    "three groups, two of them nowhere together":
    "resources_C=VCPU:2&resources_N=SRIOV_NET_VF:1&resources_F=FPGA:1&same_subtree=_C,_N&same_subtree=_N,_F"
    "&group_policy=none",
}  # fmt: skip


def main(sizes: list[int]) -> None:
    """Measure and print."""
    for trees in sizes:
        cloud = f"{trees} small"
        with tempfile.TemporaryDirectory() as folder, graphplace(Path(folder) / "graphplace") as server:
            tell(f"loading {cloud} ...")
            server.load(CLOUDS[cloud]())
            server.restart()
            settle(server)
            print(f"\n{trees:,} trees\n")
            print(cells(["request", "candidates", "ms", "CPU ms", "MiB"]))
            print(cells(["---", "--:", "--:", "--:", "--:"]))
            for row in measure(cases(cloud), Side(server), None, Effort()):
                found = "" if row.candidates is None else f"{row.candidates:,}"
                print(cells([row.case.title, found, *_figures(row.ours)]), flush=True)


def cases(cloud: str) -> list[Case]:
    """Return all that is measured on *cloud*."""
    return [candidates(title, title, cloud, query, 0) for title, query in CANDIDATES.items()] + [
        Case(f"explained: {title}", f"explained: {title}", cloud,
             get(f"/allocation_candidates/explain?{query}", EXTENDED), 0)
        for title, query in EXPLAINED.items()
    ]  # fmt: skip


def _figures(found: Figures) -> list[str]:
    return [
        f"{number(found.median)} / {number(found.p95)}",
        f"{number(found.api_cpu)} + {number(found.database_cpu)}",
        f"{number(found.api_memory)} + {number(found.database_memory)}",
    ]


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or [1000, 10_000])
