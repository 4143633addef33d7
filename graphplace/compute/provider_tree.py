"""A host's resource providers as the compute side has them: read from Placement, changed by a driver, written back."""

import copy
import uuid as uuids
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from threading import RLock
from typing import Any

from graphplace.inventory import Inventory

# The fields of an inventory, by resource class. A driver may leave out those that have a default.
Inventories = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class ProviderData:
    """A provider as it is in a tree. ``generation`` is None as long as Placement does not have the provider.

    ``inventory`` has all fields of each class. ``parent_uuid`` is None for a root.
    """

    uuid: str
    name: str
    parent_uuid: str | None = None
    generation: int | None = None
    inventory: Inventories = field(default_factory=dict)
    traits: frozenset[str] = frozenset()
    aggregates: frozenset[str] = frozenset()


class ProviderTree:
    """The providers of a host, and the sharing ones that it uses as further roots. Several threads may use one.

    A provider is named by its uuid or its name, and both are unique in a tree: methods raise ValueError for one that is
    not in the tree, or that is there already. The methods that drivers call have the names of Nova's ProviderTree, so
    that a driver works with both. What a tree returns is a copy.
    """

    def __init__(self, providers: Iterable[ProviderData] = (), removed: Iterable[str] = ()) -> None:
        """Take *providers*, whose parents are among them; in their order they are iterated over."""
        self._lock = RLock()
        self._providers = {provider.uuid: provider for provider in providers}
        self._removed = set(removed)

    def __deepcopy__(self, _memo: dict[int, Any]) -> "ProviderTree":
        with self._lock:
            # Providers are exchanged, never changed, so two trees can hold the same.
            return ProviderTree(self._providers.values(), self._removed)

    def __iter__(self) -> Iterator[ProviderData]:
        """Iterate over the providers as they are now, each before those below it."""
        with self._lock:
            return iter([self.data(uuid) for uuid in self.get_provider_uuids()])

    @property
    def removed(self) -> frozenset[str]:
        """The uuids of providers that were removed, which tells them from those that the tree never had."""
        with self._lock:
            return frozenset(self._removed)

    def exists(self, name_or_uuid: str) -> bool:
        """Tell whether the provider is in the tree."""
        with self._lock:
            return self._lookup(name_or_uuid) is not None

    def data(self, name_or_uuid: str) -> ProviderData:
        """Return the provider."""
        provider = self._find(name_or_uuid)
        return replace(provider, inventory=copy.deepcopy(provider.inventory))

    def get_provider_uuids(self, name_or_uuid: str | None = None) -> list[str]:
        """Return the uuids of the provider and of all below it, or of all there are; each before those below it."""
        with self._lock:
            if name_or_uuid is not None:
                return self._subtree(self._find(name_or_uuid).uuid)
            roots = [provider.uuid for provider in self._providers.values() if provider.parent_uuid is None]
            return [uuid for root in roots for uuid in self._subtree(root)]

    def new_root(self, name: str, uuid: str, generation: int | None = None) -> str:
        """Add a provider without a parent and return its uuid."""
        return self._add(ProviderData(uuid, name, generation=generation))

    def new_child(self, name: str, parent: str, uuid: str | None = None, generation: int | None = None) -> str:
        """Add a provider below *parent*, with a new uuid unless one is given, and return the uuid."""
        with self._lock:
            return self._add(ProviderData(uuid or str(uuids.uuid4()), name, self._find(parent).uuid, generation))

    def remove(self, name_or_uuid: str) -> None:
        """Remove the provider and all below it."""
        with self._lock:
            for uuid in self.get_provider_uuids(name_or_uuid):
                del self._providers[uuid]
                self._removed.add(uuid)

    def move(self, name_or_uuid: str, parent: str) -> None:
        """Let the provider be below *parent* with all that is below it. Raises ValueError where that is a ring."""
        with self._lock:
            moved, above = self._find(name_or_uuid), self._find(parent)
            if above.uuid in self._subtree(moved.uuid):
                raise ValueError(f"Provider {moved.name} cannot be below {above.name}, which is below it or is it.")
            self._providers[moved.uuid] = replace(moved, parent_uuid=above.uuid)

    def has_inventory_changed(self, name_or_uuid: str, inventory: Inventories) -> bool:
        """Tell whether *inventory* differs from that of the provider, or misses or adds a class."""
        return self._find(name_or_uuid).inventory != _whole(inventory)

    def update_inventory(self, name_or_uuid: str, inventory: Inventories) -> bool:
        """Give the provider *inventory*, all there is of it, and tell whether that changed it.

        Raises ValueError for a field that Placement does not know and for a class without ``total``.
        """
        return self._update(name_or_uuid, inventory=_whole(inventory))

    def have_traits_changed(self, name_or_uuid: str, traits: Iterable[str]) -> bool:
        """Tell whether *traits* differ from those of the provider."""
        return self._find(name_or_uuid).traits != frozenset(traits)

    def update_traits(self, name_or_uuid: str, traits: Iterable[str]) -> bool:
        """Give the provider *traits* and no others, and tell whether that changed it."""
        return self._update(name_or_uuid, traits=frozenset(traits))

    def add_traits(self, name_or_uuid: str, *traits: str) -> bool:
        """Give the provider *traits* beside those it has, and tell whether that changed it."""
        with self._lock:
            return self.update_traits(name_or_uuid, self._find(name_or_uuid).traits.union(traits))

    def remove_traits(self, name_or_uuid: str, *traits: str) -> bool:
        """Take *traits* from the provider, and tell whether that changed it."""
        with self._lock:
            return self.update_traits(name_or_uuid, self._find(name_or_uuid).traits.difference(traits))

    def have_aggregates_changed(self, name_or_uuid: str, aggregates: Iterable[str]) -> bool:
        """Tell whether *aggregates*, uuids, differ from those of the provider."""
        return self._find(name_or_uuid).aggregates != frozenset(aggregates)

    def update_aggregates(self, name_or_uuid: str, aggregates: Iterable[str]) -> bool:
        """Let the provider be in *aggregates*, uuids, and no others, and tell whether that changed it."""
        return self._update(name_or_uuid, aggregates=frozenset(aggregates))

    def add_aggregates(self, name_or_uuid: str, *aggregates: str) -> bool:
        """Let the provider be in *aggregates* beside its own, and tell whether that changed it."""
        with self._lock:
            return self.update_aggregates(name_or_uuid, self._find(name_or_uuid).aggregates.union(aggregates))

    def remove_aggregates(self, name_or_uuid: str, *aggregates: str) -> bool:
        """Take the provider out of *aggregates*, and tell whether that changed it."""
        with self._lock:
            return self.update_aggregates(name_or_uuid, self._find(name_or_uuid).aggregates.difference(aggregates))

    def update_generation(self, name_or_uuid: str, generation: int | None) -> bool:
        """Note the generation that Placement has for the provider, and tell whether it is another one."""
        return self._update(name_or_uuid, generation=generation)

    def _update(self, name_or_uuid: str, **changes: Any) -> bool:
        with self._lock:
            old = self._find(name_or_uuid)
            self._providers[old.uuid] = replace(old, **changes)
            return self._providers[old.uuid] != old

    def _add(self, provider: ProviderData) -> str:
        with self._lock:
            for name_or_uuid in (provider.uuid, provider.name):
                if self._lookup(name_or_uuid) is not None:
                    raise ValueError(f"Provider {name_or_uuid} is in the tree already.")
            self._providers[provider.uuid] = provider
            return provider.uuid

    def _find(self, name_or_uuid: str) -> ProviderData:
        with self._lock:
            provider = self._lookup(name_or_uuid)
            if provider is None:
                raise ValueError(f"Provider {name_or_uuid} is not in the tree.")
            return provider

    def _lookup(self, name_or_uuid: str) -> ProviderData | None:
        named = (provider for provider in self._providers.values() if provider.name == name_or_uuid)
        return self._providers.get(name_or_uuid) or next(named, None)

    def _subtree(self, top: str) -> list[str]:
        below: dict[str | None, list[str]] = {}
        for provider in self._providers.values():
            below.setdefault(provider.parent_uuid, []).append(provider.uuid)
        found, left = [], [top]
        while left:
            found.append(left.pop())
            left.extend(reversed(below.get(found[-1], ())))
        return found


def _whole(inventory: Inventories) -> Inventories:
    return {name: asdict(_read(name, given)) for name, given in inventory.items()}


def _read(name: str, given: Mapping[str, Any]) -> Inventory:
    try:
        return Inventory(**given)
    except TypeError as error:
        accepted = ", ".join(one.name for one in fields(Inventory))
        raise ValueError(f"Inventory of {name} is {dict(given)}: it needs a total, and may have {accepted}.") from error
