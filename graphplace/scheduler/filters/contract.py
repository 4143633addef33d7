"""What a request filter is given, and what it gives back."""

from collections.abc import Callable
from dataclasses import dataclass

from graphplace.compute.placement import Placement
from graphplace.errors import ConflictError
from graphplace.scheduler.host_aggregates import HostAggregates
from graphplace.scheduler.request_spec import RequestSpec
from graphplace.settings import Settings


@dataclass(frozen=True)
class FilterContext:
    """What a filter may look at beside the request: settings, the host aggregates of the cloud, and Placement."""

    settings: Settings
    aggregates: HostAggregates
    placement: Placement


@dataclass(frozen=True)
class Step:
    """What the filter *name* did, as a line of English."""

    name: str
    text: str


class RequestFilterFailed(ConflictError):  # noqa: N818  # as in Nova
    """A filter finds that no host can do for a request; the message says why.

    ``steps`` are what filters before it did.
    """

    steps: tuple[Step, ...] = ()


Apply = Callable[[FilterContext, RequestSpec], tuple[RequestSpec, str]]
"""Takes a request, and returns the one to go on with and what was done to it in a line of English, "" for nothing.

Raises RequestFilterFailed when no host can do.
"""


@dataclass(frozen=True)
class RequestFilter:
    """A filter: its name in the settings, the setting that switches it on or off (None: always on), what it does."""

    name: str
    knob: str | None
    apply: Apply

    def is_on(self, settings: Settings) -> bool:
        """Tell whether *settings* want it."""
        return self.knob is None or getattr(settings, self.knob)
