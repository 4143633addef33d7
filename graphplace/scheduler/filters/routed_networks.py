"""Routed networks: hosts that reach one of the segments of each."""

from collections.abc import Iterator
from dataclasses import replace
from http import HTTPStatus

from graphplace.compute.errors import PlacementError
from graphplace.compute.placement import Placement
from graphplace.scheduler.filters.contract import FilterContext, RequestFilterFailed
from graphplace.scheduler.request_spec import RequestSpec


def limit_to_segments(context: FilterContext, spec: RequestSpec) -> tuple[RequestSpec, str]:
    """Limit hosts to the aggregates of the segments of each network that is routed.

    A segment is a provider of the same uuid, and Neutron puts it and the hosts that reach it into one aggregate. Raises
    RequestFilterFailed for a segment that is in none, and PlacementError.
    """
    routed = [sorted(segments) for segments in spec.requested_segments if segments]
    if not routed:
        return spec, ""
    destination = spec.requested_destination
    for segments in routed:
        destination = destination.require_aggregates(_aggregates(context.placement, segments))
    return (
        replace(spec, requested_destination=destination),
        f"Hosts reach a segment of each of {len(routed)} networks: {'; '.join(map(', '.join, routed))}.",
    )


def _aggregates(placement: Placement, segments: list[str]) -> Iterator[str]:
    for segment in segments:
        try:
            found = placement.get(f"/resource_providers/{segment}/aggregates")["aggregates"]
        except PlacementError as error:
            if error.status != HTTPStatus.NOT_FOUND:
                raise
            found = []
        if not found:
            raise RequestFilterFailed(
                f"No hosts are known to reach the segment {segment}: no provider has its uuid and is in an aggregate."
            )
        yield from found
