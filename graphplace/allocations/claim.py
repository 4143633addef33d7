"""What a client asks for, and what a consumer or a provider has: allocations as plain data."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

Resources = Mapping[str, int]


class Generation(Enum):
    """What a claim may say instead of a generation: its client does not know of any."""

    ANY = "any"


@dataclass(frozen=True, kw_only=True)
class Claim:
    """All that one consumer shall hold from now on, in place of what it holds.

    ``allocations`` maps provider uuid and resource class to an amount in the class's units; none at all releases
    everything. ``consumer_generation`` is the one that the client read, None for a consumer that must be new;
    ``Generation.ANY`` is not checked.
    Without ``consumer_type`` the type that is stored stays.
    """

    consumer_uuid: str
    consumer_generation: int | Generation | None
    project_id: str
    user_id: str
    consumer_type: str | None
    allocations: Mapping[str, Resources]


@dataclass(frozen=True)
class Allocation:
    """What is allocated between a consumer and a provider, and the generation of the one at the other end."""

    generation: int
    resources: Resources


@dataclass(frozen=True)
class ConsumerAllocations:
    """What a consumer holds, by provider uuid. ``updated_at`` is when it was last written."""

    generation: int
    project_id: str
    user_id: str
    consumer_type: str | None
    allocations: Mapping[str, Allocation]
    updated_at: datetime


@dataclass(frozen=True)
class ProviderAllocations:
    """What is held of a provider, by consumer uuid. ``updated_at`` is when it was last written, None without any."""

    generation: int
    allocations: Mapping[str, Allocation]
    updated_at: datetime | None
