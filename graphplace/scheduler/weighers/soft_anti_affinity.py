"""The fewer instances of the group a host has, the better, if the group's policy is soft-anti-affinity."""

from graphplace.scheduler.groups import SOFT_ANTI_AFFINITY, Group
from graphplace.scheduler.host_state import HostState
from graphplace.scheduler.weighers.weigher import Weigher


def weigh(host: HostState, group: Group) -> float:
    """Return how many instances of *group* the host has, below zero."""
    return -group.instances[host.place.service_host]


def concerns(group: Group) -> bool:
    """Tell whether *group* has this policy."""
    return group.policy == SOFT_ANTI_AFFINITY


WEIGHER = Weigher("scheduler_soft_anti_affinity_weight_multiplier", weigh, concerns)
