"""Clients that claim at the same time, as schedulers do."""

from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from random import Random
from uuid import uuid4

from asking import claim, host
from client import Client, Request
from clouds import uuid_of

POOL = uuid_of("pool0")
CANDIDATES = "/allocation_candidates?limit=10&resources="

Amounts = dict[str, dict[str, int]]


@dataclass
class Claimant:
    """One client of a cloud of so many hosts: its connection, the chance by which it chooses, and what it got."""

    client: Client
    random: Random
    hosts: int
    granted: int = 0
    refused: int = 0
    consumers: list[str] = field(default_factory=list)

    def claim(self, amounts: Amounts) -> None:
        """Claim *amounts*, by provider and resource class, for a new consumer."""
        consumer = str(uuid4())
        answer = self.client.send(Request("PUT", f"/allocations/{consumer}", claim(amounts)))
        if answer.status == HTTPStatus.NO_CONTENT:
            self.granted += 1
            self.consumers.append(consumer)
        else:
            self.refused += 1

    def release(self) -> None:
        """Give back all that was granted."""
        while self.consumers:
            self.client.send(Request("DELETE", f"/allocations/{self.consumers.pop()}"))

    def any_host(self) -> str:
        """Return one of the hosts."""
        return host(self.random.randrange(self.hosts))


def host_alone(claimant: Claimant) -> None:
    """Claim a part of any host."""
    claimant.claim({claimant.any_host(): {"VCPU": 1}})


def host_and_pool(claimant: Claimant) -> None:
    """Claim a part of any host and of the one pool."""
    claimant.claim({claimant.any_host(): {"VCPU": 1}, POOL: {"DISK_GB": 1}})


def candidate(resources: str) -> Callable[[Claimant], None]:
    """Return what asks for candidates and claims one of them, if there is any."""

    def act(claimant: Claimant) -> None:
        found = claimant.client.get(CANDIDATES + resources).json()["allocation_requests"]
        if found:
            chosen = claimant.random.choice(found)["allocations"]
            claimant.claim({uuid: entry["resources"] for uuid, entry in chosen.items()})

    return act


@dataclass(frozen=True)
class Storm:
    """Clients that act together, so many times in all, on a cloud of so many hosts, and that again and again.

    *full* says that the hosts get full, so that it is looked for inventories that hold more than their capacity.
    *goal* is in claims a second.
    """

    name: str
    title: str
    cloud: str
    act: Callable[[Claimant], None]
    clients: int
    acts: int = 200
    hosts: int = 1000
    times: int = 2
    full: bool = False
    goal: float | None = None


SMALL = candidate("VCPU:1,MEMORY_MB:1024")
LARGE = candidate("VCPU:8")
STORMS = [
    Storm("claims", "claims: one of the candidates, 4 clients", "1000 with a pool", SMALL, 4, goal=100),
    Storm("claims-16", "claims: one of the candidates, 16 clients", "1000 with a pool", SMALL, 16),
    Storm("claims-host", "claims: any host, 4 clients", "1000 with a pool", host_alone, 4),
    Storm("claims-pool", "claims: any host and the one pool, 4 clients", "1000 with a pool", host_and_pool, 4),
    Storm("claims-pool-16", "claims: any host and the one pool, 16 clients", "1000 with a pool", host_and_pool, 16),
    Storm("claims-full", "claims: a fourth of a host, 4 clients, until 6 hosts are full", "6 small", LARGE, 4,
          acts=40, hosts=6, times=4, full=True),
    Storm("claims-full-16", "claims: a fourth of a host, 16 clients, until 6 hosts are full", "6 small", LARGE, 16,
          acts=48, hosts=6, times=4, full=True),
]  # fmt: skip


def overfull(client: Client, hosts: int) -> int:
    """Return how many inventories of the hosts hold more than their capacity."""
    found = 0
    for number in range(hosts):
        path = f"/resource_providers/{host(number)}"
        usages = client.get(f"{path}/usages").json()["usages"]
        inventories = client.get(f"{path}/inventories").json()["inventories"]
        found += sum(usages[name] > one["total"] - one["reserved"] for name, one in inventories.items())
    return found
