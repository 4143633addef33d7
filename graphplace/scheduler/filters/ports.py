"""Ports: the request groups that Neutron has for them, such as a guaranteed bandwidth."""

from graphplace.scheduler.filters.contract import FilterContext
from graphplace.scheduler.request_spec import RequestSpec

REMOTE_MANAGED = "COMPUTE_REMOTE_MANAGED_PORTS"


def ask_for_ports(_context: FilterContext, spec: RequestSpec) -> tuple[RequestSpec, str]:
    """Ask for what the ports of *spec* need, and for hosts with SmartNICs if a port is managed by one.

    Raises BadRequestError for a port that is there twice.
    """
    groups = [group for port in spec.ports for group in port.groups]
    remote = any(port.remote_managed for port in spec.ports)
    if not groups and not remote:
        return spec, ""
    asked = spec.with_groups(groups, [port.same_subtree for port in spec.ports if port.same_subtree])
    text = f"Hosts have what {len(spec.ports)} ports need, in {len(groups)} request groups"
    if remote:
        return asked.with_required_traits([REMOTE_MANAGED]), f"{text}, and manage ports remotely."
    return asked, f"{text}."
