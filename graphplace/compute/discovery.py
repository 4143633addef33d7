"""Finding out what a host has, and writing to Placement what is different there."""

import copy
import uuid as uuids
from collections.abc import Iterator
from dataclasses import dataclass, replace

from graphplace.compute.difference import (
    Change,
    ConsumerChange,
    ProviderChange,
    compare_consumers,
    compare_trees,
)
from graphplace.compute.driver import Driver
from graphplace.compute.errors import ResourceProviderUpdateConflict
from graphplace.compute.placement import Placement, Session
from graphplace.compute.provider_tree import ProviderTree
from graphplace.compute.reading import Allocations, find_root
from graphplace.compute.report_client import ReportClient
from graphplace.compute.resource_tracker import TRIES, ask_driver
from graphplace.errors import BadRequestError


@dataclass(frozen=True, kw_only=True)
class Discovered:
    """What is different at a host: ``providers`` of the tree, also those that stay, and what moves with them.

    ``conflicts`` are sentences, each of something that consumers hold and that the host no longer has.
    """

    providers: list[ProviderChange]
    consumers: list[ConsumerChange]
    conflicts: list[str]
    written: bool = False

    @property
    def changed(self) -> bool:
        """Whether anything is different."""
        return any(provider.change is not Change.SAME for provider in self.providers) or bool(self.consumers)


def discover(session: Session, driver: Driver, host: str, *, uuid: str | None = None, dry_run: bool) -> Discovered:
    """Compare what *driver* finds at *host* with what Placement has, and write the difference unless *dry_run*.

    The host is the root provider of that name; one that is new gets *uuid*, or one that is made up. While consumers
    hold something that is no longer there, nothing is written at all.

    Raises BadRequestError for a host that is below another provider and for what the driver cannot read, ReshapeFailed
    when inventory moves and what consumers hold of it fits nowhere, and ResourceProviderUpdateFailed when Placement
    refuses something, or others are always quicker.
    """
    client = ReportClient(session)
    root = find_root(Placement(session), host) or uuid or str(uuids.uuid4())
    for _ in range(TRIES):
        try:
            return _discover(client, driver, host, root, dry_run=dry_run)
        except ResourceProviderUpdateConflict as error:
            conflict = error
    raise conflict


def _discover(client: ReportClient, driver: Driver, host: str, root: str, *, dry_run: bool) -> Discovered:
    stored = client.get_provider_tree(None, root)
    wanted = copy.deepcopy(stored)
    if not wanted.exists(root):
        wanted.new_root(host, root)
    if wanted.data(root).name != host:
        raise BadRequestError(f"The host {host} cannot get the uuid {root}: {wanted.data(root).name} has it.")
    allocations = ask_driver(driver, client, None, wanted, host, startup=True)
    held = client.get_allocations_for_provider_tree(None, root) if allocations else {}
    found = Discovered(
        providers=compare_trees(stored, wanted),
        consumers=compare_consumers(held, allocations or {}),
        conflicts=list(_conflicts(client, stored, wanted, allocations)),
    )
    if dry_run or found.conflicts or not found.changed:
        return found
    client.update_from_provider_tree(None, wanted, allocations)
    return replace(found, written=True)


def _conflicts(
    client: ReportClient, stored: ProviderTree, wanted: ProviderTree, allocations: Allocations | None
) -> Iterator[str]:
    """Yield what consumers hold of what goes; *allocations* are what they hold where inventory moves."""
    going = {
        provider.uuid: gone
        for provider in stored
        if (gone := provider.inventory.keys() - _classes(wanted, provider.uuid))
    }
    if not going:
        return
    holding = client.get_allocations_for_providers(None, going) if allocations is None else allocations
    for consumer, record in holding.items():
        for uuid, entry in record["allocations"].items():
            for name in sorted(going.get(uuid, frozenset()) & entry["resources"].keys()):
                yield (
                    f"Consumer {consumer} holds {entry['resources'][name]} {name} of {stored.data(uuid).name}, which "
                    "is no longer there."
                )


def _classes(tree: ProviderTree, uuid: str) -> frozenset[str]:
    return frozenset(tree.data(uuid).inventory) if tree.exists(uuid) else frozenset()
