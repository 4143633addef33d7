"""Restoring a dump: an empty graph becomes what was dumped, generations and times included."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from graphplace import aggregates
from graphplace.cypher import statement
from graphplace.errors import BadRequestError, ConflictError, GraphplaceError
from graphplace.graph.database import Database, Transaction
from graphplace.inventories import Inventory
from graphplace.loading.dumped import Batch, read_batches

# How many entries one transaction writes.
ENTRIES_AT_ONCE = 2000

Rows = list[dict[str, Any]]


@dataclass
class Restored:
    """How many providers and allocations were written."""

    providers: int = 0
    allocations: int = 0


def restore(
    database: Database, lines: Iterable[bytes], progress: Callable[[str, int], None] = lambda *_: None
) -> Restored:
    """Write all that *lines*, a dump, say to *database*, which must not hold providers or consumers.

    It takes many transactions. A mark tells that they are not all done; when one fails, the error says so, and the
    graph has to be wiped. *progress* is told what is written, and how much of it.

    Raises ConflictError for a graph that is not empty, BadRequestError for what is wrong with the lines.
    """
    database.write(_begin)
    restored, consumers = Restored(), set[str]()
    try:
        for batch in read_batches(lines, ENTRIES_AT_ONCE):
            new = {entry["uuid"]: entry for entry in reversed(batch.consumers) if entry["uuid"] not in consumers}
            restored.allocations += database.write(
                lambda tx, batch=batch, new=new: _write(tx, batch, list(new.values()))  # type: ignore[misc]  # bound
            )
            restored.providers += len(batch.providers)
            consumers.update(new)
            progress("lines", batch.last)
        _check_totals(restored, batch.totals)
        database.write(lambda tx: tx.run(statement("restoring.end")))
    except GraphplaceError as error:
        raise type(error)(
            f"{error} The load is broken off: {restored.providers} providers have been written, and what belongs to "
            "them. Empty the graph with graphplace db wipe before another load."
        ) from error
    return restored


def _begin(tx: Transaction) -> None:
    row = tx.one(statement("restoring.occupied"))
    if row is None or row["unfinished"]:
        raise ConflictError(
            "The graph holds a part of a dump: a load was broken off, or runs now. Empty it with graphplace db wipe."
        )
    if row["providers"] or row["consumers"]:
        raise ConflictError(
            f"A dump is loaded into an empty graph, and this one holds {row['providers']} providers and "
            f"{row['consumers']} consumers. Empty it with graphplace db wipe."
        )
    tx.run(statement("restoring.begin"))


def _write(tx: Transaction, batch: Batch, new_consumers: Rows) -> int:
    """Write *batch* and return how many allocations it has."""
    _ensure_names(tx, batch)
    places = _places(batch.providers)
    _run(tx, "restoring.create_providers", batch.providers)
    tx.run(statement("loading.place_providers"), providers=places)
    _run(tx, "restoring.create_inventories", [row for entry in batch.providers for row in _inventories(entry)])
    _run(tx, "loading.add_traits", _pairs(batch.providers, "traits"))
    _run(tx, "loading.join_aggregates", _pairs(batch.providers, "aggregates"))
    for entry in batch.providers:
        if aggregates.SHARING_TRAIT in entry["traits"]:
            aggregates.derive_sharing(tx, entry["uuid"])
    _run(tx, "restoring.create_consumers", [{"type": None} | entry for entry in new_consumers])
    allocations = [row for entry in batch.consumers for row in _allocations(entry)]
    _use_inventories(tx, batch, allocations)
    _run(tx, "restoring.create_allocations", allocations)
    tx.run(statement("restoring.date_names"), **batch.names)
    return len(allocations)


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


def _use_inventories(tx: Transaction, batch: Batch, allocations: Rows) -> None:
    amounts: Counter[tuple[str, str]] = Counter()
    for row in allocations:
        amounts[row["provider"], row["resource_class"]] += row["amount"]
    rows = [{"provider": name, "resource_class": of, "amount": amount} for (name, of), amount in amounts.items()]
    used = tx.one(statement("restoring.use_inventories"), rows=rows)
    if missing := amounts.keys() - set(map(tuple, used["found"] if used else ())):
        raise BadRequestError(f"Up to line {batch.last}: no provider has this inventory: {' '.join(min(missing))}.")


def _run(tx: Transaction, name: str, rows: Rows) -> None:
    if rows:
        tx.run(statement(name), rows=rows)


def _places(providers: Rows) -> Rows:
    """Return each provider with the uuids of its parent and its root. A parent stands before its children."""
    placed: dict[str, dict[str, Any]] = {}
    for entry in providers:
        parent = placed.get(entry["parent"]) if "parent" in entry else None
        if "parent" in entry and parent is None:
            raise BadRequestError(f"The parent of provider {entry['name']} is not before it: {entry['parent']}.")
        placed[entry["name"]] = {
            "uuid": entry["uuid"],
            "parent_uuid": parent and parent["uuid"],
            "root_uuid": parent["root_uuid"] if parent else entry["uuid"],
        }
    return list(placed.values())


def _inventories(entry: dict[str, Any]) -> Rows:
    return [
        {"provider_uuid": entry["uuid"], "resource_class": name, "capacity": _inventory(given).capacity}
        | vars(_inventory(given))
        | {"created_at": given["created_at"], "updated_at": given["updated_at"]}
        for name, given in entry["inventories"].items()
    ]


def _inventory(given: dict[str, Any]) -> Inventory:
    return Inventory(**{key: value for key, value in given.items() if not key.endswith("_at")})


def _pairs(providers: Rows, of: str) -> Rows:
    return [{"provider": entry["uuid"], "name": name} for entry in providers for name in entry[of]]


def _allocations(entry: dict[str, Any]) -> Rows:
    return [
        {
            "consumer_uuid": entry["uuid"],
            "provider": provider,
            "resource_class": resource_class,
            "amount": amount,
            "position": entry["positions"].get(provider, {}).get(resource_class),
            "created_at": entry["allocated_at"],
        }
        for provider, resources in entry["allocations"].items()
        for resource_class, amount in resources.items()
    ]


def _check_totals(restored: Restored, totals: dict[str, int] | None) -> None:
    if totals != vars(restored):
        raise BadRequestError(
            f"The totals of the last line are not those of the others: {totals}, not {vars(restored)}."
        )
