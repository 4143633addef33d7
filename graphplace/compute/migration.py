"""Doing once, for a host, what its compute service does when it starts (specs: reshaper, "Offline Upgrade Script")."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from graphplace.compute.driver import Driver
from graphplace.compute.errors import ResourceProviderUpdateFailed
from graphplace.compute.placement import Placement, Session
from graphplace.compute.reading import find_root
from graphplace.compute.report_client import ReportClient
from graphplace.compute.resource_tracker import ResourceTracker, Update, mending
from graphplace.errors import BadRequestError, GraphplaceError


@dataclass(frozen=True)
class Migrated:
    """What became of a node: an ``update``, or the ``failure`` in words, with what can be done about it."""

    node: str
    update: Update | None = None
    failure: str = ""


def migrate(session: Session, driver: Driver, nodes: Iterable[str]) -> Iterator[Migrated]:
    """Bring Placement up to date about each of *nodes*, names of root providers, and yield what became of it.

    Inventories are moved that consumers hold something of. A node that fails keeps no other from being migrated.
    Raises BadRequestError at once for a name that is not one of a root provider.
    """
    roots = _roots(Placement(session), nodes)
    tracker = ResourceTracker(driver, ReportClient(session), roots)
    for node in roots:
        try:
            yield Migrated(node, tracker.update_node(None, node, startup=True))
        except ResourceProviderUpdateFailed as failure:
            yield Migrated(node, failure=f"{failure} {mending(failure)}")
        except GraphplaceError as error:
            yield Migrated(node, failure=str(error))


def _roots(placement: Placement, names: Iterable[str]) -> Mapping[str, str]:
    """Return the uuids of root providers by name."""
    found = {}
    for name in names:
        uuid = find_root(placement, name)
        if uuid is None:
            raise BadRequestError(f"There is no provider {name}: its compute service makes it when it first starts.")
        found[name] = uuid
    return found
