"""Host aggregates that are kept for those who ask for what is special in them."""

from dataclasses import replace

from graphplace.scheduler.candidate_request import required_traits
from graphplace.scheduler.filters.contract import FilterContext
from graphplace.scheduler.request_spec import RequestSpec

PREFIX, REQUIRED = "trait:", "required"


def forbid_isolated(context: FilterContext, spec: RequestSpec) -> tuple[RequestSpec, str]:
    """Leave out aggregates with ``trait:X = required`` in their metadata for a trait X that *spec* does not require.

    Raises BadRequestError for a request that makes no sense.
    """
    wanted = {PREFIX + trait for trait in required_traits(spec)}
    isolated = [
        one
        for one in context.aggregates.with_key_prefix(PREFIX)
        if any(
            key.startswith(PREFIX) and value == REQUIRED and key not in wanted for key, value in one.metadata.items()
        )
    ]
    if not isolated:
        return spec, ""
    destination = spec.requested_destination.forbid_aggregates(one.uuid for one in isolated)
    names = ", ".join(sorted(one.name for one in isolated))
    return replace(spec, requested_destination=destination), f"Hosts are in no aggregate that is isolated: {names}."
