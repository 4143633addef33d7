"""What can go wrong while hosts are selected, in the words of those who know Nova's scheduler."""

from collections.abc import Mapping, Sequence
from typing import Any

from graphplace.errors import ConflictError, GraphplaceError


class NoValidHost(ConflictError):  # noqa: N818  # as in Nova
    """No host can take an instance; nothing is held of any, or as much as before.

    ``reasons`` are why, in words. ``explanation`` is what GET /allocation_candidates/explain said, None where the
    service has no such route or was not asked. ``filters`` are what the request filters did, a line each.
    """

    def __init__(
        self,
        reasons: Sequence[str],
        *,
        filters: Sequence[str] = (),
        explanation: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(f"No valid host was found. {' '.join(reasons)}".rstrip())
        self.reasons = tuple(reasons)
        self.filters = tuple(filters)
        self.explanation = explanation


class BuildFailed(GraphplaceError):  # noqa: N818  # as those of Nova
    """An instance could not be built on a host, and may be on another."""


class MaxRetriesExceeded(GraphplaceError):  # noqa: N818  # as in Nova
    """An instance could not be built on any of the hosts that were selected for it; ``failures`` says why, by host."""

    def __init__(self, instance_uuid: str, failures: Mapping[str, str]) -> None:
        told = "; ".join(f"{host}: {reason}" for host, reason in failures.items())
        super().__init__(f"Instance {instance_uuid} was built on none of the hosts selected for it: {told}")
        self.failures = dict(failures)
