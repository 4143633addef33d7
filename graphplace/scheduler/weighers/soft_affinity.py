"""The more instances of the group a host has, the better, if the group's policy is soft-affinity."""

from graphplace.scheduler.groups import SOFT_AFFINITY, Group
from graphplace.scheduler.host_state import HostState
from graphplace.scheduler.weighers.weigher import Weigher


def weigh(host: HostState, group: Group) -> float:
    """Return how many instances of *group* the host has."""
    return group.instances[host.place.service_host]


def concerns(group: Group) -> bool:
    """Tell whether *group* has this policy."""
    return group.policy == SOFT_AFFINITY


WEIGHER = Weigher("scheduler_soft_affinity_weight_multiplier", weigh, concerns)
