"""The more free GiB of disk, the better."""

from graphplace.scheduler.groups import Group
from graphplace.scheduler.host_state import HostState
from graphplace.scheduler.weighers.weigher import Weigher


def weigh(host: HostState, _group: Group) -> float:
    """Return the number of free GiB of disk."""
    return host.free["DISK_GB"]


WEIGHER = Weigher("scheduler_disk_weight_multiplier", weigh)
