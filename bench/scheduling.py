"""Measure selections of hosts: how long one takes, and how many there are a second.

    .venv/bin/python bench/scheduling.py [HOSTS]        (default: 10000)

Starts ``graphplace serve`` with a Neo4j of its own in a temporary folder, and loads hosts in one cell and in 50 host
aggregates, one of which is a project's. Each selection is for one instance with two alternates, over HTTP, and claims
its host; what is claimed is given back, which is not counted. With and without the filter that limits projects to their
aggregates, and for each number of candidates to be asked for, all in turn, it prints the median and the 95th percentile
of the milliseconds, and the milliseconds of CPU of scheduler, API and Neo4j. Then it prints how many selections eight
threads of one process are given in a second.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from uuid import uuid4

from clouds import flat, uuid_of
from keystoneauth1.adapter import Adapter
from keystoneauth1.session import Session
from keystoneauth1.token_endpoint import Token
from measuring import tell
from server import Graphplace, graphplace
from throughput import Meter

from graphplace import host_aggregates, hosts
from graphplace.compute import claims
from graphplace.compute.placement import Placement
from graphplace.graph.database import Database
from graphplace.scheduler.request_spec import Flavor, RequestSpec
from graphplace.scheduler.select import Scheduler
from graphplace.settings import Settings

AGGREGATES = 50
PROJECT = "project0"
SPEC = RequestSpec(flavor=Flavor(vcpus=1, memory_mb=1024, root_gb=10), project_id=PROJECT, user_id="user")
CANDIDATES = (100, 300, 1000)
TIMES = 30
# So long the compilers of the JVM take, and the API until it relies on trees that it remembers.
WARM_UP_SECONDS = 40
THREADS, EACH = 8, 6


@dataclass
class Case:
    """A scheduler with settings of its own, and what its selections took: wall time, and CPU of its own process."""

    scheduler: Scheduler
    meter: Meter
    times: list[float] = field(default_factory=list)
    cpu: float = 0.0

    @property
    def settings(self) -> Settings:
        """Its settings."""
        return self.scheduler.settings

    def select(self) -> str:
        """Select a host for a new instance, and return the uuid of that."""
        instance = str(uuid4())
        ((_, *alternates),) = self.scheduler.select_destinations(None, SPEC, [instance])
        if len(alternates) != self.settings.scheduler_max_attempts - 1:
            raise ValueError(f"{len(alternates)} alternates")
        return instance

    def release(self, *instances: str) -> None:
        """Give back what was claimed for *instances*."""
        for instance in instances:
            claims.release(Placement(self.scheduler.session), instance)

    def measure(self) -> None:
        """Select once, and count it."""
        made: list[str] = []
        self.meter.run(lambda: made.append(self._timed()))
        self.release(*made)

    def _timed(self) -> str:
        used, began = time.process_time(), time.perf_counter()
        instance = self.select()
        self.times.append((time.perf_counter() - began) * 1000)
        self.cpu += (time.process_time() - used) * 1000
        return instance

    def row(self) -> str:
        """Return what was measured as a row of a table."""
        rate = self.meter.rate(len(self.times))
        p95 = statistics.quantiles(self.times, n=20)[-1]
        cpu = f"{self.cpu / len(self.times):.0f} + {rate.api_cpu:.0f} + {rate.database_cpu:.0f}"
        return f"| {_words(self.settings)} | {statistics.median(self.times):.0f} / {p95:.0f} | {cpu} |"


def main(count: int = 10_000) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder, graphplace(Path(folder) / "graphplace") as server:
        tell("loading ...")
        server.load(flat(count, zones=AGGREGATES))
        with closing(server.database()) as database:
            map_hosts(database, range(0, count, AGGREGATES))
            cases = list(cases_of(server, database))
            tell("warming up ...")
            end = time.monotonic() + WARM_UP_SECONDS
            while time.monotonic() < end:
                for case in cases:
                    case.release(case.select())
            print("| candidates asked for | ms | CPU ms |\n| --- | --: | --: |")
            for _ in range(TIMES):
                for case in cases:
                    case.measure()
            print("\n".join(case.row() for case in cases), flush=True)
            print(f"\n| {THREADS} threads | selections a second |\n| --- | --: |")
            for case in cases:
                print(f"| {_words(case.settings)} | {rate(case):.0f} |", flush=True)


def map_hosts(database: Database, own: Sequence[int]) -> None:
    """Let all roots be hosts of one cell, and say which of them are in the project's aggregate.

    The zones of the cloud mirror the host aggregates. Which hosts are in the others is not written: nobody reads it.
    """
    hosts.create_cell(database, "cell1")
    hosts.discover(database, "cell1")
    for number in range(AGGREGATES):
        metadata = {"filter_tenant_id": f"project{number}"}
        host_aggregates.create(database, f"aggregate{number}", uuid_of(f"zone{number}"), metadata)
    for number in own:
        host_aggregates.add_host(database, "aggregate0", f"host{number}")


def cases_of(server: Graphplace, database: Database) -> Iterator[Case]:
    """Yield all that is measured."""
    auth = Token(f"http://127.0.0.1:{server.port}", "admin")
    session = Adapter(Session(auth), service_type="placement", raise_exc=False)
    for most in CANDIDATES:
        for limited in (False, True):
            settings = replace(
                Settings(),
                scheduler_max_placement_results=most,
                scheduler_limit_tenants_to_placement_aggregate=limited,
            )
            yield Case(Scheduler(database, session, settings), Meter(server))


def rate(case: Case) -> float:
    """Return how many selections a second threads are given that all select at once."""
    with ThreadPoolExecutor(THREADS) as pool:
        began = time.perf_counter()
        made = list(pool.map(lambda _: case.select(), range(THREADS * EACH)))
        took = time.perf_counter() - began
    case.release(*made)
    return len(made) / took


def _words(settings: Settings) -> str:
    limited = ", of the project's 1 in 50" if settings.scheduler_limit_tenants_to_placement_aggregate else ""
    return f"{settings.scheduler_max_placement_results}{limited}"


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
