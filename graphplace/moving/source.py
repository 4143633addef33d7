"""What a Placement is read as, whichever way it is read."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from graphplace.dumping.lines import Tree
from graphplace.errors import GraphplaceError

# Told what is read, how many of it, and of how many.
Progress = Callable[[str, int, int], None]


class SourceError(GraphplaceError):
    """A Placement cannot be read, or holds something that cannot be taken over."""


class Source(Protocol):
    """A Placement. What it has is given in the form of :mod:`graphplace.dumping`: trees, and names by kind.

    ``has_times`` tells whether the times are those of Placement, not of the reading. Methods raise SourceError.
    """

    has_times: bool

    def parts(self, progress: Progress) -> Iterator[Tree]:
        """Yield all there is: first the trees, each once and without consumers, then consumers without providers."""

    def names(self) -> Mapping[str, list[Any]]:
        """Return custom traits and resource classes, and what else is shared by many, as far as it is known."""

    def sample(self, most: int) -> list[Tree]:
        """Read *most* trees that chance takes, with what is held of them; all of them if there are no more."""

    def counts(self, progress: Progress) -> Mapping[str, int]:
        """Count what there is now, by columns of the statement ``moving.counts``, as far as it can be counted."""

    def moved(self) -> list[str]:
        """Tell what changed since it was read, a phrase for each provider."""
