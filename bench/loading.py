"""Measure loading: seconds for a cloud of many providers, into an empty graph and a second time.

    GRAPHPLACE_NEO4J_URI=... .venv/bin/python bench/loading.py [HOSTS]

Each host is a root with two NUMA cells and two physical functions, five providers. Wipes the graph first.
"""

import json
import sys
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any, TypeVar
from uuid import NAMESPACE_DNS, uuid5

from graphplace.graph import schema
from graphplace.graph.database import Database
from graphplace.loading import load, read_cloud
from graphplace.settings import Settings

T = TypeVar("T")
DEFAULT_HOSTS = 1000


def document(hosts: int) -> bytes:
    """Return the document of a cloud of *hosts* hosts, each with one instance."""
    providers = [provider for number in range(hosts) for provider in host(f"host{number}", number)]
    consumers = [
        {
            "uuid": uuid_of(f"instance{number}"),
            "type": "INSTANCE",
            "project_id": "p",
            "user_id": "u",
            "allocations": {f"host{number}_numa0": {"VCPU": 2, "MEMORY_MB": 2048}, f"host{number}": {"DISK_GB": 20}},
        }
        for number in range(hosts)
    ]
    custom = {"traits": ["CUSTOM_PHYSNET_A", "CUSTOM_PHYSNET_B"]}
    return json.dumps({"version": 1, "providers": providers, "consumers": consumers} | custom).encode()


def host(name: str, number: int) -> list[dict[str, Any]]:
    """Return the providers of one host."""
    aggregates = [uuid_of(f"rack{number // 40}")]
    disk = {"DISK_GB": {"total": 2000, "reserved": 100}}
    root = {"uuid": uuid_of(name), "name": name, "inventories": disk, "aggregates": aggregates}
    cells = [
        {
            "uuid": uuid_of(f"{name}_numa{cell}"),
            "name": f"{name}_numa{cell}",
            "parent": name,
            "inventories": {"VCPU": {"total": 32, "allocation_ratio": 4.0}, "MEMORY_MB": {"total": 131072}},
            "traits": ["HW_NUMA_ROOT", "HW_CPU_X86_AVX2"],
        }
        for cell in range(2)
    ]
    functions = [
        {
            "uuid": uuid_of(f"{name}_pf{cell}"),
            "name": f"{name}_pf{cell}",
            "parent": f"{name}_numa{cell}",
            "inventories": {"SRIOV_NET_VF": {"total": 8}},
            "traits": [f"CUSTOM_PHYSNET_{'AB'[cell]}"],
        }
        for cell in range(2)
    ]
    return [root, *cells, *functions]


def uuid_of(name: str) -> str:
    """Return the uuid that a name stands for."""
    return str(uuid5(NAMESPACE_DNS, name))


def timed(title: str, providers: int, work: Callable[[], T]) -> T:
    """Run *work*, print how long it took, and return what it returns."""
    began = time.perf_counter()
    done = work()
    took = time.perf_counter() - began
    print(f"{title}: {took:.2f} s, {providers / took:.0f} providers/s")
    return done


def main() -> None:
    """Measure and print."""
    hosts = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_HOSTS
    data = document(hosts)
    cloud = timed("reading", hosts * 5, lambda: read_cloud(data))
    with closing(Database.connect(Settings.load())) as database:
        schema.initialise(database)
        load(database, read_cloud(document(10)))
        for _ in range(3):
            schema.wipe(database)
            print(timed("first load", hosts * 5, lambda: load(database, cloud)))
        print(timed("second load", hosts * 5, lambda: load(database, cloud)))


if __name__ == "__main__":
    main()
