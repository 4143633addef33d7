"""Measure requests for candidates end to end, as one client sees them over HTTP, on clouds of growing size.

    .venv/bin/python bench/candidates.py [TREES ...]        (default: 1000 10000)

Needs psutil. Starts ``graphplace serve`` and a Neo4j of its own in a temporary folder, loads the cloud of clouds.py
with each number of trees, and prints a table for each: the candidates found; the first answer after all plans of
Neo4j are forgotten, and the median of the warm ones, in milliseconds; the CPU milliseconds of the API and of Neo4j
for one; and how far the memory of each rose above what it was when idle. A last table says how long Neo4j plans each
text.
"""

import statistics
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from clouds import RARE_TRAIT, cloud, uuid_of
from graphplace.cypher import Statement, statements
from server import Server, cpu, load, peak, reset_peak, resident, serving

from graphplace.graph import local
from graphplace.graph.database import Database
from graphplace.settings import Settings

SIZES = (1000, 10_000)
WARM_UP = 20_000
LEAST = 3_000
FEWEST = 5

TEN = "&limit=10"
SUBTREE = (
    "resources_C=VCPU:4,MEMORY_MB:4096&resources_N=SRIOV_NET_VF:1&resources_F=FPGA:1&required_T=HW_NUMA_ROOT"
    "&same_subtree=_C,_N,_F,_T&group_policy=none"
)
FOUR = (
    "resources_1=VCPU:1&resources_2=VCPU:1&resources_3=SRIOV_NET_VF:1&resources_4=SRIOV_NET_VF:1&group_policy=isolate"
)


@dataclass(frozen=True)
class Case:
    """One request to measure, in words and as a query."""

    title: str
    query: str


def groups(number: int, resources: str, policy: str) -> str:
    """Return a query of like groups."""
    return "&".join(f"resources_{n}={resources}" for n in range(number)) + f"&group_policy={policy}"


CASES = [
    Case("same_subtree, one group resourceless, limit 10", SUBTREE + TEN),
    Case("the same, limit 1000", f"{SUBTREE}&limit=1000"),
    Case("the same, all", SUBTREE),
    Case("flat, two classes and a third on the root, limit 10", "resources=VCPU:1,MEMORY_MB:1024,DISK_GB:10&limit=10"),
    Case("a trait that 5 trees have", f"resources=DISK_GB:10&required={RARE_TRAIT}"),
    Case("4 groups of which one is in a tree, limit 10", f"{FOUR}&in_tree_1={uuid_of('host77')}" + TEN),
    Case("no inventory has as much", "resources=VCPU:64"),
    Case("every class fits somewhere, no tree fits", "resources_1=FPGA:1&resources_2=PGPU:1&group_policy=none"),
    *(
        Case(f"10 hosts with 16 devices, {number} groups, {policy}, limit 10", groups(number, "PGPU:1", policy) + TEN)
        for number in (1, 3, 5, 8, 16)
        for policy in ("none", "isolate")
    ),
    Case("8 devices of 6 units, 6 groups, limit 10", groups(6, "CUSTOM_TIGHT:3", "none") + TEN),
    Case("12 devices of 3 units, 13 groups of 2", groups(13, "CUSTOM_HOLE:2", "none") + TEN),
]  # fmt: skip


def main() -> None:
    """Measure every size and print its table, and at the end how long the texts are planned."""
    for trees in [int(word) for word in sys.argv[1:]] or SIZES:
        with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
            load(Path(folder), cloud(trees))
            with closing(connect(Path(folder))) as database:
                print(f"\n{trees} trees of 7 providers, beside them 12 wide ones\n")
                print("| request | candidates | cold ms | warm ms | API CPU | Neo4j CPU | API MiB | Neo4j MiB |")
                print("| --- | --: | --: | --: | --: | --: | --: | --: |", flush=True)
                warm_up(server)
                for case in CASES:
                    print(measure(server, database, case), flush=True)
                print_plannings(database)


def warm_up(server: Server) -> None:
    """Let both compilers of the JVM see every request."""
    for case in CASES:
        repeat(server, case, WARM_UP / len(CASES))


def measure(server: Server, database: Database, case: Case) -> str:
    """Return the row of *case*."""
    forget_plans(database)
    cold = ask(server, case)
    repeat(server, case, LEAST / 3)
    api, neo4j_ = server.api(), server.neo4j()
    idle = resident(api), resident(neo4j_)
    reset_peak([*api, *neo4j_])
    before = cpu(api), cpu(neo4j_)
    times = repeat(server, case, LEAST)
    used = cpu(api) - before[0], cpu(neo4j_) - before[1]
    rise = peak(api) - idle[0], peak(neo4j_) - idle[1]
    figures = [
        f"{statistics.median(times):.1f}",
        *(f"{one / len(times):.1f}" for one in used),
        *(f"{one:.0f}" for one in rise),
    ]
    found = len(server.get(path(case)).json()["allocation_requests"])
    return " | ".join([f"| {case.title}", str(found), f"{cold:.0f}", *figures]) + " |"


def repeat(server: Server, case: Case, milliseconds: float) -> list[float]:
    """Ask again and again, at least FEWEST times and for so long, and return the time of each answer."""
    times: list[float] = []
    while len(times) < FEWEST or sum(times) < milliseconds:
        times.append(ask(server, case))
    return times


def ask(server: Server, case: Case) -> float:
    """Return the milliseconds that one answer took."""
    answer = server.get(path(case))
    if answer.status != HTTPStatus.OK:
        raise SystemExit(f"{case.query}: {answer.status} {answer.body.decode()}")
    return answer.milliseconds


def path(case: Case) -> str:
    """Return the path of the request."""
    return f"/allocation_candidates?{case.query}"


def print_plannings(database: Database) -> None:
    """Print how long Neo4j plans each text of the search when it has no plan of it, as a median of FEWEST times."""
    print("\n| text | ms to plan |\n| --- | --: |")
    for text in (one for one in statements() if one.name.startswith("candidates.")):
        times = [planning(database, text) for _ in range(FEWEST)]
        print(f"| {text.name} | {statistics.median(times):.0f} |", flush=True)


def planning(database: Database, text: Statement) -> float:
    """Return the milliseconds that one planning of *text* takes, the way to Neo4j and back included."""
    forget_plans(database)
    began = time.perf_counter()
    database.columns_of(text)
    return (time.perf_counter() - began) * 1000


def forget_plans(database: Database) -> None:
    """Make Neo4j forget all plans."""
    database.execute("CALL db.clearQueryCaches()")


def connect(folder: Path) -> Database:
    """Return the database of the Neo4j whose data is in *folder*. Raises LookupError when it does not run."""
    settings = Settings(data_dir=folder)
    found = local.running(settings)
    if found is None:
        raise LookupError(folder)
    return Database.connect(found.connect_to(settings))


if __name__ == "__main__":
    main()
