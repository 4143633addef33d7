"""Hosts: the nodes that compute services run, the cells they are in, and the root providers they stand for.

A service may run several nodes (``nodename``), and each is a host here. Whatever is written, the roots concerned are
locked and leave or join the aggregates that mirror their hosts' host aggregates in the same transaction.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import uuid4

from neo4j import Record

from graphplace import aggregates, providers
from graphplace.cypher import statement
from graphplace.errors import BadRequestError, ConflictError, NotFoundError
from graphplace.fields import MAX_IDENTIFIER
from graphplace.graph.database import Database, StaleReadError, Transaction
from graphplace.locks import lock_hosts, lock_providers

# Roots that are found without a host are written so many at a time.
ROOTS_AT_ONCE = 1000


@dataclass(frozen=True)
class Cell:
    """A cell, which a name tells from others as well as a uuid."""

    uuid: str
    name: str


@dataclass(frozen=True)
class Host:
    """A node of a compute service.

    ``provider_uuid`` is that of its root provider, None when that was deleted; ``aggregates`` are the names of the host
    aggregates that it is in.
    """

    service_host: str
    nodename: str
    cell: Cell
    provider_uuid: str | None
    aggregates: tuple[str, ...] = ()


@dataclass(frozen=True)
class Place:
    """Which node a root provider stands for, and the uuid of its cell: what a scheduler needs of a host."""

    service_host: str
    nodename: str
    cell_uuid: str


@dataclass(frozen=True)
class Node:
    """What a write has to know of a node: its root, if it has one, and the uuids of its host aggregates."""

    service_host: str
    nodename: str
    root: str | None
    aggregates: list[str]

    @property
    def memberships(self) -> set[tuple[str, str]]:
        """Pairs of the root and each aggregate that mirrors a host aggregate of the node."""
        return {(self.root, aggregate) for aggregate in self.aggregates} if self.root is not None else set()


def create_cell(database: Database, name: str, uuid: str | None = None) -> Cell:
    """Create a cell, with *uuid* or else one that is made.

    Raises ConflictError when its name or uuid is taken, BadRequestError for a name of a wrong length.
    """
    cell = Cell(uuid or str(uuid4()), name)

    def work(tx: Transaction) -> Cell:
        lock_hosts(tx)
        if taken := next((one for one in (cell.uuid, cell.name) if _find_cell(tx, one)), None):
            raise ConflictError(f"There is a cell {taken} already.")
        tx.run(statement("hosts.create_cell"), uuid=cell.uuid, name=cell.name)
        return cell

    check_texts("name", [name])
    return database.write(work)


def cells(database: Database) -> list[Cell]:
    """Return all cells in the order of their names."""
    row = database.read(lambda tx: tx.one(statement("hosts.cells")))
    return [Cell(*values) for values in (row["cells"] if row else ())]


def delete_cell(database: Database, cell: str) -> None:
    """Delete the cell with the uuid or the name *cell*. Raises NotFoundError, ConflictError while hosts are in it."""

    def work(tx: Transaction) -> None:
        lock_hosts(tx)
        found = _cell(tx, cell)
        if found["hosts"]:
            raise ConflictError(f"The cell {cell} has {found['hosts']} hosts; unmap them or map them to others first.")
        tx.run(statement("hosts.delete_cell"), uuid=found["uuid"])

    database.write(work)


def index(database: Database) -> list[Host]:
    """Return all hosts, by service and by node."""
    return _hosts(database.read(lambda tx: tx.one(statement("hosts.read_all"))))


def of_service(database: Database, service_host: str) -> list[Host]:
    """Return the hosts that the compute service *service_host* runs, by node."""
    return _hosts(database.read(lambda tx: tx.one(statement("hosts.of_service"), service_host=service_host)))


def of_roots(database: Database, roots: Iterable[str]) -> dict[str, Place]:
    """Return which host each of the root providers *roots* stands for, by uuid, where there is one. One statement."""
    row = database.read(lambda tx: tx.one(statement("hosts.of_roots"), roots=list(roots)))
    return {root: Place(*values) for root, *values in (row["hosts"] if row else ())}


def map_host(database: Database, service_host: str, nodename: str, *, cell: str, provider: str) -> Host:
    """Let a node stand for the root *provider* (uuid or name) and be in *cell* (uuid or name); return the host.

    A node that is mapped already is mapped anew. A new one is in the host aggregates that its service is in.

    Raises NotFoundError for a cell or a provider that does not exist, BadRequestError for a provider that is no root
    and for a name of a wrong length, ConflictError for a provider that another host stands for.
    """

    def work(tx: Transaction) -> None:
        lock_hosts(tx)
        _map(tx, {providers.called_in(tx, provider): (service_host, nodename)}, cell)

    check_texts("name", [service_host, nodename])
    database.write(work)
    return next(host for host in of_service(database, service_host) if host.nodename == nodename)


def discover(database: Database, cell: str) -> list[tuple[str, str]]:
    """Map a host to each root provider that has none, and return the services and nodes, by name.

    Service and node are called as the provider is. Providers that share are no hosts. A host whose provider was deleted
    gets one that has its node's name. Raises NotFoundError for a cell that does not exist.
    """

    def work(tx: Transaction) -> list[tuple[str, str]]:
        lock_hosts(tx)
        _cell(tx, cell)
        row = tx.one(statement("hosts.candidates"), sharing=aggregates.SHARING_TRAIT)
        rootless = tx.one(statement("hosts.rootless"))
        services = {nodename: service for service, nodename in (rootless["nodes"] if rootless else ())}
        found = {uuid: (services.get(name, name), name) for uuid, name in (row["roots"] if row else ())[:ROOTS_AT_ONCE]}
        if found:
            _map(tx, found, cell)
        return list(found.values())

    mapped: list[tuple[str, str]] = []
    while some := database.write(work):
        mapped += some
    return mapped


def unmap(database: Database, service_host: str, nodename: str | None = None) -> int:
    """Forget the node *nodename* of a service, or all of its nodes, and return how many that were.

    They leave their host aggregates. Raises NotFoundError when there is none.
    """

    def work(tx: Transaction) -> int:
        lock_hosts(tx)
        gone = [one for one in nodes(tx, [service_host]) if nodename in (None, one.nodename)]
        if not gone:
            raise NotFoundError(f"No host is mapped as {' '.join(filter(None, (service_host, nodename)))}.")
        leave(tx, set().union(*(one.memberships for one in gone)))
        tx.run(statement("hosts.unmap"), service_host=service_host, nodenames=[one.nodename for one in gone])
        return len(gone)

    return database.write(work)


def nodes(tx: Transaction, service_hosts: Iterable[str]) -> list[Node]:
    """Return all nodes of the services *service_hosts*."""
    row = tx.one(statement("hosts.nodes"), service_hosts=sorted(set(service_hosts)))
    return [Node(*values) for values in (row["nodes"] if row else ())]


def join(tx: Transaction, memberships: Iterable[tuple[str, str]]) -> None:
    """Let root providers join aggregates, pairs of their uuids, as PUT of aggregates does."""
    present = _existing(tx, memberships)
    aggregates.change(tx, joined=present)


def leave(tx: Transaction, memberships: Iterable[tuple[str, str]]) -> None:
    """Let root providers leave aggregates, pairs of their uuids, as PUT of aggregates does."""
    aggregates.change(tx, left=_existing(tx, memberships))


def check_texts(what: str, texts: Iterable[str]) -> None:
    """Raise BadRequestError unless each of *texts*, such as names, has 1 to 255 characters, as in Nova."""
    for text in texts:
        if not 1 <= len(text) <= MAX_IDENTIFIER:
            raise BadRequestError(
                f"A {what} has 1 to {MAX_IDENTIFIER} characters, not {len(text)}: {text[:MAX_IDENTIFIER]!r}."
            )


def _existing(tx: Transaction, memberships: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Lock the providers of *memberships*, and return those whose provider was not deleted before that."""
    pairs = sorted(memberships)
    locked = lock_providers(tx, {root for root, _ in pairs}) if pairs else {}
    return [(root, aggregate) for root, aggregate in pairs if root in locked]


