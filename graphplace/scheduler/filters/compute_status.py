"""Compute services that operators have disabled."""

from dataclasses import replace

from graphplace.scheduler.filters.contract import FilterContext
from graphplace.scheduler.request_spec import RequestSpec

DISABLED = "COMPUTE_STATUS_DISABLED"


def forbid_disabled(_context: FilterContext, spec: RequestSpec) -> tuple[RequestSpec, str]:
    """Leave out hosts whose root provider has the trait that Nova gives those that are disabled."""
    return replace(spec, root_forbidden=spec.root_forbidden | {DISABLED}), f"Hosts are not disabled: no {DISABLED}."
