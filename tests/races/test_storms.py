"""Many clients over HTTP that write whatever they like: what was granted is what is stored, and it fits.

GRAPHPLACE_TEST_STORM_SECONDS is how long mixed writes go on, 5 without it; GRAPHPLACE_TEST_STORM_RUNS how often clients
with candidates are let loose, once without it.
"""

import http.client
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from itertools import count
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from claims import Held, claim, load
from cloud import HEADERS, uuid_of
from flask.testing import FlaskClient
from graph import look
from processes import Server, serving
from together import together

from graphplace.check import check as findings
from graphplace.graph.database import Database
from graphplace.settings import Settings

SECONDS = float(os.environ.get("GRAPHPLACE_TEST_STORM_SECONDS", "5"))
RUNS = int(os.environ.get("GRAPHPLACE_TEST_STORM_RUNS", "1"))
HOSTS = [f"cn{number}" for number in range(6)]
CAPACITY = 8
TURNS = 8

OVERFULL = "MATCH (i:Inventory) WHERE i.free < 0 RETURN properties(i) AS inventory"
STORED = """
MATCH (c:Consumer)-[r:CONSUMES]->(i:Inventory)<-[:HAS_INVENTORY]-(p:ResourceProvider)
RETURN c.uuid AS consumer, p.name AS provider, r.resource_class AS resource_class, r.amount AS amount
"""


