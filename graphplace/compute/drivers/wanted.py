"""What a host shall have, as plain data, and how a host's tree is brought to it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any

from graphplace.compute.errors import ReshapeNeeded
from graphplace.compute.provider_tree import ProviderData, ProviderTree
from graphplace.compute.reading import Allocations
from graphplace.compute.reshapes import move_inventory
from graphplace.errors import BadRequestError


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A provider that a host shall have: its name, and that of its parent, which only the host itself has none of.

    ``inventories`` are the fields by resource class. Inventories, traits or aggregates that are None stay as they are.
    A provider that is new gets ``uuid``, or one that is made up.
    """

    name: str
    parent: str | None = None
    uuid: str | None = None
    inventories: Mapping[str, Mapping[str, Any]] | None = None
    traits: frozenset[str] | None = None
    aggregates: frozenset[str] | None = None


def bring(
    tree: ProviderTree,
    host: str,
    providers: Iterable[Wanted],
    allocations: Allocations | None,
    *,
    is_own: Callable[[ProviderData], bool],
) -> None:
    """Bring the tree below *host*, and the host itself, to *providers*, one of which is the host.

    A provider below the host that is not among them is removed if *is_own* says that it is the driver's.

    Inventory that goes from a provider to others below or above it takes what consumers hold of it along: while
    *allocations* is None, that raises ReshapeNeeded, and nothing is changed. Raises ReshapeFailed when what a consumer
    holds fits nowhere, and BadRequestError for a tree that cannot be made: a parent that is not there, rings, names
    that others have, and providers of others below those that are removed.
    """
    wanted = {one.name: one for one in _parents_first(host, list(providers))}
    present = {provider.name: provider for provider in map(tree.data, tree.get_provider_uuids(host))}
    gone = [name for name, one in present.items() if name not in wanted and is_own(one)]
    moves = list(_moves(wanted, present, gone))
    if moves and allocations is None:
        classes = ", ".join(sorted({name for group in moves for place in group.places.values() for name in place}))
        raise ReshapeNeeded(f"{classes} of {host} move to other providers, with what consumers hold of them.")
    for one in wanted.values():
        _place(tree, one, present)
    for group in moves:
        places = [{name: inventory} for name, inventory in group.places.items()]
        move_inventory(tree, allocations or {}, group.sources, places)
    for one in wanted.values():
        if one.inventories is not None:
            tree.update_inventory(one.name, one.inventories)
        if one.traits is not None:
            tree.update_traits(one.name, one.traits)
        if one.aggregates is not None:
            tree.update_aggregates(one.name, one.aggregates)
    _remove(tree, gone)


def _parents_first(host: str, providers: list[Wanted]) -> list[Wanted]:
    by_name = {one.name: one for one in providers}
    if len(by_name) < len(providers):
        names = [one.name for one in providers]
        raise BadRequestError(f"The provider {next(one for one in names if names.count(one) > 1)} is there twice.")
    for one in providers:
        if one.parent is None and one.name != host:
            raise BadRequestError(f"The provider {one.name} has no parent; only the host, {host}, has none.")
        if one.parent is not None and one.parent not in by_name:
            raise BadRequestError(f"The parent {one.parent} of the provider {one.name} is not among the providers.")
    if host not in by_name or by_name[host].parent is not None:
        raise BadRequestError(f"The host {host} has to be one of the providers, without a parent.")
    above = {one.name: [one.parent] if one.parent else [] for one in providers}
    try:
        return [by_name[name] for name in TopologicalSorter(above).static_order()]
    except CycleError as error:
        raise BadRequestError(f"Providers are their own ancestors: {' below '.join(error.args[1])}.") from None


def _place(tree: ProviderTree, one: Wanted, present: Mapping[str, ProviderData]) -> None:
    if one.name in present:
        found = present[one.name]
        if one.uuid not in (None, found.uuid):
            raise BadRequestError(f"The provider {one.name} has the uuid {found.uuid} already, not {one.uuid}.")
        if one.parent is not None and tree.data(one.parent).uuid != found.parent_uuid:
            tree.move(one.name, one.parent)
    else:
        for name in filter(None, (one.name, one.uuid)):
            if tree.exists(name):
                raise BadRequestError(f"The provider {one.name} cannot be made: {name} is that of another provider.")
        tree.new_child(one.name, str(one.parent), uuid=one.uuid)


def _remove(tree: ProviderTree, gone: list[str]) -> None:
    uuids = {tree.data(name).uuid for name in gone}
    for name in gone:
        for uuid in tree.get_provider_uuids(name) if tree.exists(name) else ():
            if uuid not in uuids:
                below = tree.data(uuid).name
                raise BadRequestError(f"The provider {name} is to go, but {below} below it is not: move or delete it.")
    for name in gone:
        if tree.exists(name):
            tree.remove(name)


@dataclass(frozen=True)
class _Move:
    """Classes that go from *sources* to *places*: inventories of these classes by provider, all by name."""

    sources: frozenset[str]
    places: Mapping[str, Mapping[str, Mapping[str, Any]]]


def _moves(wanted: Mapping[str, Wanted], present: Mapping[str, ProviderData], gone: Iterable[str]) -> Iterator[_Move]:
    """Yield what moves: a class that a provider loses and others, above or below it, newly have.

    Providers side by side do not take over from each other: a card that is exchanged for another is no move. Classes
    that come to a provider together move together, so that what a consumer holds of them stays together.
    """
    before = {name: frozenset(one.inventory) for name, one in present.items()}
    after = before | {name: frozenset() for name in gone}
    after |= {name: frozenset(one.inventories) for name, one in wanted.items() if one.inventories is not None}
    names = {one.uuid: name for name, one in present.items()}
    old = {name: names.get(one.parent_uuid or "") for name, one in present.items()}
    new = old | {name: one.parent for name, one in wanted.items()}
    targets: dict[str, frozenset[str]] = {}
    sources: dict[str, frozenset[str]] = {}
    for resource_class in frozenset().union(*before.values()):
        losing = {name for name in before if resource_class in before[name] - after[name]}
        gaining = {name for name in after if resource_class in after[name] - before.get(name, frozenset())}
        pairs = {
            (source, target)
            for source in losing
            for target in gaining
            if source in _ancestors(target, new) or target in _ancestors(source, old)
        }
        if pairs:
            sources[resource_class] = frozenset(source for source, _ in pairs)
            targets[resource_class] = frozenset(target for _, target in pairs)
    for classes in _together(targets):
        yield _Move(
            frozenset().union(*(sources[name] for name in classes)),
            {
                target: {name: (wanted[target].inventories or {})[name] for name in classes if target in targets[name]}
                for target in sorted(frozenset().union(*(targets[name] for name in classes)))
            },
        )


def _together(targets: Mapping[str, frozenset[str]]) -> list[list[str]]:
    """Return the classes in groups that have no target in common."""
    groups: list[tuple[list[str], frozenset[str]]] = []
    for name in sorted(targets):
        touched = [group for group in groups if group[1] & targets[name]]
        joined = (sum((group[0] for group in touched), [name]), targets[name].union(*(group[1] for group in touched)))
        groups = [group for group in groups if group not in touched] + [joined]
    return [classes for classes, _ in groups]


def _ancestors(name: str, parents: Mapping[str, str | None]) -> Iterator[str]:
    above = parents.get(name)
    while above is not None:
        yield above
        above = parents.get(above)
