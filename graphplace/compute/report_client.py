"""The compute side's client of Placement (specs: reshaper)."""

import copy
import time
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from threading import Lock
from typing import Any

from graphplace.compute import claims
from graphplace.compute.errors import (
    PlacementError,
    ResourceProviderUpdateConflict,
    ResourceProviderUpdateFailed,
)
from graphplace.compute.flush import flush
from graphplace.compute.placement import Context, Placement, Session
from graphplace.compute.provider_tree import ProviderTree
from graphplace.compute.reading import Allocations, read_allocations, read_consumer, read_tree
from graphplace.errors import Code

# How long a tree that was read is taken for what Placement has: writes that rely on it are refused if it is not.
REFRESH_SECONDS = 300.0


class ReportClient:
    """Reads and writes a host's trees of providers and what consumers hold. Several threads may use one.

    Methods take the context of the operation, which may be None, and raise
    :class:`graphplace.compute.errors.PlacementError` where they name nothing else. A tree is read again after
    *refresh_seconds*, after each change, and after each failure.
    """

    def __init__(self, session: Session, *, refresh_seconds: float = REFRESH_SECONDS) -> None:
        self._session = session
        self._refresh_seconds = refresh_seconds
        self._lock = Lock()
        # By the uuid of the root: when it was read, and the tree, which is never changed.
        self._read: dict[str, tuple[float, ProviderTree]] = {}

    def get_provider_tree_and_ensure_root(
        self, context: Context | None, rp_uuid: str, name: str | None = None
    ) -> ProviderTree:
        """Return the tree with the root *rp_uuid*, and as further roots the providers that share with it.

        A root that Placement does not have is made, with *name* or else the uuid for its name; it is an error if
        another provider has that name.
        """
        placement = Placement(self._session, context)
        tree = self._tree(placement, rp_uuid)
        if not tree.exists(rp_uuid):
            self._ensure_root(placement, rp_uuid, name or rp_uuid)
            tree = self._tree(placement, rp_uuid)
        return copy.deepcopy(tree)

    def get_provider_tree(self, context: Context | None, rp_uuid: str) -> ProviderTree:
        """Return the same without making anything: an empty tree when Placement does not have the root."""
        return copy.deepcopy(self._tree(Placement(self._session, context), rp_uuid))

    def get_allocations_for_providers(self, context: Context | None, providers: Iterable[str]) -> Allocations:
        """Return by consumer all that is held by those who hold anything of *providers*, uuids."""
        return read_allocations(Placement(self._session, context), providers)

    def get_allocations_for_provider_tree(self, context: Context | None, rp_uuid: str) -> Allocations:
        """Return by consumer all that is held by those who hold anything of the tree with the root *rp_uuid*.

        What they hold of sharing providers is there too. A consumer that holds nothing but of sharing providers is not
        found. As it is read for an update, it raises ResourceProviderUpdateFailed when that cannot be read, and its
        kind ResourceProviderUpdateConflict when somebody else deleted a provider of the tree meanwhile.
        """
        placement = Placement(self._session, context)
        what = "What is held of the tree cannot be read"
        try:
            return read_allocations(placement, self._tree(placement, rp_uuid).get_provider_uuids(rp_uuid))
        except PlacementError as error:
            self._forget(rp_uuid)
            gone = error.status == HTTPStatus.NOT_FOUND
            kind = ResourceProviderUpdateConflict if gone else ResourceProviderUpdateFailed
            raise kind(f"{what}: {error}", error.code) from error
        except Exception as error:
            raise ResourceProviderUpdateFailed(f"{what}: there is no answer that can be used: {error}") from error

    def get_allocations_for_consumer(self, context: Context | None, consumer: str) -> dict[str, Any]:
        """Return the ``allocations`` of a consumer, its ``project_id``, ``user_id`` and ``consumer_generation``.

        Of a consumer that holds nothing there are but the ``allocations``, empty.
        """
        return read_consumer(Placement(self._session, context), consumer)

    def update_from_provider_tree(
        self, context: Context | None, new_tree: ProviderTree, allocations: Allocations | None = None
    ) -> bool:
        """Write what a driver changed in *new_tree*, a tree that this client returned; tell whether it was anything.

        With *allocations*, the whole final picture of each consumer in it, inventories and allocations are written in
        one step; None means that no reshape is being performed.

        Raises ResourceProviderUpdateFailed, whatever the reason. Two kinds of it: ResourceProviderUpdateConflict says
        that somebody else wrote first, so that the tree has to be read and changed anew, and ReshapeFailed that
        Placement refused to move inventories and allocations.
        """
        placement = Placement(self._session, context)
        root = new_tree.get_provider_uuids()[0]
        try:
            written = flush(placement, self._tree(placement, root), new_tree, allocations)
        except ResourceProviderUpdateFailed:
            self._forget(root)
            raise
        except Exception as error:
            self._forget(root)
            raise ResourceProviderUpdateFailed(f"Placement gave no answer that can be used: {error}") from error
        if written:
            self._forget(root)
        return written

    def claim(
        self,
        context: Context | None,
        consumer: str,
        allocation_request: Mapping[str, Any],
        project_id: str,
        user_id: str,
    ) -> None:
        """Let *consumer* hold what one of the requests of GET /allocation_candidates asks for, beside what it holds.

        A claim that loses to other consumers is sent again, at most 4 times. Raises AllocationUpdateFailed when it is
        refused, and when *consumer* itself has changed meanwhile.
        """
        claims.claim(Placement(self._session, context), consumer, allocation_request, project_id, user_id)

    def move(self, context: Context | None, source: str, target: str) -> bool:
        """Let the consumer *target*, which holds nothing, hold all that *source* holds; tell whether it was anything.

        Raises AllocationUpdateFailed when *target* holds something, when Placement refuses, and when others were
        quicker 4 times.
        """
        return claims.move(Placement(self._session, context), source, target)

    def release(self, context: Context | None, consumer: str) -> bool:
        """Let *consumer* hold nothing, and tell whether it held anything."""
        return claims.release(Placement(self._session, context), consumer)

    def _tree(self, placement: Placement, root: str) -> ProviderTree:
        with self._lock:
            read_at, tree = self._read.get(root, (0.0, None))
        now = time.monotonic()
        if tree is None or now - read_at >= self._refresh_seconds:
            tree = read_tree(placement, root)
            if tree.exists(root):
                with self._lock:
                    self._read[root] = (now, tree)
        return tree

    def _forget(self, root: str) -> None:
        with self._lock:
            self._read.pop(root, None)

    @staticmethod
    def _ensure_root(placement: Placement, uuid: str, name: str) -> None:
        try:
            placement.post("/resource_providers", {"uuid": uuid, "name": name})
        except PlacementError as error:
            # Another thread or service may have made it meanwhile; it is read next.
            if error.code is not Code.DUPLICATE_NAME or not read_tree(placement, uuid).exists(uuid):
                raise
