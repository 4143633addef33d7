"""From what shall be supposed to the overlay of a search: what the writes would do, and would refuse."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from graphplace import inventories, reshaper, traits
from graphplace.candidates.overlay import AS_IT_IS, Overlay, Stock, Supposed
from graphplace.errors import BadRequestError, NotFoundError, raise_first
from graphplace.graph.database import Database, Transaction
from graphplace.inventories import Key
from graphplace.inventory import Inventory
from graphplace.providers import unknown as unknown_provider
from graphplace.what_if.changes import Changes, Edit, Reshape
from graphplace.what_if.present import Present, read

Stocks = Mapping[Key, Stock]


def suppose(database: Database, changes: Changes) -> Overlay:
    """Return what all providers that *changes* are about would have. Nothing is written, and no lock is taken.

    What the writes would refuse is refused alike: NotFoundError for a provider, a consumer without allocations, an
    inventory to be taken away; BadRequestError for a class or trait, for a new inventory without a total and one with
    more reserved than that; ConflictError for one that is in use; and all that a reshape is refused for.
    """
    return AS_IT_IS if changes == Changes() else database.read(lambda tx: _suppose(tx, changes))


def _suppose(tx: Transaction, changes: Changes) -> Overlay:
    present = read(tx, changes)
    for uuid in (*changes.inventories, *sorted(changes.drained), *changes.traits, *changes.aggregates):
        if uuid not in present.providers:
            raise unknown_provider(uuid)
    present = _without(present, changes.consumers_gone)
    stocks = _reshaped(tx, present, changes.reshape)
    for uuid, changed in changes.inventories.items():
        for name, values in changed.items():
            stocks = _changed(tx, stocks, (uuid, name), values)
    stocks = {key: _drained(stock) if present.providers[key[0]].is_drained else stock for key, stock in stocks.items()}
    if unknown := traits.unknown(tx, _names(changes.traits.values())):
        raise BadRequestError(f"No such trait {', '.join(unknown)}")
    return Overlay(
        {
            uuid: Supposed(
                root=one.root,
                inventories={name: stock for (provider, name), stock in stocks.items() if provider == uuid},
                traits=_edited(one.traits, changes.traits.get(uuid)),
                aggregates=_edited(one.aggregates, changes.aggregates.get(uuid)),
            )
            for uuid, one in present.providers.items()
        }
    )


def _without(present: Present, consumers: Iterable[str]) -> Present:
    gone = frozenset(consumers)
    released: Counter[Key] = Counter()
    for uuid in sorted(gone):
        if uuid not in present.allocations:
            raise NotFoundError(f"No allocations for consumer '{uuid}'")
        released.update(present.allocations[uuid])
    return replace(
        present,
        consumers={uuid: generation for uuid, generation in present.consumers.items() if uuid not in gone},
        allocations={uuid: held for uuid, held in present.allocations.items() if uuid not in gone},
        stocks=_with_used(present.stocks, {key: present.stocks[key].used - amount for key, amount in released.items()}),
    )


def _reshaped(tx: Transaction, present: Present, reshape: Reshape) -> Stocks:
    held = present.held()
    raise_first(reshaper.objections(tx, held, reshape.shapes, reshape.claims))
    had = {key: stock.inventory for key, stock in present.stocks.items()}
    new = {(uuid, name): one for uuid, shape in reshape.shapes.items() for name, one in shape.inventories.items()}
    inventory_of = had | new
    rooms = reshaper.after(held, reshape.shapes, reshape.claims)
    return {key: Stock(inventory_of[key], room.used) for key, room in rooms.items()}


def _with_used(stocks: Stocks, used: Mapping[Key, int]) -> Stocks:
    return {key: replace(stock, used=used.get(key, stock.used)) for key, stock in stocks.items()}


def _changed(tx: Transaction, stocks: Stocks, key: Key, values: Mapping[str, Any] | None) -> Stocks:
    """Return *stocks* with one inventory changed, created, or taken away."""
    uuid, name = key
    stock = stocks.get(key)
    if values is not None:
        changed = _with(key, stock, values)
        inventories.check_capacity("update", uuid, {name: changed.inventory})
        if stock is None:
            raise_first(inventories.of_unknown_classes(tx, [key]))
        return {**stocks, key: changed}
    if stock is None:
        raise NotFoundError(f"No inventory of class {name} found for delete on resource provider {uuid}.")
    raise_first(inventories.in_use(uuid, {name: stock.used}))
    return {other: one for other, one in stocks.items() if other != key}


def _with(key: Key, stock: Stock | None, values: Mapping[str, Any]) -> Stock:
    if stock is not None:
        return replace(stock, inventory=replace(stock.inventory, **values))
    if "total" not in values:
        raise BadRequestError(
            f"Resource provider {key[0]} has no inventory of class {key[1]}: a new one needs a total, not only "
            f"{', '.join(values) or 'nothing'}."
        )
    return Stock(Inventory(**values), 0)


def _drained(stock: Stock) -> Stock:
    return replace(stock, inventory=replace(stock.inventory, reserved=stock.inventory.total))


def _names(edits: Iterable[Edit]) -> set[str]:
    return {name for edit in edits for name in edit.add | edit.remove}


def _edited(had: frozenset[str], edit: Edit | None) -> frozenset[str]:
    return had if edit is None else had - edit.remove | edit.add
