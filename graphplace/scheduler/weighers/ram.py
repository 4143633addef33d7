"""The more free MiB of memory, the better."""

from graphplace.scheduler.groups import Group
from graphplace.scheduler.host_state import HostState
from graphplace.scheduler.weighers.weigher import Weigher


def weigh(host: HostState, _group: Group) -> float:
    """Return the number of free MiB of memory."""
    return host.free["MEMORY_MB"]


WEIGHER = Weigher("scheduler_ram_weight_multiplier", weigh)
