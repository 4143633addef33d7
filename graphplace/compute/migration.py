"""Doing once, for a host, what its compute service does when it starts (specs: reshaper, "Offline Upgrade Script")."""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from graphplace.compute.driver import Driver
from graphplace.compute.errors import ResourceProviderUpdateFailed
from graphplace.compute.placement import Placement, Session
from graphplace.compute.reading import find_root
from graphplace.compute.report_client import ReportClient
from graphplace.compute.resource_tracker import ResourceTracker, Update, mending
from graphplace.errors import BadRequestError, GraphplaceError

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Migrated:
    """What became of a node: an ``update``, or the ``failure`` in words, with what can be done about it."""

    node: str
    update: Update | None = None
    failure: str = ""


def migrate(session: Session, driver: Driver, nodes: Iterable[str]) -> Iterator[Migrated]:
    """Bring Placement up to date about each of *nodes*, names of root providers, and yield what became of it.

    Inventories are moved that consumers hold something of. A node that fails keeps no other from being migrated. One
    that Placement does not have fails, and is not made: it has nothing to be moved, or its name is mistyped.
    """
    client = ReportClient(session)
    for node in nodes:
        try:
            tracker = ResourceTracker(driver, client, {node: _root(Placement(session), node)})
            yield Migrated(node, tracker.update_node(None, node, startup=True))
        except ResourceProviderUpdateFailed as failure:
            yield Migrated(node, failure=f"{failure} {mending(failure)}")
        except GraphplaceError as error:
            yield Migrated(node, failure=str(error))
        except Exception as error:
            log.exception("Node %s cannot be migrated.", node)
            yield Migrated(node, failure=f"Its driver failed, or nothing answered: {error!r}.")


def _root(placement: Placement, name: str) -> str:
    uuid = find_root(placement, name)
    if uuid is None:
        raise BadRequestError(
            f"There is no provider {name}, so nothing of it can be migrated. Is that its name? A new host needs no "
            "migration: its compute service makes its provider when it first starts."
        )
    return uuid
