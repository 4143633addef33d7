"""A small cloud that is written to in every way at once."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from threading import Event, Thread

from claims import claim, consumer, generation
from cloud import uuid_of
from flask.testing import FlaskClient

HOSTS = [f"cn{number}" for number in range(4)]
BUSY_CLOUD = "\n".join(
    f"{host}  VCPU:16  MEMORY_MB:16\n  {host}_child0  PGPU:1\n  {host}_child1  PGPU:1" for host in HOSTS
)


@contextmanager
def busy(client: FlaskClient) -> Iterator[None]:
    """Let four threads write to the busy cloud as long as the block; what one of them raises is raised at its end."""
    over = Event()
    failures: list[Exception] = []

    def write(seed: int) -> None:
        own, choice = client.application.test_client(), Random(seed)  # noqa: S311  # nothing secret
        own.environ_base |= client.environ_base
        try:
            while not over.is_set():
                write_something(own, choice)
        except Exception as error:  # raised again in the test's own thread
            failures.append(error)

    threads = [Thread(target=write, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()
    if failures:
        raise failures[0]


def write_something(client: FlaskClient, choice: Random) -> None:
    """One write of any kind, to a cloud of a few hosts; refusals are part of the game, failures are not."""
    host, other = choice.sample(HOSTS, 2)
    name = f"c{choice.randrange(8)}"
    held = consumer(client, name)
    at = held.get("consumer_generation")
    path = f"/resource_providers/{uuid_of(host)}"
    match choice.randrange(8):
        case 0 | 1:
            body = claim({host: {"VCPU": choice.randrange(1, 4)}, other: {"MEMORY_MB": 1}}, at)
            answer = client.put(f"/allocations/{uuid_of(name)}", json=body)
        case 2:
            answer = client.delete(f"/allocations/{uuid_of(name)}")
        case 3:
            child = f"{host}_child{choice.randrange(2)}"
            parent = uuid_of(choice.choice([host, other])) if choice.randrange(3) else None
            answer = client.put(
                f"/resource_providers/{uuid_of(child)}", json={"name": child, "parent_provider_uuid": parent}
            )
        case 4:
            traits = ["MISC_SHARES_VIA_AGGREGATE"] if choice.randrange(2) else []
            answer = client.put(
                f"{path}/traits", json={"traits": traits, "resource_provider_generation": generation(client, host)}
            )
        case 5:
            body = {"aggregates": [uuid_of("A")], "resource_provider_generation": generation(client, host)}
            answer = client.put(f"{path}/aggregates", json=body)
        case 6:
            inventories = {
                name: {"total": choice.randrange(4, 20), "allocation_ratio": 1.5} for name in ("VCPU", "MEMORY_MB")
            }
            body = {
                "inventories": {
                    uuid_of(host): {
                        "inventories": inventories,
                        "resource_provider_generation": generation(client, host),
                    }
                },
                "allocations": {uuid_of(name): claim({host: {"VCPU": 1}}, at)},
            }
            answer = client.post("/reshaper", json=body)
        case _:
            answer = client.delete(f"/resource_providers/{uuid_of(f'new{host}')}")
            answer = client.post("/resource_providers", json={"name": f"new{host}", "uuid": uuid_of(f"new{host}")})
    assert answer.status_code < 500, answer.text
