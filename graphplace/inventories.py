"""Inventories: what a provider has of each resource class, and how much of it can be claimed."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from graphplace import resource_classes
from graphplace.cypher import statement
from graphplace.errors import (
    BadRequestError,
    Code,
    ConcurrentUpdateError,
    ConflictError,
    NotFoundError,
    raise_first,
)
from graphplace.graph.database import Database, Transaction
from graphplace.inventory import Inventory
from graphplace.locks import LockedProvider, check_generation, read_settled
from graphplace.providers import unknown as unknown_provider

Inventories = Mapping[str, Inventory]
Key = tuple[str, str]
Used = Mapping[str, int]


@dataclass(frozen=True)
class ProviderInventories:
    """Inventories of one provider by resource class, and the provider's generation.

    ``updated_at`` is when the newest of them was written; None without any.
    """

    generation: int
    inventories: Inventories
    updated_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What a write does to inventories; the keys are (provider uuid, resource class)."""

    created: Mapping[Key, Inventory] = field(default_factory=dict)
    updated: Mapping[Key, Inventory] = field(default_factory=dict)
    deleted: Collection[Key] = ()


def index(database: Database, provider_uuid: str) -> ProviderInventories:
    """Return all inventories of a provider. Raises NotFoundError."""
    return _read(database, provider_uuid, None)


def get(database: Database, provider_uuid: str, resource_class: str) -> ProviderInventories:
    """Return a provider's inventory of one class, as the only one there is. Raises NotFoundError."""
    found = _read(database, provider_uuid, resource_class)
    if not found.inventories:
        raise NotFoundError(f"No inventory of class {resource_class} for {provider_uuid}")
    return found


def replace(
    database: Database, provider_uuid: str, inventories: Inventories, *, generation: int, least_capacity: int = 0
) -> int:
    """Make *inventories* all that the provider has, and return its new generation.

    Raises NotFoundError for the provider, ConcurrentUpdateError unless it is at *generation*, BadRequestError for a
    capacity below *least_capacity* or an unknown resource class, ConflictError when a class left out is in use.
    """

    def plan(provider: LockedProvider, used: Used) -> Changes:
        check_generation(provider, generation)
        check_capacity("update", provider_uuid, inventories, least_capacity)
        return Changes(
            created={(provider_uuid, name): given for name, given in inventories.items() if name not in used},
            updated={(provider_uuid, name): given for name, given in inventories.items() if name in used},
            deleted=[(provider_uuid, name) for name in used if name not in inventories],
        )

    return _write(database, provider_uuid, plan)


def create(
    database: Database, provider_uuid: str, resource_class: str, inventory: Inventory, *, least_capacity: int = 0
) -> int:
    """Give the provider its first inventory of *resource_class*, and return its new generation.

    Raises NotFoundError for the provider, BadRequestError for a capacity below *least_capacity* or an unknown
    resource class, ConcurrentUpdateError when there is an inventory of that class.
    """

    def plan(_provider: LockedProvider, used: Used) -> Changes:
        check_capacity("create", provider_uuid, {resource_class: inventory}, least_capacity)
        if resource_class in used:
            raise ConcurrentUpdateError(
                f"Update conflict: resource provider {provider_uuid} has an inventory of class {resource_class}."
            )
        return Changes(created={(provider_uuid, resource_class): inventory})

    return _write(database, provider_uuid, plan)


def update(
    database: Database,
    provider_uuid: str,
    resource_class: str,
    inventory: Inventory,
    *,
    generation: int,
    least_capacity: int = 0,
) -> int:
    """Change the provider's inventory of *resource_class*, and return the provider's new generation.

    It may shrink below what is in use: nothing can be claimed then until enough is released. Raises NotFoundError
    for the provider or the class, ConcurrentUpdateError unless the provider is at *generation*, BadRequestError for a
    capacity below *least_capacity* or when the provider has no inventory of that class.
    """

    def plan(provider: LockedProvider, used: Used) -> Changes:
        check_generation(provider, generation)
        check_capacity("update", provider_uuid, {resource_class: inventory}, least_capacity)
        if resource_class not in used:
            raise BadRequestError(
                f"No inventory record with resource class for resource provider {provider_uuid}: "
                f"No inventory of class {resource_class} found."
            )
        return Changes(updated={(provider_uuid, resource_class): inventory})

    try:
        return _write(database, provider_uuid, plan)
    except BadRequestError:
        resource_classes.get(database, resource_class)
        raise


def delete(database: Database, provider_uuid: str, resource_class: str) -> None:
    """Delete the provider's inventory of *resource_class*.

    Raises NotFoundError, and ConflictError when it is in use, with the code of a concurrent update, as in Placement.
    """

    def plan(_provider: LockedProvider, used: Used) -> Changes:
        if resource_class not in used:
            raise NotFoundError(
                f"No inventory of class {resource_class} found for delete on resource provider {provider_uuid}."
            )
        raise_first(in_use(provider_uuid, {resource_class: used[resource_class]}, Code.CONCURRENT_UPDATE))
        return Changes(deleted=[(provider_uuid, resource_class)])

    _write(database, provider_uuid, plan)


