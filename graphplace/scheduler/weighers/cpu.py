"""The more free CPUs, the better."""

from graphplace.scheduler.groups import Group
from graphplace.scheduler.host_state import HostState
from graphplace.scheduler.weighers.weigher import Weigher


def weigh(host: HostState, _group: Group) -> float:
    """Return the number of free CPUs, shared and dedicated ones."""
    return host.free["VCPU"] + host.free["PCPU"]


WEIGHER = Weigher("scheduler_cpu_weight_multiplier", weigh)