def _map(tx: Transaction, places: Mapping[str, tuple[str, str]], cell: str) -> None:
    """Map each root, by uuid, to the service and the node given; the lock of all hosts is held."""
    cell_uuid = _cell(tx, cell)["uuid"]
    known = nodes(tx, {service_host for service_host, _ in places.values()})
    before = {(one.service_host, one.nodename): one for one in known}
    inherited = {one.service_host: one.aggregates for one in known}
    replaced = {one.root for place in places.values() if (one := before.get(place)) and one.root}
    if not lock_providers(tx, replaced | places.keys()).keys() >= places.keys():
        raise StaleReadError
    _check_roots(tx, places)
    joined: set[tuple[str, str]] = set()
    left: set[tuple[str, str]] = set()
    rows = []
    for root, (service_host, nodename) in places.items():
        in_aggregates = inherited.get(service_host, [])
        old = before.get((service_host, nodename))
        if old is None or old.root != root:
            joined |= {(root, aggregate) for aggregate in in_aggregates}
            left |= old.memberships if old else set()
        rows.append({"root": root, "service_host": service_host, "nodename": nodename, "aggregates": in_aggregates})
    tx.run(statement("hosts.map"), rows=rows, cell=cell_uuid)
    aggregates.change(tx, joined=joined, left=left)


def _check_roots(tx: Transaction, places: Mapping[str, tuple[str, str]]) -> None:
    row = tx.one(statement("hosts.roots_of"), uuids=list(places))
    roots = dict(row["roots"]) if row else {}
    for uuid, place in places.items():
        if uuid not in roots:
            raise BadRequestError(f"The provider {uuid} is no root: a host stands for a whole tree.")
        holder = roots[uuid]
        if holder is not None and tuple(holder) != place:
            raise ConflictError(f"The host {' '.join(holder)} stands for the provider {uuid} already; unmap it first.")


def _find_cell(tx: Transaction, cell: str) -> Record | None:
    return tx.one(statement("hosts.find_cell"), cell=cell)


def _cell(tx: Transaction, cell: str) -> Record:
    found = _find_cell(tx, cell)
    if found is None:
        raise NotFoundError(f"No cell has the uuid or the name {cell}; graphplace cell create makes one.")
    return found


def _hosts(row: Record | None) -> list[Host]:
    return [
        Host(service_host, nodename, Cell(cell_uuid, cell_name), root, tuple(names))
        for service_host, nodename, cell_uuid, cell_name, root, names in (row["hosts"] if row else ())
    ]
