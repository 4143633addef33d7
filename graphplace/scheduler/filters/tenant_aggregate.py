"""Tenants that have hosts of their own: the filter that the specification is about."""

from dataclasses import replace

from graphplace.scheduler.filters.contract import FilterContext, RequestFilterFailed
from graphplace.scheduler.request_spec import RequestSpec

# With anything behind it, as metadata have each key once: filter_tenant_id2, filter_tenant_id:b.
KEY = "filter_tenant_id"


def limit_to_tenant(context: FilterContext, spec: RequestSpec) -> tuple[RequestSpec, str]:
    """Limit hosts to the aggregates that have the project of *spec* under ``filter_tenant_id``, or under a key like it.

    Raises RequestFilterFailed when there are none, unless the settings let such projects use all hosts.
    """
    found = context.aggregates.with_metadata(KEY, spec.project_id, key_is_prefix=True)
    if found:
        destination = spec.requested_destination.require_aggregates(one.uuid for one in found)
        names = ", ".join(sorted(one.name for one in found))
        return replace(spec, requested_destination=destination), f"Hosts are in an aggregate of the project: {names}."
    if context.settings.scheduler_allow_tenants_without_placement_aggregate:
        return spec, ""
    raise RequestFilterFailed(
        f"No hosts are available for project {spec.project_id}: no host aggregate has its id under {KEY}, and "
        "scheduler_allow_tenants_without_placement_aggregate is off."
    )
