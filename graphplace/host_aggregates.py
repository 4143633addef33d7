"""Host aggregates: groups of hosts with metadata, mirrored into Placement's aggregates (specs: request-filtering).

The mirror of a host aggregate is the aggregate of the same uuid. The root provider of each node of each of its hosts is
a member of that, from the transaction on in which the host joins, and no longer than it stays.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from uuid import uuid4

from neo4j import Record

from graphplace import hosts
from graphplace.cypher import statement
from graphplace.errors import ConflictError, NotFoundError
from graphplace.graph.database import Database, Transaction
from graphplace.locks import lock_hosts

AVAILABILITY_ZONE = "availability_zone"

Changes = Mapping[str, str | None]


@dataclass(frozen=True)
class Described:
    """What is written of a host aggregate, whichever hosts it has."""

    uuid: str
    name: str
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class HostAggregate(Described):
    """A host aggregate: its metadata, and the names of the compute services in it, each with all of its nodes."""

    hosts: tuple[str, ...] = ()

    @property
    def availability_zone(self) -> str | None:
        """The zone that its hosts are in by it."""
        return self.metadata.get(AVAILABILITY_ZONE)


def index(database: Database) -> list[HostAggregate]:
    """Return all host aggregates in the order of their names."""
    return _aggregates(database.read(lambda tx: tx.one(statement("host_aggregates.read_all"))))


def get(database: Database, aggregate: str) -> HostAggregate:
    """Return the host aggregate with the uuid or the name *aggregate*. Raises NotFoundError."""
    return database.read(lambda tx: _get(tx, aggregate))


def create(database: Database, name: str, uuid: str | None = None, metadata: Changes | None = None) -> HostAggregate:
    """Create a host aggregate, with *uuid* or else one that is made, and its mirror, unless that is there.

    Raises ConflictError when its name or uuid is taken, BadRequestError for a name or metadata of a wrong length.
    """
    made = uuid or str(uuid4())

    def work(tx: Transaction) -> HostAggregate:
        lock_hosts(tx)
        if taken := next((one for one in (made, name) if _find(tx, one)), None):
            raise ConflictError(f"There is a host aggregate {taken} already.")
        tx.run(statement("aggregates.ensure"), aggregates=[made])
        tx.run(statement("host_aggregates.create"), uuid=made, name=name)
        _write_metadata(tx, made, metadata or {})
        return _get(tx, made)

    hosts.check_texts("name", [name])
    _check_metadata(metadata or {})
    return database.write(work)


def update(
    database: Database, aggregate: str, *, name: str | None = None, metadata: Changes | None = None
) -> HostAggregate:
    """Rename a host aggregate, set the keys of *metadata* in it, and remove those that are None there.

    Raises NotFoundError, BadRequestError for a name or metadata of a wrong length, ConflictError for a name that is
    taken and for an availability zone where a host is in another one.
    """
    changes = metadata or {}

    def work(tx: Transaction) -> HostAggregate:
        lock_hosts(tx)
        found = _get(tx, aggregate)
        if name is not None and name != found.name:
            if _find(tx, name):
                raise ConflictError(f"There is a host aggregate {name} already.")
            tx.run(statement("host_aggregates.rename"), uuid=found.uuid, name=name)
        if zone := changes.get(AVAILABILITY_ZONE):
            _check_zone(tx, found.uuid, zone, found.hosts)
        _write_metadata(tx, found.uuid, changes)
        return _get(tx, found.uuid)

    if name is not None:
        hosts.check_texts("name", [name])
    _check_metadata(changes)
    return database.write(work)


def delete(database: Database, aggregate: str) -> None:
    """Delete a host aggregate; its mirror stays there. Raises NotFoundError, ConflictError while it has hosts."""

    def work(tx: Transaction) -> None:
        lock_hosts(tx)
        found = _get(tx, aggregate)
        if found.hosts:
            raise ConflictError(f"The host aggregate {aggregate} has hosts; remove them first: {_listed(found.hosts)}.")
        tx.run(statement("host_aggregates.delete"), uuid=found.uuid)

    database.write(work)


def add_host(database: Database, aggregate: str, service_host: str) -> HostAggregate:
    """Put all nodes of a compute service into a host aggregate, and their roots into its mirror.

    Raises NotFoundError for an aggregate and for a service that are unknown, ConflictError when it is in it already,
    and when the availability zone of the aggregate is not that of another one that it is in.
    """

    def work(tx: Transaction) -> HostAggregate:
        lock_hosts(tx)
        found = _get(tx, aggregate)
        nodes = _nodes(tx, service_host)
        if service_host in found.hosts:
            raise ConflictError(f"The host {service_host} is in the host aggregate {found.name} already.")
        if found.availability_zone:
            _check_zone(tx, found.uuid, found.availability_zone, [service_host])
        tx.run(statement("host_aggregates.join"), uuid=found.uuid, service_host=service_host)
        hosts.join(tx, {(node.root, found.uuid) for node in nodes if node.root is not None})
        return _get(tx, found.uuid)

    return database.write(work)


def remove_host(database: Database, aggregate: str, service_host: str) -> HostAggregate:
    """Take all nodes of a compute service out of a host aggregate, and their roots out of its mirror.

    Raises NotFoundError for an aggregate that is unknown, and for a service that is not in it.
    """

    def work(tx: Transaction) -> HostAggregate:
        lock_hosts(tx)
        found = _get(tx, aggregate)
        if service_host not in found.hosts:
            raise NotFoundError(f"The host {service_host} is not in the host aggregate {found.name}.")
        roots = {node.root for node in _nodes(tx, service_host) if node.root is not None}
        tx.run(statement("host_aggregates.leave"), uuid=found.uuid, service_host=service_host)
        hosts.leave(tx, {(root, found.uuid) for root in roots})
        return _get(tx, found.uuid)

    return database.write(work)


@dataclass(frozen=True)
class HostAggregatesOf:
    """The host aggregates of a database, found by their metadata through an index, in one statement each time."""

    database: Database

    def with_metadata(self, key: str, value: str, *, key_is_prefix: bool = False) -> list[Described]:
        """Return those that have *value* at *key*, or at any key that begins with it, in the order of their names."""
        if key_is_prefix:
            return self._found("host_aggregates.with_value_of_any", prefix=key, value=value)
        return self._found("host_aggregates.with_value", key=key, value=value)

    def with_key_prefix(self, prefix: str) -> list[Described]:
        """Return those that have a key that begins with *prefix*, in the order of their names."""
        return self._found("host_aggregates.with_key", prefix=prefix)

    def _found(self, name: str, **parameters: str) -> list[Described]:
        row = self.database.read(lambda tx: tx.one(statement(name), **parameters))
        found = row["aggregates"] if row else ()
        return [Described(uuid, name, dict(sorted(metadata))) for uuid, name, metadata in found]


def _find(tx: Transaction, aggregate: str) -> str | None:
    row = tx.one(statement("host_aggregates.find"), aggregate=aggregate)
    return row["uuid"] if row else None


def _get(tx: Transaction, aggregate: str) -> HostAggregate:
    uuid = _find(tx, aggregate)
    found = _aggregates(tx.one(statement("host_aggregates.read"), uuids=[uuid] if uuid else []))
    if not found:
        raise NotFoundError(f"No host aggregate has the uuid or the name {aggregate}.")
    return found[0]


def _nodes(tx: Transaction, service_host: str) -> list[hosts.Node]:
    nodes = hosts.nodes(tx, [service_host])
    if not nodes:
        raise NotFoundError(f"No host is mapped as {service_host}; graphplace host map or discover maps them.")
    return nodes


def _write_metadata(tx: Transaction, uuid: str, changes: Changes) -> None:
    tx.run(
        statement("host_aggregates.set_metadata"),
        uuid=uuid,
        metadata=[[key, value] for key, value in changes.items() if value is not None],
        removed=[key for key, value in changes.items() if value is None],
    )


def _check_zone(tx: Transaction, uuid: str, zone: str, service_hosts: Iterable[str]) -> None:
    """Raise ConflictError if one of *service_hosts* has another availability zone than *zone* by another aggregate."""
    others = tx.run(
        statement("host_aggregates.zones_beside"), uuid=uuid, service_hosts=list(service_hosts), key=AVAILABILITY_ZONE
    )
    for row in others:
        if row["zone"] != zone:
            raise ConflictError(
                f"The host {row['service_host']} is in the availability zone {row['zone']} and cannot be in {zone} too."
            )


def _check_metadata(metadata: Changes) -> None:
    hosts.check_texts("key", metadata)
    hosts.check_texts("value", (value for value in metadata.values() if value is not None))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def _aggregates(row: Record | None) -> list[HostAggregate]:
    return [
        HostAggregate(uuid, name, dict(sorted(metadata)), tuple(services))
        for uuid, name, metadata, services in (row["aggregates"] if row else ())
    ]
