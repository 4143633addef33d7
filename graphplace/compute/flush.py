"""Writing to Placement what a driver changed in a host's tree (specs: reshaper)."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus

from graphplace.compute.errors import (
    PlacementError,
    ReshapeFailed,
    ResourceProviderUpdateConflict,
    ResourceProviderUpdateFailed,
)
from graphplace.compute.placement import Placement
from graphplace.compute.provider_tree import ProviderData, ProviderTree
from graphplace.compute.reading import Allocations
from graphplace.errors import Code


def flush(placement: Placement, stored: ProviderTree, wanted: ProviderTree, allocations: Allocations | None) -> bool:
    """Write where *wanted* differs from *stored*, and tell whether it did anywhere.

    With *allocations* the inventories of the host's tree are written together with them, all or none, after providers
    have been made and have their traits and aggregates, and before others are deleted. Each write names the generation
    that *wanted* has for the provider. Only what was removed from *wanted* is deleted: *stored* may be newer, and have
    what somebody else made meanwhile.

    Raises :class:`graphplace.compute.errors.ResourceProviderUpdateConflict` at once when somebody else wrote first, and
    ReshapeFailed when the reshape is refused. A change to one provider that is refused for other reasons keeps no other
    from being written; it is raised at the end as ResourceProviderUpdateFailed, with all that were.
    """
    work = _Flush(placement, stored, wanted)
    removed = wanted.removed
    gone = [uuid for uuid in reversed(stored.get_provider_uuids()) if uuid in removed and not wanted.exists(uuid)]
    here = wanted.get_provider_uuids()
    if allocations is None:
        # First, because what is new may have a name of theirs. But what is moved out of a provider has to move before.
        for uuid in [uuid for uuid in gone if not any(map(wanted.exists, stored.get_provider_uuids(uuid)))]:
            work.delete(uuid)
            gone.remove(uuid)
    for uuid in here:
        work.place(uuid)
    for uuid in here:
        work.write_traits(uuid)
        work.write_aggregates(uuid)
    if allocations is None:
        for uuid in here:
            work.write_inventory(uuid)
    else:
        work.raise_failures()
        work.reshape(allocations, gone)
    for uuid in gone:
        work.delete(uuid)
    work.raise_failures()
    return work.wrote


@dataclass
class _Flush:
    placement: Placement
    stored: ProviderTree
    wanted: ProviderTree
    wrote: bool = False
    generations: dict[str, int | None] = field(default_factory=dict)
    failures: list[ResourceProviderUpdateFailed] = field(default_factory=list)
    made: set[str] = field(default_factory=set)

    def place(self, uuid: str) -> None:
        """Make the provider, or give it another parent. Its parent is in its place already."""
        wanted = self.wanted.data(uuid)
        body = {"name": wanted.name, "parent_provider_uuid": wanted.parent_uuid}
        if not self.stored.exists(uuid):
            if wanted.generation is not None:
                raise ResourceProviderUpdateConflict(f"Provider {wanted.name} was deleted by somebody else.")
            with self._needed(f"Provider {wanted.name} cannot be made"), self._below(wanted):
                self.generations[uuid] = self._create({"uuid": uuid, **body})
            return
        stored = self.stored.data(uuid)
        self.generations[uuid] = stored.generation if wanted.generation is None else wanted.generation
        if (stored.name, stored.parent_uuid) != (wanted.name, wanted.parent_uuid):
            with self._needed(f"Provider {stored.name} cannot get another name or parent"), self._below(wanted):
                self.placement.put(f"/resource_providers/{uuid}", body)

    def write_traits(self, uuid: str) -> None:
        wanted, stored = self.wanted.data(uuid), self._stored(uuid)
        if wanted.traits != stored.traits:
            with self._collected(f"Traits of provider {wanted.name} are not as they should be"):
                for trait in _custom(wanted.traits - stored.traits):
                    self._make(f"/traits/{trait}")
                self._put(uuid, "traits", sorted(wanted.traits))

    def write_aggregates(self, uuid: str) -> None:
        wanted = self.wanted.data(uuid)
        if wanted.aggregates != self._stored(uuid).aggregates:
            with self._collected(f"Aggregates of provider {wanted.name} are not as they should be"):
                self._put(uuid, "aggregates", sorted(wanted.aggregates))

    def write_inventory(self, uuid: str) -> None:
        wanted = self.wanted.data(uuid)
        if wanted.inventory != self._stored(uuid).inventory:
            with self._collected(f"Inventory of provider {wanted.name} is not as it should be"):
                self._make_classes(uuid)
                self._put(uuid, "inventories", wanted.inventory)

    def reshape(self, allocations: Allocations, gone: list[str]) -> None:
        """Write inventories and *allocations* in one step; providers that are to go have no inventory afterwards.

        All of the host's own providers are named, also those that stay as they are: so nobody has written to any of
        them since it was read. Sharing providers, which all hosts write to, are named if they change.
        """
        own = self.wanted.get_provider_uuids(self.wanted.get_provider_uuids()[0])
        changed = [
            one.uuid for one in self.wanted if one.uuid not in own and one.inventory != self._stored(one.uuid).inventory
        ]
        inventories = {
            uuid: {
                "inventories": self.wanted.data(uuid).inventory,
                "resource_provider_generation": self.generations[uuid],
            }
            for uuid in [*own, *changed]
        }
        inventories |= {
            uuid: {"inventories": {}, "resource_provider_generation": self.stored.data(uuid).generation}
            for uuid in gone
        }
        with self._reported("The providers are made, but inventories and allocations cannot be moved", ReshapeFailed):
            for uuid in [*own, *changed]:
                self._make_classes(uuid)
            self.placement.post("/reshaper", {"inventories": inventories, "allocations": allocations})

    def delete(self, uuid: str) -> None:
        """Delete the provider, which has none below it."""
        with self._collected(f"Provider {self.stored.data(uuid).name} cannot be deleted"):
            try:
                self.placement.delete(f"/resource_providers/{uuid}")
            except PlacementError as error:
                if error.status != HTTPStatus.NOT_FOUND:
                    raise

    def raise_failures(self) -> None:
        if self.failures:
            codes = {failure.code for failure in self.failures}
            message = "; ".join(map(str, self.failures))
            raise ResourceProviderUpdateFailed(message, codes.pop() if len(codes) == 1 else None)

    def _create(self, body: dict[str, str | None]) -> int:
        try:
            generation: int = self.placement.post("/resource_providers", body)["generation"]
        except PlacementError as error:
            if error.code is Code.DUPLICATE_NAME and self._is_there(str(body["uuid"])):
                raise ResourceProviderUpdateConflict(f"Provider {body['name']} was made by somebody else.") from error
            raise
        return generation

    @contextmanager
    def _below(self, wanted: ProviderData) -> Iterator[None]:
        """Tell a parent that somebody else has deleted from what else Placement may refuse."""
        try:
            yield
        except PlacementError as error:
            parent = wanted.parent_uuid
            if error.status == HTTPStatus.BAD_REQUEST and parent is not None and not self._is_there(parent):
                raise ResourceProviderUpdateConflict(f"The parent of {wanted.name} is gone.") from error
            raise

    def _is_there(self, uuid: str) -> bool:
        try:
            self.placement.get(f"/resource_providers/{uuid}")
        except PlacementError as error:
            if error.status != HTTPStatus.NOT_FOUND:
                raise
            return False
        return True

    def _put(self, uuid: str, what: str, value: object) -> None:
        body = {what: value, "resource_provider_generation": self.generations[uuid]}
        answer = self.placement.put(f"/resource_providers/{uuid}/{what}", body)
        self.generations[uuid] = answer["resource_provider_generation"]

    def _make_classes(self, uuid: str) -> None:
        for name in _custom(self.wanted.data(uuid).inventory.keys() - self._stored(uuid).inventory.keys()):
            self._make(f"/resource_classes/{name}")

    def _make(self, path: str) -> None:
        """Make a custom trait or resource class if it is not there, once for all providers."""
        if path not in self.made:
            self.placement.put(path)
            self.made.add(path)

    def _stored(self, uuid: str) -> ProviderData:
        return self.stored.data(uuid) if self.stored.exists(uuid) else ProviderData(uuid, "")

    @contextmanager
    def _needed(self, what: str) -> Iterator[None]:
        """Raise a failure at once, with those before it that may be its reason: what follows needs what is written."""
        failed = len(self.failures)
        with self._collected(what):
            yield
        if len(self.failures) > failed:
            self.raise_failures()

    @contextmanager
    def _collected(self, what: str) -> Iterator[None]:
        """Keep a failure for the end, unless it is a lost race."""
        try:
            with self._reported(what):
                yield
        except ResourceProviderUpdateConflict:
            raise
        except ResourceProviderUpdateFailed as failure:
            self.failures.append(failure)

    @contextmanager
    def _reported(
        self, what: str, failed: type[ResourceProviderUpdateFailed] = ResourceProviderUpdateFailed
    ) -> Iterator[None]:
        """Note that something is written; what Placement refuses becomes *failed*, or a conflict if a race was lost."""
        self.wrote = True
        try:
            yield
        except PlacementError as error:
            raced = error.status == HTTPStatus.NOT_FOUND or error.code in (
                Code.CONCURRENT_UPDATE,
                Code.PROVIDER_NOT_FOUND,
            )
            kind = ResourceProviderUpdateConflict if raced else failed
            raise kind(f"{what}: {error}", error.code) from error


def _custom(names: frozenset[str] | set[str]) -> list[str]:
    return sorted(name for name in names if name.startswith("CUSTOM_"))
