"""What can go wrong between a compute service and Placement. The names without "Error" are the specification's."""

from graphplace.errors import Code, GraphplaceError


class PlacementError(GraphplaceError):
    """Placement refused a request. ``status`` and ``code`` are those of its answer."""

    def __init__(self, message: str, code: Code, status: int) -> None:
        super().__init__(message, code)
        self.status = status


class ReshapeNeeded(GraphplaceError):  # noqa: N818  # specs: reshaper
    """A driver finds inventory to be moved that consumers may hold, and was not given their allocations."""


class ResourceProviderUpdateFailed(GraphplaceError):  # noqa: N818  # specs: reshaper
    """The changes of a tree could not all be written. The message says which, and why; ``code`` is Placement's."""


class ResourceProviderUpdateConflict(ResourceProviderUpdateFailed):
    """Somebody else wrote first: what was decided on an older picture has to be decided anew on a fresh one."""

    code = Code.CONCURRENT_UPDATE


class ReshapeFailed(ResourceProviderUpdateFailed):
    """Inventories and allocations could not be moved, and another try would fail as well. Nothing of them was."""


class AllocationUpdateFailed(GraphplaceError):  # noqa: N818  # as in Nova, like those above
    """A consumer's allocations could not be changed, and are as they were."""


class ConsumerChanged(AllocationUpdateFailed):
    """Somebody else changed the consumer while something was claimed for it."""
