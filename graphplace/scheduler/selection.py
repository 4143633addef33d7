"""A place for an instance, as the scheduler returns it (spec: Return Selection Objects)."""

import json
from dataclasses import dataclass

from graphplace.errors import BadRequestError
from graphplace.fields import is_uuid
from graphplace.scheduler.request_spec import NUMATopologyLimits
from graphplace.scheduler.versioned import Versioned


@dataclass(frozen=True, kw_only=True)
class Selection(Versioned):
    """A host that an instance may be built on, and what has to be claimed for it there.

    ``compute_node_uuid`` is the uuid of the host's root provider. ``allocation_request`` is the JSON text of one of the
    ``allocation_requests`` of GET /allocation_candidates, and ``allocation_request_version`` the microversion that says
    how it is written. Only Placement has a use for what is in it.
    """

    compute_node_uuid: str
    service_host: str
    nodename: str
    cell_uuid: str
    numa_limits: NUMATopologyLimits | None = None
    allocation_request: str
    allocation_request_version: str

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("compute_node_uuid", "cell_uuid"):
            if not is_uuid(getattr(self, name)):
                raise BadRequestError(f"{name} of a Selection must be a uuid, not {getattr(self, name)!r}.")
        try:
            request = json.loads(self.allocation_request)
        except ValueError as error:
            raise BadRequestError(f"allocation_request of a Selection must be JSON text: {error}.") from error
        if not isinstance(request, dict) or "allocations" not in request:
            raise BadRequestError(
                "allocation_request of a Selection must be the JSON text of an object with `allocations`. "
                f"Got: {self.allocation_request[:200]}"
            )
