"""Accelerators: the request groups of a Cyborg device profile."""

from graphplace.scheduler.extra_specs import read_groups
from graphplace.scheduler.filters.contract import FilterContext, RequestFilterFailed
from graphplace.scheduler.request_spec import RequestSpec

KEY = "accel:device_profile"
SUPPORT = "COMPUTE_ACCELERATORS"


def ask_for_accelerators(_context: FilterContext, spec: RequestSpec) -> tuple[RequestSpec, str]:
    """Ask for each group of the device profile that the flavor names, of hosts that can pass accelerators to instances.

    The suffixes are those of Nova: ``device_profile_0`` and on. Raises RequestFilterFailed when *spec* comes without
    the groups of the profile, BadRequestError for one that makes no sense.
    """
    profile = spec.flavor.extra_specs.get(KEY)
    if not profile:
        return spec, ""
    if not spec.device_profile_groups:
        raise RequestFilterFailed(f"The groups of the device profile {profile} are not known.")
    groups = [
        asked.group(f"device_profile_{number}")
        for number, group in enumerate(spec.device_profile_groups)
        if (asked := read_groups(group).get(""))
    ]
    return (
        spec.with_groups(groups).with_required_traits([SUPPORT]),
        f"Hosts have {len(groups)} accelerators of the device profile {profile}.",
    )
