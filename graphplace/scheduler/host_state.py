"""What a scheduler knows of a host while it decides: where it is, what is free of it, and how it could be claimed."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphplace.hosts import Place

AllocationRequest = Mapping[str, Any]
# By the uuid of a provider and the name of a class, what is free.
Room = Counter[tuple[str, str]]


@dataclass(frozen=True)
class HostState:
    """A host with room for an instance.

    ``root`` is the uuid of its root provider, ``requests`` are the allocation requests that would put the instance
    there, and ``free`` is what it has left of each class, the pools that it could be given a part of included.
    """

    root: str
    place: Place
    requests: tuple[AllocationRequest, ...]
    free: Counter[str]

    def fitting(self, room: Room) -> AllocationRequest | None:
        """Return the first of its allocation requests for which there is *room*, None if there is none."""
        return next((one for one in self.requests if all(room[key] >= n for key, n in amounts(one).items())), None)

    def consume(self, request: AllocationRequest, room: Room) -> None:
        """Take what *request* takes out of *room* and out of what is free."""
        taken = amounts(request)
        room.subtract(taken)
        for (_, resource_class), amount in taken.items():
            self.free[resource_class] -= amount


def amounts(request: AllocationRequest) -> Counter[tuple[str, str]]:
    """Return what *request* takes, by provider and class."""
    return Counter(
        {
            (provider, resource_class): amount
            for provider, given in request["allocations"].items()
            for resource_class, amount in given["resources"].items()
        }
    )
