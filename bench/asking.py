"""Requests that are made by number, so that no two rounds write the same."""

from collections.abc import Callable
from typing import Any

from client import NEWEST, Request
from clouds import uuid_of

# Two requests that write to one cloud share its 1,000 hosts.
WRITTEN = 500


def get(path: str, version: str = NEWEST) -> Callable[[int], Request]:
    """Return what makes the same GET request every round."""
    request = Request("GET", path, version=version)
    return lambda _: request


def groups(number: int, resources: str, policy: str = "none") -> str:
    """Return a query of like groups, which may be of one provider unless the *policy* is another."""
    return "&".join(f"resources_{n}={resources}" for n in range(number)) + f"&group_policy={policy}"


def host(number: int) -> str:
    """Return the uuid of a host."""
    return uuid_of(f"host{number}")


def put_inventories(number: int) -> Request:
    """Return a change of the inventories of one of the first hosts; each change adds one to their generation."""
    lap, which = divmod(number, WRITTEN)
    amounts = {"VCPU": 48 + lap, "MEMORY_MB": 262_144, "DISK_GB": 4000}
    body = {
        "resource_provider_generation": lap,
        "inventories": {name: {"total": total} for name, total in amounts.items()},
    }
    return Request("PUT", f"/resource_providers/{host(which)}/inventories", body)


def put_allocations(number: int) -> Request:
    """Return the claim of a new consumer, of one of the hosts behind those whose inventories are changed."""
    amounts = {"VCPU": 1, "MEMORY_MB": 1024, "DISK_GB": 10}
    return Request("PUT", f"/allocations/{uuid_of(f'new{number}')}", claim({host(WRITTEN + number % WRITTEN): amounts}))


def claim(amounts: dict[str, dict[str, int]], generation: int | None = None) -> dict[str, Any]:
    """Return the body of a claim of *amounts*, by provider and resource class."""
    return {
        "allocations": {provider: {"resources": resources} for provider, resources in amounts.items()},
        "consumer_generation": generation,
        "consumer_type": "INSTANCE",
        "project_id": "project",
        "user_id": "user",
    }


def delete_allocations(number: int) -> Request:
    """Return the end of a consumer of one of the first hosts, each of which has ten."""
    return Request("DELETE", f"/allocations/{uuid_of(f'host{number // 10}_instance{number % 10}')}")


def reshape(number: int) -> Request:
    """Return the move of a host's CPUs to its NUMA cell, or back, with what its ten consumers hold of them.

    It is one of the hosts behind those whose consumers end. Who gets the CPUs is at a generation higher by three
    afterwards, the host by two when it gives them, and the cell, which has nothing else, by one.
    """
    lap, which = divmod(number, WRITTEN)
    laps_there_and_back, back = divmod(lap, 2)
    name = f"host{WRITTEN + which}"
    ends = [uuid_of(name), uuid_of(f"{name}_numa0")]
    generations = [5 * laps_there_and_back + 2 * back, 4 * laps_there_and_back + 3 * back]
    there = 1 - back
    cpus = {"VCPU": {"total": 64}}
    memory = {"MEMORY_MB": {"total": 131_072}}
    inventories = [memory | ({} if there else cpus), cpus if there else {}]
    return Request(
        "POST",
        "/reshaper",
        {
            "inventories": {
                uuid: {"resource_provider_generation": generation, "inventories": all_of}
                for uuid, generation, all_of in zip(ends, generations, inventories, strict=True)
            },
            "allocations": {
                uuid_of(f"{name}_instance{n}"): claim({ends[there]: {"VCPU": 2}}, generation=1 + lap) for n in range(10)
            },
        },
    )
