"""kill -9 of the API or of Neo4j among reshapes: each is there as a whole or not at all, and what was answered is.

GRAPHPLACE_TEST_KILLED_RESHAPES says how many reshapes there are; of 200, each 25th answer brings a kill.
"""

import http.client
import json
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from claims import claim
from cloud import PROJECT, uuid_of
from flask.testing import FlaskClient
from graph import look
from graphplace.api import create_app
from neo4j_process import kill
from processes import HEADERS, serving

from graphplace import loading
from graphplace.check import check
from graphplace.cli.serve import environment
from graphplace.graph import local, schema
from graphplace.graph.database import Database
from graphplace.locks import lock_providers
from graphplace.settings import Settings

RESHAPES = int(os.environ.get("GRAPHPLACE_TEST_KILLED_RESHAPES", "16"))
ANSWERS_A_KILL = max(12, RESHAPES // 8)
WRITERS = 4
CONSUMERS = 4
DONE = 204
# The API says so when Neo4j is gone; without an API there is no answer.
UNAVAILABLE = 503

PLACES = """
UNWIND $hosts AS host
MATCH (p:ResourceProvider {uuid: host})<-[:IN_TREE]-(one:ResourceProvider)-[:HAS_INVENTORY]->(i:Inventory)
OPTIONAL MATCH (c:Consumer)-[r:CONSUMES]->(i)
WITH host, one, i, collect([c.uuid, r.amount]) AS held
RETURN host, collect([one.name, i.resource_class, i.used, size(held)]) AS places
"""


@dataclass
class Service:
    """What is killed. ``post`` sends a body to the reshaper and returns the status of the answer, None without one."""

    database: Database
    post: Callable[[Any], int | None]
    kill: Callable[[], None]
    lock: threading.Lock = field(default_factory=threading.Lock)


def hosts_of(number: int) -> bytes:
    """Flat hosts, each with consumers of its VGPUs, and a GPU that has nothing yet; as a file for graphplace load."""
    providers: list[dict[str, Any]] = []
    for host in map("host{}".format, range(number)):
        inventories = {"VCPU": {"total": 8}, "VGPU": {"total": 8}}
        providers.append({"uuid": uuid_of(host), "name": host, "inventories": inventories})
        providers.append({"uuid": uuid_of(f"{host} gpu"), "name": f"{host} gpu", "parent": host})
    owner = {"type": "INSTANCE", "project_id": PROJECT, "user_id": PROJECT}
    consumers = [
        {"uuid": uuid_of(f"host{host} c{one}"), **owner, "allocations": {f"host{host}": {"VCPU": 1, "VGPU": 1}}}
        for host in range(number)
        for one in range(CONSUMERS)
    ]
    return json.dumps({"version": 1, "providers": providers, "consumers": consumers}).encode()


def body_of(client: FlaskClient, host: str) -> dict[str, Any]:
    """What moves the VGPUs of a host, and what consumers hold of them, to its GPU."""
    shapes = {host: {"VCPU": {"total": 8}}, f"{host} gpu": {"VGPU": {"total": 8}}}
    return {
        "inventories": {
            uuid_of(name): {
                "inventories": inventories,
                "resource_provider_generation": client.get(f"/resource_providers/{uuid_of(name)}").json["generation"],
            }
            for name, inventories in shapes.items()
        },
        "allocations": {
            uuid_of(f"{host} c{one}"): claim({host: {"VCPU": 1}, f"{host} gpu": {"VGPU": 1}}, 1)
            for one in range(CONSUMERS)
        },
    }


def reshaped(database: Database) -> set[str]:
    """The hosts that are reshaped; all others are as they were."""
    names = {uuid_of(f"host{number}"): f"host{number}" for number in range(RESHAPES)}
    # Whoever was killed while it committed has its locks until that is done.
    database.rehearse(lambda tx: lock_providers(tx, names))
    found = {names[row["host"]]: sorted(row["places"]) for row in look(database, PLACES, hosts=list(names))}
    before = {host: [[host, "VCPU", CONSUMERS, CONSUMERS], [host, "VGPU", CONSUMERS, CONSUMERS]] for host in found}
    after = {
        host: [[host, "VCPU", CONSUMERS, CONSUMERS], [f"{host} gpu", "VGPU", CONSUMERS, CONSUMERS]] for host in found
    }
    assert found.keys() == set(names.values())
    assert {host: places for host, places in found.items() if places not in (before[host], after[host])} == {}
    return {host for host, places in found.items() if places == after[host]}


def storm(service: Service, bodies: dict[str, Any]) -> set[str]:
    """Send *bodies* from several threads until the service is killed; return the hosts that were answered for."""
    queue = iter(list(bodies))
    answered: set[str] = set()

    def write() -> None:
        while True:
            with service.lock:
                host = next(queue, None)
            if host is None:
                return
            status = service.post(bodies[host])
            if status != DONE:
                assert status in (None, UNAVAILABLE)
                return
            with service.lock:
                answered.add(host)
                killing = len(answered) == ANSWERS_A_KILL
            if killing:
                service.kill()
                return

    with ThreadPoolExecutor(WRITERS) as writers:
        for writer in [writers.submit(write) for _ in range(WRITERS)]:
            writer.result()
    return answered


def endure(start: Callable[[], AbstractContextManager[Service]]) -> None:
    """Reshape all hosts, with a new service after each kill."""
    bodies: dict[str, Any] = {}
    answered: set[str] = set()
    kills = unanswered = 0
    killed = True
    while killed:
        with start() as service:
            if not bodies:
                loading.load(service.database, loading.read_cloud(hosts_of(RESHAPES)))
                client = create_app(service.database).test_client()
                client.environ_base |= {"HTTP_X_AUTH_TOKEN": "admin", "HTTP_OPENSTACK_API_VERSION": "placement 1.39"}
                bodies = {host: body_of(client, host) for host in map("host{}".format, range(RESHAPES))}
            done = reshaped(service.database)
            assert answered <= done, "what was answered is there"
            unanswered += len(done - answered)
            now = storm(service, {host: body for host, body in bodies.items() if host not in done})
            answered = done | now
            killed = len(now) >= ANSWERS_A_KILL
            kills += killed
            if not killed:
                assert reshaped(service.database) == bodies.keys()
                assert list(check(service.database)) == []
    assert kills, "it was not in the middle of anything"
    print(f"{RESHAPES} reshapes, {kills} kills, {unanswered} done without an answer")  # for -s


def post(port: int, body: Any) -> int | None:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    try:
        connection.request("POST", "/reshaper", json.dumps(body), {**HEADERS, "Content-Type": "application/json"})
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def kill_with_children(process_id: int) -> None:
    children = Path(f"/proc/{process_id}/task/{process_id}/children").read_text().split()
    for one in (process_id, *map(int, children)):
        kill(one)


def test_the_api_is_killed(database: Database, neo4j_settings: Settings) -> None:
    @contextmanager
    def start() -> Iterator[Service]:
        with serving(environment(neo4j_settings)) as server:
            yield Service(
                database,
                lambda body: post(server.port, body),
                lambda: kill_with_children(server.process.pid),
            )

    endure(start)


def test_neo4j_is_killed(own_settings: Settings) -> None:
    @contextmanager
    def start() -> Iterator[Service]:
        with (
            local.start(own_settings, detached=False, fast_start=True) as found,
            closing(Database.connect(found.connect_to(own_settings))) as database,
        ):
            schema.initialise(database)
            app = create_app(database)
            yield Service(
                database,
                lambda body: app.test_client().post("/reshaper", json=body, headers=HEADERS).status_code,
                lambda: kill(found.pid),
            )

    endure(start)
