"""What a weigher is."""

from collections.abc import Callable
from dataclasses import dataclass

from graphplace.scheduler.groups import Group
from graphplace.scheduler.host_state import HostState


def _any_group(_group: Group) -> bool:
    return True


@dataclass(frozen=True)
class Weigher:
    """What tells how good a host is for an instance of a group, in a unit of its own.

    ``multiplier`` is the name of the setting that says how much that counts, and ``concerns`` whether it does at all
    for a group.
    """

    multiplier: str
    weigh: Callable[[HostState, Group], float]
    concerns: Callable[[Group], bool] = _any_group
