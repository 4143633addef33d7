"""Reshaping: inventories and allocations move between providers in one step (specs: reshaper)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graphplace import allocations, inventories
from graphplace.allocations import Claim, Held, Room
from graphplace.errors import BadRequestError, Code, ConcurrentUpdateError
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
        _check_shapes(held, shapes)
        move = decide(tx, held, {uuid: shape.inventories for uuid, shape in shapes.items()}, claims)
        write(tx, held, move, _generations(shapes, move.allocations.touched))

    database.write(work)


def decide(tx: Transaction, held: Held, wanted: Mapping[str, Inventories], claims: Sequence[Claim]) -> Move:
    """Return what changes when providers, by uuid, have all that is *wanted* of them and *claims* are fulfilled.

    *held* is what is there, read under locks. Raises as :func:`reshape` does.
    """
    changes = _changes(held, wanted)
    inventories.check_classes(tx, changes.created)
    granted = allocations.decide(tx, _reshaped(held, changes), claims)
    _check_deleted(held, changes, granted.used)
    return Move(changes, granted)


def write(tx: Transaction, held: Held, move: Move, generations: Mapping[str, int]) -> None:
    """Write *move*, decided on *held*, and raise the *generations* of providers by the numbers given."""
    # A class may move between a provider's old inventories and new ones: both are there while claims are written.
    inventories.write(tx, replace(move.inventories, deleted=()), {})
    allocations.write(tx, held, move.allocations, generations)
    inventories.write(tx, Changes(deleted=move.inventories.deleted), {})


def _check_shapes(held: Held, shapes: Mapping[str, Shape]) -> None:
    for uuid, shape in shapes.items():
        if uuid not in held.providers:
            raise BadRequestError(
                f"Resource provider {uuid} in inventories not found: No resource provider with uuid {uuid} found.",
                Code.PROVIDER_NOT_FOUND,
            )
        actual = held.providers[uuid].generation
        if actual != shape.generation:
            raise ConcurrentUpdateError(
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


def _check_deleted(held: Held, changes: Changes, used: Mapping[tuple[str, str], int]) -> None:
    for uuid in sorted({uuid for uuid, _ in changes.deleted}):
        left = {key: used.get(key, held.inventories[key].used) for key in changes.deleted if key[0] == uuid}
        inventories.check_unused(uuid, {name: amount for (_, name), amount in left.items()})


def _generations(shapes: Mapping[str, Shape], touched: frozenset[str]) -> Mapping[str, int]:
    """Return by how much each provider's generation grows.

    A reshape counts as the writes that a client would need otherwise: one that gives a provider the new inventories
    beside the old, one for its allocations, one that takes the old inventories away.
    """
    generations = Counter({uuid: 2 if shape.inventories else 1 for uuid, shape in shapes.items()})
    generations.update(touched)
    return generations
