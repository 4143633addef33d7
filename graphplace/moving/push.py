"""Writing all that a graph holds to a running Placement, by its REST API. What is there already is left as it is."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from keystoneauth1.exceptions import ClientException

from graphplace.compute.errors import PlacementError, ResourceProviderUpdateFailed
from graphplace.compute.flush import flush
from graphplace.compute.placement import Placement, Session
from graphplace.compute.provider_tree import ProviderData, ProviderTree
from graphplace.compute.reading import read_consumer, read_provider
from graphplace.cypher import statement
from graphplace.dumping.lines import Tree, of_tree
from graphplace.dumping.whole import batches, read_names, read_roots, read_trees
from graphplace.graph.database import Database, Transaction
from graphplace.inventory import Inventory
from graphplace.moving.placement_api import NEWEST, newest_of
from graphplace.moving.source import Progress, SourceError
from graphplace.moving.verify import counts

# A consumer without a type is written at the newest microversion that needs none.
UNTYPED = "1.37"
CONSUMERS_AT_ONCE = 500
AMOUNTS = tuple(Inventory.__dataclass_fields__)

Record = Mapping[str, Any]


@dataclass
class Pushed:
    """How many trees and consumers there are, how many of them were written, and why others were refused."""

    trees: int = 0
    trees_written: int = 0
    consumers: int = 0
    consumers_written: int = 0
    refused: list[str] = field(default_factory=list)


def push(database: Database, session: Session, connections: int, progress: Progress = lambda *_: None) -> Pushed:
    """Bring the Placement behind *session*, a keystoneauth1 Adapter, to what *database* holds.

    It is asked first and told only what differs, so another push takes up one that was broken off. Providers and
    consumers that *database* does not hold are left alone. Generations are Placement's own. There are so many
    *connections* at a time. What is refused keeps nothing else from being written. Raises SourceError when Placement
    does not answer as it should.
    """
    newest = newest_of(session)
    pushed, placement = Pushed(), Placement(session, microversion=UNTYPED)
    typed = Placement(session, microversion=newest) if newest == NEWEST else None
    try:
        _write_names(placement, database)
        known = {one["uuid"]: one for one in placement.get("/resource_providers")["resource_providers"]}
        with ThreadPoolExecutor(connections) as pool:
            for trees in _trees(database, progress):
                outcomes = list(pool.map(partial(_write_tree, placement, known), trees))
                pushed.trees += len(trees)
                pushed.trees_written += sum(wrote for wrote, _ in outcomes)
                pushed.refused += [refused for _, refused in outcomes if refused]
            for consumers in _consumers(database, progress):
                outcomes = list(pool.map(partial(_write_consumer, placement, typed), consumers))
                pushed.consumers += len(consumers)
                pushed.consumers_written += sum(wrote for wrote, _ in outcomes)
                pushed.refused += [refused for _, refused in outcomes if refused]
    except (PlacementError, ClientException) as error:
        raise SourceError(f"The push is broken off: {' '.join(str(error).split())}") from error
    return pushed


def _write_names(placement: Placement, database: Database) -> None:
    """Create the custom traits and resource classes that Placement lacks."""
    names = database.read(read_names)
    present = {
        "resource_classes": {one["name"] for one in placement.get("/resource_classes")["resource_classes"]},
        "traits": set(placement.get("/traits")["traits"]),
    }
    for kind, known in present.items():
        for entry in names[kind]:
            if entry["name"] not in known:
                placement.put(f"/{kind}/{entry['name']}")


def _trees(database: Database, progress: Progress) -> Iterator[list[Tree]]:
    roots = database.read(read_roots)
    for uuids in batches(roots, progress):
        yield list(database.read(partial(read_trees, uuids=uuids)).values())


def _consumers(database: Database, progress: Progress) -> Iterator[list[Record]]:
    total = counts(database)["consumers"]
    after, done = "", 0
    while rows := database.read(partial(_read_consumers, after=after)):
        progress("consumers", done, total)
        yield rows
        after, done = rows[-1]["uuid"], done + len(rows)


def _read_consumers(tx: Transaction, after: str) -> list[Record]:
    return [dict(row) for row in tx.run(statement("moving.consumers"), after=after, most=CONSUMERS_AT_ONCE)]


def _write_tree(placement: Placement, known: Mapping[str, Record], tree: Tree) -> tuple[bool, str]:
    """Write what differs in *tree*; tell whether all of it was written, and what was refused."""
    wanted = _provider_tree(tree)
    stored = ProviderTree([read_provider(placement, known[one.uuid]) for one in wanted if one.uuid in known])
    try:
        return flush(placement, stored, wanted, None), ""
    except ResourceProviderUpdateFailed as error:
        return False, " ".join(str(error).split())


def _provider_tree(tree: Tree) -> ProviderTree:
    entries = next(of_tree(tree))["providers"]
    uuids = {entry["name"]: entry["uuid"] for entry in entries}
    return ProviderTree(
        ProviderData(
            uuid=entry["uuid"],
            name=entry["name"],
            parent_uuid=uuids[entry["parent"]] if "parent" in entry else None,
            inventory={name: {key: had[key] for key in AMOUNTS} for name, had in entry["inventories"].items()},
            traits=frozenset(entry["traits"]),
            aggregates=frozenset(entry["aggregates"]),
        )
        for entry in entries
    )


def _write_consumer(placement: Placement, typed: Placement | None, consumer: Record) -> tuple[bool, str]:
    """Write what *consumer* holds, if it differs; tell whether it was written, and what was refused."""
    allocations: dict[str, dict[str, dict[str, int]]] = {}
    for provider, name, amount in consumer["allocations"]:
        allocations.setdefault(provider, {"resources": {}})["resources"][name] = amount
    body = {name: consumer[name] for name in ("project_id", "user_id")} | {"allocations": allocations}
    writer = placement
    if typed and consumer["type"]:
        writer, body = typed, body | {"consumer_type": consumer["type"]}
    held = read_consumer(writer, consumer["uuid"])
    stripped = {uuid: {"resources": entry["resources"]} for uuid, entry in held["allocations"].items()}
    if body == {name: held.get(name) for name in body} | {"allocations": stripped}:
        return False, ""
    try:
        writer.put(f"/allocations/{consumer['uuid']}", body | {"consumer_generation": held.get("consumer_generation")})
    except PlacementError as error:
        return False, f"Consumer {consumer['uuid']}: {' '.join(str(error).split())}"
    return True, ""
