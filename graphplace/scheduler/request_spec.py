"""What somebody asks the scheduler for, as immutable data (spec: Placement Request Filtering).

Names and meanings are those of Nova's objects. A RequestSpec says it in the words of flavors and images;
:mod:`graphplace.scheduler.candidate_request` turns it into those of Placement.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from graphplace.errors import BadRequestError
from graphplace.request.model import RequestGroup
from graphplace.scheduler.ports import Port
from graphplace.scheduler.versioned import Versioned

# What the property of an image begins with that requires a trait.
TRAIT = "trait:"
MAX_SERVER_PER_HOST = "max_server_per_host"
Policy = Literal["affinity", "anti-affinity", "soft-affinity", "soft-anti-affinity"]


@dataclass(frozen=True, kw_only=True)
class Flavor(Versioned):
    """A flavor: MiB of memory and swap, GiB of the root and the ephemeral disk, extra specs in Nova's syntax."""

    name: str = ""
    vcpus: int
    memory_mb: int
    root_gb: int = 0
    ephemeral_gb: int = 0
    swap: int = 0
    extra_specs: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("vcpus", "memory_mb", "root_gb", "ephemeral_gb", "swap"):
            if getattr(self, name) < 0:
                raise BadRequestError(f"{name} of flavor {self.name!r} must be 0 or more, not {getattr(self, name)}.")


@dataclass(frozen=True, kw_only=True)
class ImageMeta(Versioned):
    """What the scheduler has to know of an image: its format, its properties (``hw_...``), the traits it requires.

    In Glance the required traits are properties as well, ``trait:HW_CPU_X86_SGX=required``; those count, too.
    """

    name: str = ""
    disk_format: str | None = None
    container_format: str | None = None
    properties: Mapping[str, str] = field(default_factory=dict)
    traits_required: frozenset[str] = frozenset()

    def required_traits(self) -> frozenset[str]:
        """Return all traits that it requires, in whichever of the two ways."""
        return self.traits_required | {
            name.removeprefix(TRAIT)
            for name, value in self.properties.items()
            if name.startswith(TRAIT) and value == "required"
        }


@dataclass(frozen=True, kw_only=True)
class Destination(Versioned):
    """Where the instances are to be: on a host, a node, in a cell (its uuid), in Placement aggregates (uuids).

    A host is in at least one of each set of ``aggregates``, and in none of ``forbidden_aggregates``. A move stays in
    the cell unless ``allow_cross_cell_move``.
    """

    host: str | None = None
    node: str | None = None
    cell: str | None = None
    aggregates: tuple[frozenset[str], ...] = ()
    forbidden_aggregates: frozenset[str] = frozenset()
    allow_cross_cell_move: bool = False

    def require_aggregates(self, uuids: Iterable[str]) -> "Destination":
        """Return this with one more condition: a host is in one of *uuids* too."""
        return replace(self, aggregates=(*self.aggregates, frozenset(uuids)))

    def forbid_aggregates(self, uuids: Iterable[str]) -> "Destination":
        """Return this without the hosts in any of *uuids*."""
        return replace(self, forbidden_aggregates=self.forbidden_aggregates.union(uuids))


@dataclass(frozen=True, kw_only=True)
class InstanceGroup(Versioned):
    """A server group: the uuids of its instances, and the host (service host) of each that is on one.

    The ``soft`` policies are wishes only. Of ``rules`` there is ``max_server_per_host``, for the policy anti-affinity:
    how many of its instances a host may have; one without it.
    """

    VERSION = "1.1"

    uuid: str
    policy: Policy
    members: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    rules: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rules and self.policy != "anti-affinity":
            raise BadRequestError(f"Rules are for groups of the policy anti-affinity, not {self.policy}.")
        if unknown := self.rules.keys() - {MAX_SERVER_PER_HOST}:
            raise BadRequestError(f"The only rule of a group is {MAX_SERVER_PER_HOST}. Got: {', '.join(unknown)}")
        if self.max_server_per_host < 1:
            raise BadRequestError(f"{MAX_SERVER_PER_HOST} must be 1 or more, not {self.max_server_per_host}.")

    @property
    def max_server_per_host(self) -> int:
        """How many instances a host may have if the policy is anti-affinity."""
        return self.rules.get(MAX_SERVER_PER_HOST, 1)


@dataclass(frozen=True, kw_only=True)
class NUMATopologyLimits(Versioned):
    """How far the processors and the memory of a host's NUMA nodes may be overcommitted."""

    cpu_allocation_ratio: float
    ram_allocation_ratio: float


@dataclass(frozen=True, kw_only=True)
class SchedulerLimits(Versioned):
    """What a compute service must not exceed when it builds; None where there is no limit of the kind."""

    numa_topology: NUMATopologyLimits | None = None
    vcpu: int | None = None
    disk_gb: int | None = None
    memory_mb: int | None = None


@dataclass(frozen=True, kw_only=True)
class RequestSpec(Versioned):
    """A request for instances that are all alike.

    ``is_bfv``: they boot from a volume, so that there is no root disk on the host. ``requested_resources`` are request
    groups that neither flavor nor image ask for; ``ports`` and ``device_profile_groups``, the ``groups`` of the device
    profile that the flavor names as Cyborg has them, become such groups by request filters. ``requested_segments`` are
    of each network that is routed the segments that will do, as :func:`graphplace.scheduler.ports.segments_of` reads
    them. Traits in ``root_required`` and ``root_forbidden`` are those of a host's root provider. Each of
    ``same_subtree`` are the suffixes of groups.
    """

    VERSION = "1.1"

    flavor: Flavor
    project_id: str
    user_id: str
    image: ImageMeta | None = None
    is_bfv: bool = False
    availability_zone: str | None = None
    num_instances: int = 1
    ignore_hosts: tuple[str, ...] = ()
    force_hosts: tuple[str, ...] = ()
    force_nodes: tuple[str, ...] = ()
    requested_destination: Destination = Destination()
    instance_group: InstanceGroup | None = None
    scheduler_hints: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    limits: SchedulerLimits = SchedulerLimits()
    requested_resources: tuple[RequestGroup, ...] = ()
    root_required: frozenset[str] = frozenset()
    root_forbidden: frozenset[str] = frozenset()
    same_subtree: tuple[tuple[str, ...], ...] = ()
    ports: tuple[Port, ...] = ()
    requested_segments: tuple[frozenset[str], ...] = ()
    device_profile_groups: tuple[Mapping[str, str], ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.num_instances < 1:
            raise BadRequestError(f"num_instances must be 1 or more, not {self.num_instances}.")
        suffixes = Counter(group.suffix for group in self.requested_resources)
        if "" in suffixes:
            raise BadRequestError("Each group of requested_resources needs a suffix, such as the uuid of its port.")
        if repeated := [suffix for suffix, times in suffixes.items() if times > 1]:
            raise BadRequestError(f"The groups of requested_resources need different suffixes: {', '.join(repeated)}.")

    def with_required_traits(self, traits: Iterable[str]) -> "RequestSpec":
        """Return this for hosts that have all of *traits* as well."""
        return replace(self, root_required=self.root_required.union(traits))

    def with_groups(
        self, groups: Iterable[RequestGroup], same_subtree: Iterable[tuple[str, ...]] = ()
    ) -> "RequestSpec":
        """Return this with further request groups. Raises BadRequestError for a suffix that is taken."""
        return replace(
            self,
            requested_resources=(*self.requested_resources, *groups),
            same_subtree=(*self.same_subtree, *same_subtree),
        )