def delete_all(database: Database, provider_uuid: str) -> None:
    """Delete all inventories of the provider. Raises NotFoundError, ConflictError when one is in use."""
    _write(database, provider_uuid, lambda _provider, used: Changes(deleted=[(provider_uuid, name) for name in used]))


def check_capacity(doing: str, provider_uuid: str, inventories: Inventories, least_capacity: int = 0) -> None:
    """Raise BadRequestError for an inventory of less capacity; *doing* is what its client wants, a verb."""
    excess = "greater than or equal to" if least_capacity else "greater than"
    for resource_class, inventory in inventories.items():
        if inventory.capacity < least_capacity:
            raise BadRequestError(
                f"Unable to {doing} inventory for resource provider {provider_uuid}: Invalid inventory for "
                f"'{resource_class}' on resource provider '{provider_uuid}'. The reserved value is {excess} total."
            )


def in_use(provider_uuid: str, used: Used, code: Code = Code.INVENTORY_IN_USE) -> Iterator[ConflictError]:
    """Yield an error if any of the inventories to be deleted is in use; *used* are their amounts by class."""
    if found := resource_classes.in_order(resource_class for resource_class, amount in used.items() if amount):
        yield ConflictError(
            f"update conflict: Inventory for '{', '.join(found)}' on resource provider '{provider_uuid}' in use.",
            code,
        )


def write(tx: Transaction, changes: Changes, generations: Mapping[str, int]) -> None:
    """Write *changes*, decided under the locks of their providers, and raise *generations* by the numbers given.

    Raises BadRequestError for an unknown resource class.
    """
    row = tx.one(
        statement("inventories.write"),
        created=[_row(key, inventory) for key, inventory in changes.created.items()],
        updated=[_row(key, inventory) for key, inventory in changes.updated.items()],
        deleted=[{"provider_uuid": uuid, "resource_class": name} for uuid, name in changes.deleted],
        generations=[{"provider_uuid": uuid, "by": by} for uuid, by in generations.items()],
    )
    known = set(row["classes"]) if row else set()
    raise_first(_of_unknown(changes.created, {name for _, name in changes.created} - known))


def of_unknown_classes(tx: Transaction, keys: Collection[Key]) -> Iterator[BadRequestError]:
    """Yield an error for each of *keys* whose resource class is unknown."""
    yield from _of_unknown(keys, resource_classes.unknown(tx, {name for _, name in keys}))


def _of_unknown(keys: Iterable[Key], unknown: Collection[str]) -> Iterator[BadRequestError]:
    for provider_uuid, resource_class in keys:
        if resource_class in unknown:
            yield BadRequestError(
                f"Unknown resource class in inventory for resource provider {provider_uuid}: "
                f"No such resource class {resource_class}."
            )


def _read(database: Database, provider_uuid: str, resource_class: str | None) -> ProviderInventories:
    row = database.read(
        lambda tx: read_settled(
            tx,
            statement("inventories.index"),
            statement("locks.revision"),
            provider_uuid=provider_uuid,
            resource_class=resource_class,
        )
    )
    if row is None:
        raise unknown_provider(provider_uuid)
    newest = max((found["updated_at"].to_native() for found in row["inventories"]), default=None)
    return ProviderInventories(row["generation"], dict(map(_inventory, row["inventories"])), newest)


def _write(database: Database, provider_uuid: str, plan: Callable[[LockedProvider, Used], Changes]) -> int:
    """Lock the provider, make the changes that *plan* decides on, and return the provider's new generation."""

    def work(tx: Transaction) -> int:
        row = tx.one(statement("inventories.lock"), provider_uuid=provider_uuid)
        if row is None:
            raise unknown_provider(provider_uuid)
        provider = LockedProvider(row["uuid"], row["name"], row["generation"])
        used = dict(row["used"])
        changes = plan(provider, used)
        raise_first(in_use(provider_uuid, {name: used[name] for _, name in changes.deleted}))
        write(tx, changes, {provider_uuid: 1})
        return provider.generation + 1

    return database.write(work)


def _row(key: Key, inventory: Inventory) -> dict[str, Any]:
    provider_uuid, resource_class = key
    return {
        "provider_uuid": provider_uuid,
        "resource_class": resource_class,
        "capacity": inventory.capacity,
        **vars(inventory),
    }


def _inventory(found: dict[str, Any]) -> tuple[str, Inventory]:
    return found.pop("resource_class"), Inventory(**{name: found[name] for name in found if name != "updated_at"})
