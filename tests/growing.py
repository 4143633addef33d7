"""A cloud that grows by many hosts that are alike."""

import json

from cloud import PROJECT, USER, uuid_of

from graphplace import loading
from graphplace.graph.database import Database


def grow(database: Database, hosts: range, *, trait: str, aggregate: str) -> None:
    """Add hosts by their numbers, each with one consumer, the trait, and the aggregate by the name of it."""
    providers = [
        {
            "uuid": uuid_of(f"host{number}"),
            "name": f"host{number}",
            "inventories": {"VCPU": {"total": 8}, "MEMORY_MB": {"total": 8}},
            "traits": [trait],
            "aggregates": [uuid_of(aggregate)],
        }
        for number in hosts
    ]
    consumers = [
        {
            "uuid": uuid_of(f"consumer{number}"),
            "type": "INSTANCE",
            "project_id": PROJECT,
            "user_id": USER,
            "allocations": {f"host{number}": {"VCPU": 2}},
        }
        for number in hosts
    ]
    document = json.dumps({"version": 1, "providers": providers, "consumers": consumers})
    loading.load(database, loading.read_cloud(document.encode()))
