"""Reshaping: inventories and allocations move between providers in one step (specs: reshaper)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from graphplace import allocations, inventories
from graphplace.allocations import Claim, Held, Room
from graphplace.errors import BadRequestError, Code, ConcurrentUpdateError, GraphplaceError, raise_first
from graphplace.graph.database import Database, Transaction
from graphplace.inventories import Changes, Inventories


@dataclass(frozen=True)
class Shape:
    """All inventories that a provider shall have, decided on when it was at ``generation``."""

    generation: int
    inventories: Inventories


@dataclass(frozen=True)
class Move:
    """What giving providers new inventories and consumers new allocations changes."""

    inventories: Changes
    allocations: allocations.Changes


def reshape(database: Database, shapes: Mapping[str, Shape], claims: Sequence[Claim]) -> None:
    """Give the providers of *shapes* their inventories and the consumers of *claims* their allocations, all or none.

    Claims are judged by the new inventories. What they do not name stays, so its inventory must stay, too. An
    inventory may have a reserved amount above its total, as Placement lets it pass here alone. Raises
    what :func:`graphplace.inventories.replace` and :func:`graphplace.allocations.replace` raise, but BadRequestError
    for a provider of *shapes* that does not exist.
    """

    def work(tx: Transaction) -> None:
        held = allocations.lock(tx, claims, providers=shapes)
        raise_first(objections(tx, held, shapes, claims))
        move = _move(held, _wanted(shapes), claims)
        write(tx, held, move, _generations(shapes, move.allocations.touched))

    database.write(work)


def decide(tx: Transaction, held: Held, wanted: Mapping[str, Inventories], claims: Sequence[Claim]) -> Move:
    """Return what changes when providers, by uuid, have all that is *wanted* of them and *claims* are fulfilled.

    *held* is what is there, read under locks. Raises as :func:`reshape` does.
    """
    raise_first(_misfits(tx, held, wanted, claims))
    return _move(held, wanted, claims)


def objections(
    tx: Transaction, held: Held, shapes: Mapping[str, Shape], claims: Sequence[Claim]
) -> Iterator[GraphplaceError]:
    """Yield all that is in the way of a reshape; the first is what :func:`reshape` raises.

    *held* is what is there, read under locks.
    """
    yield from _stale_providers(held, shapes)
    yield from _misfits(tx, held, _wanted(shapes), claims)


def write(tx: Transaction, held: Held, move: Move, generations: Mapping[str, int]) -> None:
    """Write *move*, decided on *held*, and raise the *generations* of providers by the numbers given."""
    # A class may move between a provider's old inventories and new ones: both are there while claims are written.
    inventories.write(tx, replace(move.inventories, deleted=()), {})
    allocations.write(tx, held, move.allocations, generations)
    inventories.write(tx, Changes(deleted=move.inventories.deleted), {})


def after(held: Held, shapes: Mapping[str, Shape], claims: Sequence[Claim]) -> Mapping[tuple[str, str], Room]:
    """Return the inventories that there are after a reshape, by provider uuid and class; *held* is what is there."""
    changes = _changes(held, _wanted(shapes))
    reshaped = _reshaped(held, changes)
    used = allocations.used_after(reshaped, claims)
    return {
        key: replace(room, used=used.get(key, room.used))
        for key, room in reshaped.inventories.items()
        if key not in changes.deleted
    }


def _wanted(shapes: Mapping[str, Shape]) -> dict[str, Inventories]:
    return {uuid: shape.inventories for uuid, shape in shapes.items()}


def _move(held: Held, wanted: Mapping[str, Inventories], claims: Sequence[Claim]) -> Move:
    changes = _changes(held, wanted)
    return Move(changes, allocations.grant(_reshaped(held, changes), claims))


def _misfits(
    tx: Transaction, held: Held, wanted: Mapping[str, Inventories], claims: Sequence[Claim]
) -> Iterator[GraphplaceError]:
    changes = _changes(held, wanted)
    yield from inventories.of_unknown_classes(tx, changes.created)
    reshaped = _reshaped(held, changes)
    yield from allocations.objections(tx, reshaped, claims)
    yield from _still_used(held, changes, allocations.used_after(reshaped, claims))


def _stale_providers(held: Held, shapes: Mapping[str, Shape]) -> Iterator[GraphplaceError]:
    for uuid, shape in shapes.items():
        if uuid not in held.providers:
            yield BadRequestError(
                f"Resource provider {uuid} in inventories not found: No resource provider with uuid {uuid} found.",
                Code.PROVIDER_NOT_FOUND,
            )
        elif (actual := held.providers[uuid].generation) != shape.generation:
            yield ConcurrentUpdateError(
                f"resource provider generation conflict for provider {uuid}: actual: {actual}, "
                f"given: {shape.generation}"
            )


def _changes(held: Held, shapes: Mapping[str, Inventories]) -> Changes:
    wanted = {(uuid, name): one for uuid, shape in shapes.items() for name, one in shape.items()}
    return Changes(
        created={key: inventory for key, inventory in wanted.items() if key not in held.inventories},
        updated={key: inventory for key, inventory in wanted.items() if key in held.inventories},
        deleted=[key for key in held.inventories if key[0] in shapes and key not in wanted],
    )


def _reshaped(held: Held, changes: Changes) -> Held:
    """Return *held* with the new inventories beside those to be deleted, as claims find them."""
    new = {
        key: Room(
            capacity=inventory.capacity,
            used=held.inventories[key].used if key in held.inventories else 0,
            min_unit=inventory.min_unit,
            max_unit=inventory.max_unit,
            step_size=inventory.step_size,
        )
        for key, inventory in {**changes.created, **changes.updated}.items()
    }
    return replace(held, inventories={**held.inventories, **new})


def _still_used(held: Held, changes: Changes, used: Mapping[tuple[str, str], int]) -> Iterator[GraphplaceError]:
    for uuid in sorted({uuid for uuid, _ in changes.deleted}):
        left = {key: used.get(key, held.inventories[key].used) for key in changes.deleted if key[0] == uuid}
        yield from inventories.in_use(uuid, {name: amount for (_, name), amount in left.items()})


def _generations(shapes: Mapping[str, Shape], touched: frozenset[str]) -> Mapping[str, int]:
    """Return by how much each provider's generation grows.

    A reshape counts as the writes that a client would need otherwise: one that gives a provider the new inventories
    beside the old, one for its allocations, one that takes the old inventories away.
    """
    generations = Counter({uuid: 2 if shape.inventories else 1 for uuid, shape in shapes.items()})
    generations.update(touched)
    return generations
