"""What a dump's lines say: trees and names as they are read, made documents of the load format."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

VERSION = 2
# A pool may have more consumers than a line should hold, a cloud more users.
CONSUMERS_A_LINE = 1000
NAMES_A_LINE = 1000

Tree = Mapping[str, Any]
Document = dict[str, Any]


def line(document: Document) -> bytes:
    """Return *document* as one line."""
    return orjson.dumps({"version": VERSION} | document, option=orjson.OPT_APPEND_NEWLINE)


def of_tree(tree: Tree) -> Iterator[Document]:
    """Yield the documents of one tree, read by ``dumping.trees``.

    The first has its providers and some of its consumers, others more consumers. Equal trees give equal documents:
    everything is in an order of its own.
    """
    providers = [_provider(entry) for entry in _parents_first(tree["providers"])]
    held: dict[str, list[list[Any]]] = defaultdict(list)
    for uuid, *allocation in tree["allocations"]:
        held[uuid].append(allocation)
    consumers = [_consumer(entry, held[entry["uuid"]]) for entry in tree["consumers"]]
    yield {"providers": providers, "consumers": consumers[:CONSUMERS_A_LINE]}
    for first in range(CONSUMERS_A_LINE, len(consumers), CONSUMERS_A_LINE):
        yield {"consumers": consumers[first : first + CONSUMERS_A_LINE]}


def of_names(names: Mapping[str, list[Any]]) -> Iterator[Document]:
    """Yield the documents of what is shared by many providers and consumers, read by ``dumping.names``."""
    for kind, entries in names.items():
        for first in range(0, len(entries), NAMES_A_LINE):
            yield {kind: entries[first : first + NAMES_A_LINE]}


def of_hosts(hosts: Mapping[str, list[Any]], providers: set[str]) -> Iterator[Document]:
    """Yield the documents of cells, host aggregates and hosts, read by ``dumping.hosts``.

    *providers* are the names of those that are dumped: a host does not name another one.
    """
    aggregates = [{**entry, "metadata": dict(entry["metadata"])} for entry in hosts["host_aggregates"]]
    yield from of_names({"cells": hosts["cells"], "host_aggregates": aggregates})
    yield from of_names({"hosts": [_host(entry, providers) for entry in hosts["hosts"]]})


def _host(entry: Mapping[str, Any], providers: set[str]) -> Document:
    return {key: value for key, value in entry.items() if key != "provider" or value in providers}


def _parents_first(entries: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    # A stack of our own: trees may be deeper than Python recurses.
    below: dict[str | None, list[dict[str, Any]]] = defaultdict(list)
    for entry in entries:
        below[next(iter(entry["parent"]), None)].append(entry)
    waiting = below[None][::-1]
    while waiting:
        entry = waiting.pop()
        yield entry
        waiting.extend(reversed(below[entry["name"]]))


def _provider(entry: Mapping[str, Any]) -> Document:
    inventories = sorted(entry["inventories"], key=lambda inventory: str(inventory["resource_class"]))
    return {
        "uuid": entry["uuid"],
        "name": entry["name"],
        **({"parent": entry["parent"][0]} if entry["parent"] else {}),
        "generation": entry["generation"],
        "created_at": entry["created_at"],
        "updated_at": entry["updated_at"],
        "inventories": {
            inventory["resource_class"]: {key: inventory[key] for key in sorted(inventory) if key != "resource_class"}
            for inventory in inventories
        },
        "traits": sorted(entry["traits"]),
        "aggregates": sorted(entry["aggregates"]),
    }


def _consumer(entry: Mapping[str, Any], held: list[list[Any]]) -> Document:
    allocations: dict[str, dict[str, int]] = defaultdict(dict)
    positions: dict[str, dict[str, int]] = defaultdict(dict)
    for provider, resource_class, amount, position, _ in held:
        allocations[provider][resource_class] = amount
        if position is not None:
            positions[provider][resource_class] = position
    return {
        "uuid": entry["uuid"],
        **({"type": entry["type"][0]} if entry["type"] else {}),
        "project_id": next(iter(entry["project_id"]), None),
        "user_id": next(iter(entry["user_id"]), None),
        "generation": entry["generation"],
        "created_at": entry["created_at"],
        "updated_at": entry["updated_at"],
        # They are written all together, whenever one of them changes.
        "allocated_at": max((allocated_at for *_, allocated_at in held), default=None),
        "allocations": allocations,
        "positions": positions,
    }
