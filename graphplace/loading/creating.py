"""Creating what a batch says of an empty graph: its rows, as the statements of cypher/restoring.cypher take them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from graphplace import aggregates
from graphplace.cypher import statement
from graphplace.errors import BadRequestError
from graphplace.graph.database import Transaction
from graphplace.inventory import Inventory
from graphplace.loading.batches import Batch

Entry = dict[str, Any]
Key = tuple[str, str]
Used = Counter[Key]
Grouped = list[list[Any]]


def create(tx: Transaction, batch: Batch, new_consumers: Iterable[Entry]) -> None:
    """Create the providers of *batch*, *new_consumers*, and what all consumers of *batch* hold.

    Raises BadRequestError for a parent that is not before its child, and for allocations of an inventory that is
    neither in *batch* nor in the graph.
    """
    _ensure_names(tx, batch)
    allocations = _allocations(batch.consumers)
    used = Counter({key: sum(amount for _, amount, *_ in held) for key, held in allocations.items()})
    if batch.providers:
        tx.run(statement("restoring.create_providers"), **_provider_rows(batch.providers, used))
    sharing = (entry["uuid"] for entry in batch.providers if aggregates.SHARING_TRAIT in entry["traits"])
    aggregates.derive_sharing(tx, sharing)
    if allocations:
        _create_allocations(tx, batch, new_consumers, allocations, used)
    if any(batch.names.values()):
        tx.run(statement("restoring.date_names"), **batch.names)
    if any(batch.hosts.values()):
        _create_hosts(tx, batch)


def _ensure_names(tx: Transaction, batch: Batch) -> None:
    """Create what *batch* names; a line that is still to come says when it was created."""
    providers, consumers = batch.providers, batch.consumers
    classes = {name for entry in providers for name in entry["inventories"]}
    tx.run(statement("schema.sync_resource_classes"), names=sorted(classes))
    tx.run(statement("schema.sync_traits"), names=sorted({name for entry in providers for name in entry["traits"]}))
    members = {uuid for entry in providers for uuid in entry["aggregates"]}
    tx.run(statement("aggregates.ensure"), aggregates=sorted(members))
    tx.run(
        statement("allocations.create_shared"),
        projects=sorted({entry["project_id"] for entry in consumers}),
        users=sorted({entry["user_id"] for entry in consumers}),
        consumer_types=sorted({entry["type"] for entry in consumers if "type" in entry}),
    )


def _provider_rows(providers: list[Entry], used: Used) -> dict[str, Any]:
    """Return the parameters that create *providers*, which their numbers in the list stand for.

    What is *used* of their inventories is taken out of it.
    """
    numbers = {entry["name"]: number for number, entry in enumerate(providers)}
    roots, parents = _places(providers, numbers)
    return {
        "providers": [
            [entry["uuid"], entry["name"], entry["generation"], entry["created_at"], entry["updated_at"]]
            for entry in providers
        ],
        "roots": roots,
        "parents": parents,
        "inventories": _grouped(
            (name, [number, *_inventory(given, used.pop((entry["name"], name), 0))])
            for number, entry in enumerate(providers)
            for name, given in entry["inventories"].items()
        ),
        "traits": _grouped((name, number) for number, entry in enumerate(providers) for name in entry["traits"]),
        "aggregates": _grouped(
            (uuid, number) for number, entry in enumerate(providers) for uuid in entry["aggregates"]
        ),
    }


def _places(providers: list[Entry], numbers: dict[str, int]) -> tuple[list[int], list[list[int]]]:
    """Return the number of each provider's root, and pairs of the numbers of a provider and of its parent."""
    roots: list[int] = []
    parents = []
    for number, entry in enumerate(providers):
        name = entry.get("parent")
        if name is None:
            roots.append(number)
            continue
        parent = numbers.get(name, number)
        if parent >= number:
            raise BadRequestError(f"The parent of provider {entry['name']} is not before it: {name}.")
        roots.append(roots[parent])
        parents.append([number, parent])
    return roots, parents


def _inventory(given: Entry, used: int) -> Iterator[Any]:
    inventory = Inventory(**{key: value for key, value in given.items() if not key.endswith("_at")})
    yield from vars(inventory).values()
    yield from (inventory.capacity, used, inventory.capacity - used, given["created_at"], given["updated_at"])


def _allocations(consumers: list[Entry]) -> dict[Key, Grouped]:
    """Return what *consumers* hold by provider name and resource class: consumer, amount, position and time."""
    allocations: dict[Key, Grouped] = defaultdict(list)
    for entry in consumers:
        for provider, resources in entry["allocations"].items():
            positions = entry["positions"].get(provider, {})
            for name, amount in resources.items():
                held = [entry["uuid"], amount, positions.get(name), entry["allocated_at"]]
                allocations[provider, name].append(held)
    return allocations


def _create_allocations(
    tx: Transaction, batch: Batch, new_consumers: Iterable[Entry], allocations: dict[Key, Grouped], used: Used
) -> None:
    consumers = [
        [
            *(entry[key] for key in ("uuid", "generation", "created_at", "updated_at", "project_id", "user_id")),
            entry.get("type"),
        ]
        for entry in new_consumers
    ]
    row = tx.one(
        statement("restoring.create_allocations"),
        consumers=consumers,
        used=[[*key, amount] for key, amount in used.items()],
        allocations=[[*key, held] for key, held in allocations.items()],
    )
    if missing := allocations.keys() - set(map(tuple, row["found"] if row else ())):
        raise BadRequestError(f"Up to line {batch.last}: no provider has this inventory: {' '.join(min(missing))}.")


def _create_hosts(tx: Transaction, batch: Batch) -> None:
    mirrors = sorted(entry["uuid"] for entry in batch.hosts["host_aggregates"])
    tx.run(statement("aggregates.ensure"), aggregates=mirrors)
    row = tx.one(
        statement("restoring.create_hosts"),
        cells=batch.hosts["cells"],
        host_aggregates=[
            {**entry, "metadata": list(map(list, entry["metadata"].items()))}
            for entry in batch.hosts["host_aggregates"]
        ],
        hosts=batch.hosts["hosts"],
    )
    created = {tuple(place) for place in row["found"]} if row else set()
    for entry in batch.hosts["hosts"]:
        place = (entry["service_host"], entry["nodename"])
        if place not in created:
            raise BadRequestError(f"Up to line {batch.last}: the host {' '.join(place)} names what is nowhere.")


def _grouped(pairs: Iterable[tuple[str, Any]]) -> Grouped:
    """Return each name with all that comes with it, so that the graph is asked for it once."""
    groups: dict[str, list[Any]] = defaultdict(list)
    for name, item in pairs:
        groups[name].append(item)
    return [[name, items] for name, items in groups.items()]
