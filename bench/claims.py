"""Measure how many claims are granted in a second, as clients see them over HTTP.

    .venv/bin/python bench/claims.py [CLAIMS]       (default: 600 for each row)

Needs psutil. Starts ``graphplace serve`` and a Neo4j of its own in a temporary folder, loads hosts and one pool that
all of them share, and lets 1, 4 and 16 clients claim: a host that each picks itself; the same with a part of the pool,
which every claim then touches; and one of the candidates that each asks for first. A row says how many claims were
granted in a second, how many were refused, the median and the 99th percentile of a claim in milliseconds (with the
request for candidates where there is one), and the CPU milliseconds of the API and of Neo4j for each claim.
"""

import http.client
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

from clouds import uuid_of
from server import HEADERS, PORT, Server, cpu, load, serving

CLAIMS = 600
CLIENTS = (1, 4, 16)
HOSTS = 1000
WARM_UP = 300
POOL = uuid_of("pool")


class Client:
    """One connection, and the chance by which its client chooses."""

    def __init__(self, seed: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", PORT)
        self._random = Random(seed)  # noqa: S311  # the same load each time

    def claim_host(self) -> bool:
        """Claim a part of any host; return whether it was granted."""
        return self._claim({self._host(): {"resources": {"VCPU": 1}}})

    def claim_host_and_pool(self) -> bool:
        """Claim a part of any host and of the pool; return whether it was granted."""
        return self._claim({self._host(): {"resources": {"VCPU": 1}}, POOL: {"resources": {"DISK_GB": 1}}})

    def claim_candidate(self) -> bool:
        """Ask for candidates and claim one of them; return whether it was granted."""
        path = "/allocation_candidates?resources=VCPU:1,MEMORY_MB:1024&limit=10"
        _, found = self._send("GET", path)
        return self._claim(self._random.choice(found["allocation_requests"])["allocations"])

    def _host(self) -> str:
        return uuid_of(f"host{self._random.randrange(HOSTS)}")

    def _claim(self, allocations: dict[str, Any]) -> bool:
        body = {
            "allocations": allocations,
            "consumer_generation": None,
            "consumer_type": "INSTANCE",
            "project_id": f"project{self._random.randrange(5)}",
            "user_id": "user",
        }
        status, _ = self._send("PUT", f"/allocations/{uuid4()}", body)
        return status == HTTPStatus.NO_CONTENT

    def _send(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        headers = HEADERS | ({"Content-Type": "application/json"} if body else {})
        self._connection.request(method, path, json.dumps(body) if body else None, headers)
        response = self._connection.getresponse()
        text = response.read()
        return response.status, json.loads(text) if text else None


CASES: dict[str, Callable[[Client], bool]] = {
    "any host": Client.claim_host,
    "any host and the one pool": Client.claim_host_and_pool,
    "candidates, then one of them": Client.claim_candidate,
}


def main() -> None:
    """Measure every case with every number of clients, and print a row for each."""
    claims = int(sys.argv[1]) if len(sys.argv) > 1 else CLAIMS
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        load(Path(folder), [cloud()])
        print("| claims | clients | granted/s | refused | median ms | 99 % ms | CPU API ms | CPU Neo4j ms |")
        print("| --- | --: | --: | --: | --: | --: | --: | --: |")
        for title, claim in CASES.items():
            run(server, claim, 1, WARM_UP)
            for clients in CLIENTS:
                print(f"| {title} | {clients} | {run(server, claim, clients, claims)} |", flush=True)


def run(server: Server, claim: Callable[[Client], bool], clients: int, claims: int) -> str:
    """Return the figures of one row."""
    each = claims // clients

    def work(seed: int) -> list[tuple[bool, float]]:
        client = Client(seed)
        return [timed(client) for _ in range(each)]

    def timed(client: Client) -> tuple[bool, float]:
        began = time.perf_counter()
        granted = claim(client)
        return granted, (time.perf_counter() - began) * 1000

    before = cpu(server.api()), cpu(server.neo4j())
    began = time.perf_counter()
    with ThreadPoolExecutor(clients) as pool:
        done = [one for found in pool.map(work, range(clients)) for one in found]
    seconds = time.perf_counter() - began
    used = [
        (now - then) / len(done) for now, then in zip((cpu(server.api()), cpu(server.neo4j())), before, strict=True)
    ]
    granted = sum(ok for ok, _ in done)
    times = sorted(took for _, took in done)
    return " | ".join(
        [
            f"{granted / seconds:.0f}",
            str(len(done) - granted),
            f"{statistics.median(times):.1f}",
            f"{times[len(times) * 99 // 100]:.0f}",
            *(f"{milliseconds:.1f}" for milliseconds in used),
        ]
    )


def cloud() -> dict[str, Any]:
    """Return hosts that share a pool, as a document to load."""
    hosts = [
        {
            "uuid": uuid_of(f"host{number}"),
            "name": f"host{number}",
            "inventories": {"VCPU": {"total": 1000}, "MEMORY_MB": {"total": 1024 * 1000}},
            "aggregates": [uuid_of("row")],
        }
        for number in range(HOSTS)
    ]
    pool = {
        "uuid": POOL,
        "name": "pool",
        "inventories": {"DISK_GB": {"total": 10_000_000}},
        "traits": ["MISC_SHARES_VIA_AGGREGATE"],
        "aggregates": [uuid_of("row")],
    }
    return {"version": 1, "providers": [*hosts, pool]}


if __name__ == "__main__":
    main()
