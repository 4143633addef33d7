"""Keeping what Placement knows of a host true (specs: reshaper)."""

import logging
from collections.abc import Mapping
from enum import Enum

from graphplace.compute.driver import Driver
from graphplace.compute.errors import (
    ReshapeFailed,
    ReshapeNeeded,
    ResourceProviderUpdateConflict,
    ResourceProviderUpdateFailed,
)
from graphplace.compute.placement import Context
from graphplace.compute.provider_tree import ProviderTree
from graphplace.compute.reading import Allocations
from graphplace.compute.report_client import ReportClient
from graphplace.errors import Code

# How often a tree is read, changed by the driver and written, when somebody else always writes in between.
TRIES = 4

_TRIED_AGAIN = "The next update tries again."
_MENDING = {
    Code.CONCURRENT_UPDATE: f"Others wrote to its providers {TRIES} times in between. {_TRIED_AGAIN}",
    Code.INVENTORY_IN_USE: "Consumers hold what is to be taken away: move or delete them, or give the resource back.",
    Code.PROVIDER_IN_USE: "Consumers hold something of a provider to be deleted: move or delete them.",
    Code.CANNOT_DELETE_PARENT: "Somebody else made providers below one to be deleted: delete or move them.",
    Code.DUPLICATE_NAME: "Another provider has the name: delete or rename it.",
}
_FITTING = "Nothing has moved. Move or delete the consumers that do not fit, or let the driver make room for them."

log = logging.getLogger(__name__)


class Update(Enum):
    """What an update of a node came to. In a reshape, what consumers hold moved together with inventories."""

    NOTHING = "nothing to be written"
    WRITTEN = "written"
    RESHAPED = "reshaped"


def mending(failure: ResourceProviderUpdateFailed) -> str:
    """Return what can be done about *failure*, as sentences."""
    return _MENDING.get(failure.code, _FITTING if isinstance(failure, ReshapeFailed) else _TRIED_AGAIN)


class ResourceTracker:
    """Lets *driver* say what each node of a host has, and writes that to Placement.

    *nodes* are the uuids of the nodes' root providers by nodename. Most hosts have one node.
    """

    def __init__(self, driver: Driver, client: ReportClient, nodes: Mapping[str, str]) -> None:
        self._driver = driver
        self._client = client
        self._nodes = dict(nodes)

    def update_available_resource(self, context: Context | None = None, *, startup: bool = False) -> None:
        """Bring Placement up to date: at *startup* of the compute service, and then from time to time.

        Only at startup inventories are moved that consumers hold something of. Only then this raises, namely
        ResourceProviderUpdateFailed, when the changes of a node cannot be written: the service should not start. All
        else is logged, and the other nodes are updated nevertheless.
        """
        for nodename in self._nodes:
            try:
                self.update_node(context, nodename, startup=startup)
            except ResourceProviderUpdateFailed as failure:
                if startup:
                    raise
                advice = mending(failure)
                log.exception("Node %s is not up to date in Placement. %s", nodename, advice)
            except ReshapeNeeded:
                log.exception(
                    "The providers of node %s have to be reshaped, which is done when the compute service starts: "
                    "restart it.",
                    nodename,
                )
            except Exception:
                log.exception("Node %s is not up to date in Placement; the next update tries again.", nodename)

    def update_node(self, context: Context | None, nodename: str, *, startup: bool) -> Update:
        """Bring Placement up to date about one node.

        Raises ResourceProviderUpdateFailed when its changes cannot be written, ReshapeNeeded when not at *startup*,
        PlacementError when the tree cannot be read, and what the driver and the session raise.
        """
        for _ in range(TRIES):
            tree = self._client.get_provider_tree_and_ensure_root(context, self._nodes[nodename], name=nodename)
            try:
                allocations = ask_driver(self._driver, self._client, context, tree, nodename, startup=startup)
                written = self._client.update_from_provider_tree(context, tree, allocations)
            except ResourceProviderUpdateConflict as error:
                log.info("Node %s is read again, as somebody else wrote to its providers: %s", nodename, error)
                conflict = error
            else:
                return Update.RESHAPED if allocations is not None else Update.WRITTEN if written else Update.NOTHING
        raise conflict


def ask_driver(
    driver: Driver, client: ReportClient, context: Context | None, tree: ProviderTree, nodename: str, *, startup: bool
) -> Allocations | None:
    """Let *driver* change *tree*; returns what consumers hold afterwards, or None if nothing that they hold moves.

    Raises ReshapeNeeded when something does and it is not *startup*, ReshapeFailed when it cannot move, and another
    ResourceProviderUpdateFailed when it cannot be read.
    """
    try:
        driver.update_provider_tree(tree, nodename)
    except ReshapeNeeded:
        if not startup:
            raise
    else:
        return None
    log.info("Moving inventories of node %s, and what consumers hold of them.", nodename)
    allocations = client.get_allocations_for_provider_tree(context, tree.data(nodename).uuid)
    try:
        driver.update_provider_tree(tree, nodename, allocations=allocations)
    except ReshapeNeeded as error:
        raise ReshapeFailed(f"The driver was given what consumers hold of node {nodename}: {error}") from error
    return allocations
