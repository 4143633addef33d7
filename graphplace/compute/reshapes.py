"""Reshapes that drivers have in common: inventory moves, and what consumers hold of it with it (specs: reshaper).

Each edits a tree and allocations in place, as :class:`graphplace.compute.driver.Driver` does, so that one flush writes
both. Providers are named by uuid or name and are in the tree already.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from graphplace.compute.errors import ReshapeFailed
from graphplace.compute.provider_tree import Inventories, ProviderTree
from graphplace.compute.reading import Allocations
from graphplace.inventory import Inventory

# Where what a consumer holds may move to: providers, with the inventory that each gets. Each class is on one of them.
Place = Mapping[str, Inventories]
# Amounts by resource class.
Amounts = Mapping[str, int]

# How many places are tried for consumers until no division is taken to exist. Hosts with room to spare need one each.
MAX_TRIES = 100_000


def move_inventory(
    tree: ProviderTree, allocations: Allocations, sources: Iterable[str], places: Sequence[Place]
) -> None:
    """Give *places* their inventories, take those classes from *sources*, and let consumers follow.

    All that a consumer holds of these classes on the *sources* goes to one place, where it fits in beside what others
    hold. What providers have of other classes stays.

    One place per GPU, each with ``{gpu: {"VGPU": ...}}``, takes VGPUs from a host to its GPUs; one per NUMA cell, with
    ``{cell: {"VCPU": ..., "MEMORY_MB": ...}, nic: {"SRIOV_NET_VF": ...}}``, makes a flat host a NUMA host; the host as
    the only place, with cells and NICs as sources, goes back.

    Raises :class:`graphplace.compute.errors.ReshapeFailed` when a consumer fits no place, or all of them not together,
    and ValueError for a class that is twice in a place.
    """
    targets = [_target(tree, place) for place in places]
    classes = {name for target in targets for name in target.providers}
    emptied = [tree.data(source).uuid for source in sources]
    held = {consumer: _taken(record["allocations"], emptied, classes) for consumer, record in allocations.items()}
    _leave_room(targets, allocations)
    moving = {consumer: amounts for consumer, amounts in held.items() if amounts}

    for consumer, target in _divide(moving, targets):
        for name, amount in moving[consumer].items():
            entry = allocations[consumer]["allocations"].setdefault(target.providers[name], {"resources": {}})
            entry["resources"][name] = amount
    for uuid in emptied:
        left = {name: one for name, one in tree.data(uuid).inventory.items() if name not in classes}
        tree.update_inventory(uuid, left)
    for place in places:
        for provider, inventory in place.items():
            tree.update_inventory(provider, {**tree.data(provider).inventory, **inventory})


def rename_class(tree: ProviderTree, allocations: Allocations, old: str, new: str) -> None:
    """Let every provider of the host that has the class *old* have *new* instead, and consumers hold that.

    Sharing providers keep theirs, since consumers of other hosts hold it too. Raises ValueError for a provider that has
    both.
    """
    for uuid in tree.get_provider_uuids(tree.get_provider_uuids()[0]):
        provider = tree.data(uuid)
        if old not in provider.inventory:
            continue
        if new in provider.inventory:
            raise ValueError(f"Provider {provider.name} has {new} beside {old} already.")
        tree.update_inventory(uuid, {_renamed(name, old, new): one for name, one in provider.inventory.items()})
        for record in allocations.values():
            entry = record["allocations"].get(uuid)
            if entry is not None:
                entry["resources"] = {_renamed(name, old, new): amount for name, amount in entry["resources"].items()}


@dataclass(frozen=True)
class _Target:
    """A place: the uuid of the provider of each class, its inventory, and how much of it is free now."""

    providers: Mapping[str, str]
    inventories: Mapping[str, Inventory]
    free: dict[str, int]

    def holds(self, amounts: Amounts) -> bool:
        """Tell whether *amounts* are ones that the place gives, however much of it is in use."""
        return all(self._gives(name, amount) for name, amount in amounts.items())

    def fits(self, amounts: Amounts) -> bool:
        return all(amount <= self.free.get(name, 0) for name, amount in amounts.items()) and self.holds(amounts)

    def take(self, amounts: Amounts) -> None:
        for name, amount in amounts.items():
            self.free[name] -= amount

    def give_back(self, amounts: Amounts) -> None:
        for name, amount in amounts.items():
            self.free[name] += amount

    def _gives(self, name: str, amount: int) -> bool:
        inventory = self.inventories.get(name)
        return (
            inventory is not None
            and inventory.min_unit <= amount <= min(inventory.max_unit, inventory.capacity)
            and amount % inventory.step_size == 0
        )


def _target(tree: ProviderTree, place: Place) -> _Target:
    providers: dict[str, str] = {}
    inventories: dict[str, Inventory] = {}
    for provider, inventory in place.items():
        for name, fields in inventory.items():
            if name in providers:
                raise ValueError(f"{name} is twice in a place: at {provider} and at {tree.data(providers[name]).name}.")
            providers[name] = tree.data(provider).uuid
            inventories[name] = Inventory(**fields)
    return _Target(providers, inventories, {name: one.capacity for name, one in inventories.items()})


def _taken(held: dict[str, dict[str, dict[str, int]]], sources: Iterable[str], classes: set[str]) -> dict[str, int]:
    """Take what there is of *classes* on *sources* out of a consumer's ``allocations``, and return the amounts."""
    taken: dict[str, int] = {}
    for source in sources:
        if source not in held:
            continue
        resources = held[source]["resources"]
        for name in resources.keys() & classes:
            taken[name] = taken.get(name, 0) + resources.pop(name)
        if not resources:
            del held[source]
    return taken


def _leave_room(targets: Iterable[_Target], allocations: Allocations) -> None:
    """Note what is held of *targets* already."""
    for target in targets:
        for name, provider in target.providers.items():
            entries = [record["allocations"].get(provider, {"resources": {}}) for record in allocations.values()]
            target.free[name] -= sum(entry["resources"].get(name, 0) for entry in entries)


def _divide(moving: Mapping[str, Amounts], targets: Sequence[_Target]) -> Iterator[tuple[str, _Target]]:
    """Return each consumer with its target: the first that fits, big consumers first; others if one is left over."""
    most = {name: max(target.free.get(name, 0) for target in targets) for target in targets for name in target.free}
    for consumer, amounts in moving.items():
        if not any(target.holds(amounts) for target in targets):
            wanted = ", ".join(f"{amount} {name}" for name, amount in sorted(amounts.items()))
            raise ReshapeFailed(f"Consumer {consumer} holds {wanted}, which fits no single one of the new providers.")

    def size(consumer: str) -> float:
        return max(amount / (most[name] or 1) for name, amount in moving[consumer].items())

    order = sorted(moving, key=size, reverse=True)
    chosen: list[int] = []
    start = tries = 0
    while len(chosen) < len(order):
        amounts = moving[order[len(chosen)]]
        found = next((number for number in range(start, len(targets)) if targets[number].fits(amounts)), None)
        tries += 1
        if found is not None:
            targets[found].take(amounts)
            chosen.append(found)
            start = 0
        elif chosen and tries < MAX_TRIES:
            start = chosen.pop()
            targets[start].give_back(moving[order[len(chosen)]])
            start += 1
        else:
            raise ReshapeFailed(f"What {len(order)} consumers hold does not fit the new providers together.")
    return ((consumer, targets[number]) for consumer, number in zip(order, chosen, strict=True))


def _renamed(name: str, old: str, new: str) -> str:
    return new if name == old else name
