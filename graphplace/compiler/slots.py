"""The slots of a request: what has to be found, one provider each."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from graphplace.request.model import CandidateRequest, RequestGroup


@dataclass(frozen=True)
class Slot:
    """One thing that a single provider gives: all of a suffixed group, or one class of the unsuffixed group.

    ``resources`` are pairs of class and amount: the group's own, one of them, or none for a resourceless group.
    """

    group: RequestGroup
    resources: tuple[tuple[str, int], ...]

    @property
    def suffixed(self) -> bool:
        """Whether the slot is a whole suffixed group."""
        return bool(self.group.suffix)


@dataclass(frozen=True)
class Slots:
    """The slots of one request, in the order of its groups.

    An unsuffixed group without resources has none: it is a condition on the tree.
    """

    request: CandidateRequest
    all: tuple[Slot, ...]

    @classmethod
    def of(cls, request: CandidateRequest) -> "Slots":
        """Return the slots of *request*."""
        return cls(request, tuple(slot for group in request.groups for slot in _of_group(group)))

    @cached_property
    def suffixed(self) -> dict[str, int]:
        """The position of each suffixed group's slot, by suffix."""
        return {slot.group.suffix: position for position, slot in enumerate(self.all) if slot.suffixed}

    @cached_property
    def splittable(self) -> tuple[int, ...]:
        """The positions of the unsuffixed group's slots that several providers may fill together."""
        names = self.request.can_split
        return tuple(position for position in self.unsuffixed if self.all[position].resources[0][0] in names)

    @cached_property
    def unsuffixed(self) -> tuple[int, ...]:
        """The positions of the unsuffixed group's slots."""
        return tuple(position for position, slot in enumerate(self.all) if not slot.suffixed)


def _of_group(group: RequestGroup) -> Iterable[Slot]:
    if group.suffix:
        return [Slot(group, group.resources)]
    return [Slot(group, (resource,)) for resource in group.resources]