class Client:
    """One connection to the server, and what its consumers were granted, by uuid of the consumer."""

    def __init__(self, server: Server, seed: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port)
        self.random = Random(seed)  # noqa: S311  # the same storm each time
        self.granted: dict[str, Held] = {}
        self.generations: dict[str, int] = {}
        self.answers = 0

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def send(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Return the status and the JSON of the answer; a 5xx is a failure, but that a search may take too long."""
        headers = HEADERS | ({"Content-Type": "application/json"} if body is not None else {})
        self._connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        response = self._connection.getresponse()
        text = response.read()
        assert response.status < 500 or (method, response.status) == ("GET", 503), text
        self.answers += 1
        return response.status, json.loads(text) if text else None

    def claim(self, held: Held, consumer: str | None = None) -> None:
        """Let a consumer, a new one unless it is named, hold something."""
        uuid = consumer or str(uuid4())
        status, _ = self.send("PUT", f"/allocations/{uuid}", claim(held, self.generations.get(uuid)))
        if status == 204:
            self._grant(uuid, held)

    def release(self, consumer: str) -> None:
        """Release all that a consumer of this client holds."""
        status, _ = self.send("DELETE", f"/allocations/{consumer}")
        assert status == 204
        self._end(consumer)

    def hand_over(self, consumer: str) -> None:
        """Give all that a consumer holds to a new one, in one request."""
        held, taker = self.granted[consumer], str(uuid4())
        body = {consumer: claim({}, self.generations[consumer]), taker: claim(held)}
        status, _ = self.send("POST", "/allocations", body)
        if status == 204:
            self._end(consumer)
            self._grant(taker, held)

    def pick(self) -> str | None:
        """Return a consumer of this client, if it has any."""
        return self.random.choice(list(self.granted)) if self.granted else None

    def _grant(self, consumer: str, held: Held) -> None:
        self.granted[consumer] = held
        self.generations[consumer] = self.generations.get(consumer, 0) + 1

    def _end(self, consumer: str) -> None:
        del self.granted[consumer], self.generations[consumer]


@pytest.fixture(scope="module")
def server(neo4j_settings: Settings, connected: Database) -> Iterator[Server]:
    """``graphplace serve`` on the graph of the tests."""
    environment = {
        "GRAPHPLACE_NEO4J_URI": str(neo4j_settings.neo4j_uri),
        "GRAPHPLACE_NEO4J_USER": neo4j_settings.neo4j_user,
        "GRAPHPLACE_NEO4J_PASSWORD": neo4j_settings.neo4j_password,
    }
    with serving(environment) as found:
        yield found


@pytest.fixture
def connect(server: Server) -> Iterator[Callable[[int], list[Client]]]:
    """So many clients of the server; each of them chooses otherwise."""
    seeds = count()
    with ExitStack() as opened:
        yield lambda number: [opened.enter_context(closing(Client(server, next(seeds)))) for _ in range(number)]


@pytest.fixture
def hosts(client: FlaskClient) -> None:
    """A few hosts with a pool that they share, and parts that are moved between them."""
    load(client, "\n".join(f"{name}  VCPU:{CAPACITY}  @pool" for name in HOSTS))
    load(client, "pool  DISK_GB:40  MISC_SHARES_VIA_AGGREGATE  @pool")
    load(client, "\n".join(f"part{number}  VGPU:2" for number in range(4)))
    client.put("/traits/CUSTOM_A")


def check_all(database: Database, clients: list[Client]) -> None:
    """What was granted is what is stored, everything derived is right, and nothing is overfull."""
    stored: dict[str, Held] = {}
    for row in look(database, STORED):
        stored.setdefault(row["consumer"], {}).setdefault(row["provider"], {})[row["resource_class"]] = row["amount"]
    assert stored == {consumer: held for client in clients for consumer, held in client.granted.items()}
    assert list(findings(database)) == []
    assert look(database, OVERFULL) == []


def write_anything(client: Client) -> None:
    """Make one of all the writes that there are."""
    random = client.random
    host, other, part = random.choice(HOSTS), random.choice(HOSTS), f"part{random.randrange(4)}"
    path, part_path = (f"/resource_providers/{uuid_of(name)}" for name in (random.choice([host, part]), part))
    consumer = client.pick()
    _, provider = client.send("GET", path)
    at = {"resource_provider_generation": provider["generation"] if provider and "generation" in provider else 0}
    parents = [uuid_of(host), uuid_of(other), uuid_of(f"part{random.randrange(4)}"), None]
    below = {"parent_provider_uuid": random.choice(parents)}
    inventory = {"total": CAPACITY, "max_unit": random.choice([4, CAPACITY])}
    child = uuid_of(f"child{random.randrange(4)}")
    writes = [
        partial(client.claim, {host: {"VCPU": random.randint(1, 4)}, "pool": {"DISK_GB": 1}}),
        partial(client.claim, {host: {"VCPU": 1}, part: {"VGPU": 1}}),
        partial(client.send, "PUT", part_path, {"name": part} | below),
        partial(client.send, "PUT", f"{path}/traits", at | {"traits": random.choice([[], ["CUSTOM_A"]])}),
        partial(client.send, "PUT", f"{path}/aggregates", at | {"aggregates": random.choice([[], [uuid_of("pool")]])}),
        partial(client.send, "PUT", f"/resource_providers/{uuid_of(host)}/inventories/VCPU", inventory | at),
        partial(client.send, "POST", "/resource_providers", {"name": child, "uuid": child} | below),
        partial(client.send, "DELETE", f"/resource_providers/{child}"),
        partial(client.send, "DELETE", f"{part_path}/inventories"),
        partial(client.send, "POST", f"{part_path}/inventories", {"resource_class": "VGPU", "total": 2}),
        partial(client.send, "DELETE", "/traits/CUSTOM_A"),
        partial(client.send, "PUT", "/traits/CUSTOM_A"),
    ]  # fmt: skip
    if consumer:
        writes += [
            partial(client.release, consumer),
            partial(client.release, consumer),
            partial(client.hand_over, consumer),
            partial(client.claim, {other: {"VCPU": 2}}, consumer),
        ]
    random.choice(writes)()


@pytest.mark.usefixtures("hosts")
def test_mixed_writes(connect: Callable[[int], list[Client]], database: Database) -> None:
    clients = connect(8)
    end = time.monotonic() + SECONDS

    def work(client: Client) -> None:
        while time.monotonic() < end:
            write_anything(client)

    together([partial(work, client) for client in clients])

    print(f"{sum(client.answers for client in clients)} answers")
    check_all(database, clients)


@pytest.mark.usefixtures("hosts")
@pytest.mark.parametrize("clients", [4, 16, 64])
def test_candidates_are_claimed_and_released(
    connect: Callable[[int], list[Client]], database: Database, clients: int
) -> None:
    for _ in range(RUNS):
        racing = connect(clients)

        def work(client: Client) -> None:
            for _ in range(TURNS):
                amount = client.random.randint(1, 3)
                path = f"/allocation_candidates?resources=VCPU:{amount},DISK_GB:1&limit=6"
                status, found = client.send("GET", path)
                if status == 200 and found["allocation_requests"]:
                    chosen = client.random.choice(found["allocation_requests"])["allocations"]
                    client.claim({NAMES[uuid]: one["resources"] for uuid, one in chosen.items()})
                if (consumer := client.pick()) and client.random.random() < 0.5:
                    client.release(consumer)

        together([partial(work, client) for client in racing])
        check_all(database, racing)
        assert any(client.granted for client in racing)
        for client in racing:
            for consumer in list(client.granted):
                client.release(consumer)
            client.close()


NAMES = {uuid_of(name): name for name in [*HOSTS, "pool"]}
