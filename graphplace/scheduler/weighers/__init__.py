"""Weighers: which of the hosts that have room is better. One small module for each, and their list here."""

from collections.abc import Sequence

from graphplace.scheduler.groups import Group
from graphplace.scheduler.host_state import HostState
from graphplace.scheduler.weighers import cpu, disk, ram, soft_affinity, soft_anti_affinity
from graphplace.scheduler.weighers.weigher import Weigher
from graphplace.settings import Settings

WEIGHERS: tuple[Weigher, ...] = (
    cpu.WEIGHER,
    ram.WEIGHER,
    disk.WEIGHER,
    soft_affinity.WEIGHER,
    soft_anti_affinity.WEIGHER,
)


def weigh(hosts: Sequence[HostState], group: Group, settings: Settings) -> list[float]:
    """Return the weight of each of *hosts*; the more, the better.

    Each weigher's values are brought between 0, for the least among *hosts*, and 1, for the most, and multiplied by its
    setting. So a positive multiplier of what is free spreads instances, and a negative one packs them.
    """
    weights = [0.0] * len(hosts)
    for weigher in WEIGHERS:
        multiplier = getattr(settings, weigher.multiplier)
        if not multiplier or not weigher.concerns(group):
            continue
        values = [weigher.weigh(host, group) for host in hosts]
        least, most = min(values, default=0), max(values, default=0)
        if least == most:
            continue
        for number, value in enumerate(values):
            weights[number] += multiplier * (value - least) / (most - least)
    return weights
