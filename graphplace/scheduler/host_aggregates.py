"""What request filters ask of host aggregates, whoever keeps them."""

from collections.abc import Mapping, Sequence
from typing import Protocol


class HostAggregate(Protocol):
    """A host aggregate."""

    @property
    def uuid(self) -> str:
        """The uuid of the Placement aggregate that mirrors it."""

    @property
    def name(self) -> str:
        """Its name, for people."""

    @property
    def metadata(self) -> Mapping[str, str]:
        """What operators have written of it."""


class HostAggregates(Protocol):
    """All host aggregates of a cloud."""

    def with_metadata(self, key: str, value: str, *, key_is_prefix: bool = False) -> Sequence[HostAggregate]:
        """Return those with exactly *value* under *key*, or under any key that begins with it."""

    def with_key_prefix(self, prefix: str) -> Sequence[HostAggregate]:
        """Return those that have any key that begins with *prefix*."""
