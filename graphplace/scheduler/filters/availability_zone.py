"""Availability zones: host aggregates that say so in their metadata."""

from dataclasses import replace

from graphplace.scheduler.filters.contract import FilterContext, RequestFilterFailed
from graphplace.scheduler.request_spec import RequestSpec

KEY = "availability_zone"


def limit_to_zone(context: FilterContext, spec: RequestSpec) -> tuple[RequestSpec, str]:
    """Limit hosts to the aggregates of the zone that *spec* names, if it names one.

    Hosts that no aggregate gives a zone are in the default zone of the settings. Raises RequestFilterFailed for any
    other zone that no aggregate has.
    """
    zone, destination = spec.availability_zone, spec.requested_destination
    if zone is None:
        return spec, ""
    if zone == context.settings.scheduler_default_availability_zone:
        others = [one for one in context.aggregates.with_key_prefix(KEY) if one.metadata.get(KEY, zone) != zone]
        destination = destination.forbid_aggregates(one.uuid for one in others)
        return replace(spec, requested_destination=destination), f"Hosts are in no zone other than {zone}."
    found = context.aggregates.with_metadata(KEY, zone)
    if not found:
        raise RequestFilterFailed(f"No hosts are available in zone {zone}: no host aggregate has it under {KEY}.")
    destination = destination.require_aggregates(one.uuid for one in found)
    return replace(spec, requested_destination=destination), f"Hosts are in an aggregate of zone {zone}."
