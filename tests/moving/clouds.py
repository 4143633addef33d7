"""A random cloud of some hundred providers, in the words of the random requests, as a document of the load format."""

import json
from random import Random
from typing import Any

from cloud import uuid_of
from differential import words

POOLS = 3


def document(trees: int, rng: Random) -> bytes:
    """Draw *trees* hosts with cells and cards, pools that they share, and consumers that hold something of both."""
    pools = [pool(number) for number in range(POOLS)]
    hosts = [one for number in range(trees) for one in host(number, rng)]
    cells = [one for one in hosts if "VCPU" in one["inventories"]]
    content = {
        "version": 1,
        "traits": ["CUSTOM_ONE", "CUSTOM_TWO", "CUSTOM_UNUSED"],
        "resource_classes": ["CUSTOM_FOO", "CUSTOM_BAR", "CUSTOM_UNUSED"],
        "providers": pools + hosts,
        "consumers": [consumer(number, rng.choice(cells), rng.choice(pools), rng) for number in range(2 * trees)],
    }
    return json.dumps(content).encode()


def pool(number: int) -> dict[str, Any]:
    return {
        "uuid": uuid_of(f"pool{number}"),
        "name": f"pool{number}",
        "inventories": {"DISK_GB": {"total": 100_000, "reserved": 7}},
        "traits": [words.SHARES],
        "aggregates": [words.AGGREGATES[number]],
    }


def host(number: int, rng: Random) -> list[dict[str, Any]]:
    """Draw a host, up to two cells below it, and a card below each."""
    name = f"host{number}"
    found = [
        {
            "uuid": uuid_of(name),
            "name": name,
            "inventories": {"CUSTOM_BAR": {"total": 4}} if rng.random() < 0.5 else {},
            "traits": sorted(rng.sample(words.TRAITS, rng.randint(0, 2))),
            "aggregates": sorted(rng.sample(words.AGGREGATES, rng.randint(0, 2))),
        }
    ]
    for cell in range(rng.randint(1, 2)):
        below = f"{name}_cell{cell}"
        found += [
            {
                "uuid": uuid_of(below),
                "name": below,
                "parent": name,
                "inventories": {
                    "VCPU": {"total": 64, "allocation_ratio": rng.choice([1.0, 1.5, 16.0])},
                    "MEMORY_MB": {"total": 4096, "reserved": 512, "step_size": 2},
                },
                "traits": ["HW_NUMA_ROOT"],
            },
            {
                "uuid": uuid_of(f"{below}_card"),
                "name": f"{below}_card",
                "parent": below,
                "inventories": {rng.choice(["SRIOV_NET_VF", "CUSTOM_FOO"]): {"total": 8, "max_unit": 4}},
                "traits": ["CUSTOM_ONE"] if rng.random() < 0.5 else [],
            },
        ]
    return found


def consumer(number: int, cell: dict[str, Any], shared: dict[str, Any], rng: Random) -> dict[str, Any]:
    held = {cell["name"]: {"VCPU": rng.randint(1, 2), "MEMORY_MB": 2 * rng.randint(1, 64)}}
    return {
        "uuid": uuid_of(f"consumer{number}"),
        "type": rng.choice(words.TYPES),
        "project_id": rng.choice(words.PROJECTS),
        "user_id": rng.choice(words.USERS),
        "allocations": held | ({shared["name"]: {"DISK_GB": 5}} if number % 2 else {}),
    }
