"""What the tests of the scheduler ask for, and what they look at."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any
from uuid import uuid4

from graph import look

from graphplace.graph.database import Database
from graphplace.scheduler.request_spec import Flavor, InstanceGroup, RequestSpec
from graphplace.scheduler.select import Scheduler
from graphplace.scheduler.selection import Selection

# Loads a cloud as text, and maps its hosts to cell1, but for those named for other cells.
Clouds = Callable[..., None]
SMALL = RequestSpec(flavor=Flavor(vcpus=1, memory_mb=1024), project_id="p1", user_id="u1")


def flavor_of(vcpus: int) -> RequestSpec:
    """A request for instances of so many CPUs."""
    return replace(SMALL, flavor=Flavor(vcpus=vcpus, memory_mb=1024))


def grouped(spec: RequestSpec, policy: str, *hosts: str, **rules: int) -> RequestSpec:
    """The same for instances of a group, others of which are on *hosts*."""
    return replace(spec, instance_group=InstanceGroup(uuid=str(uuid4()), policy=policy, hosts=hosts, rules=rules))


def names(selections: Iterable[Selection]) -> list[str]:
    """The services of *selections*."""
    return [one.service_host for one in selections]


def consumers(database: Database) -> list[str]:
    """The uuids of all who hold anything."""
    return [row["uuid"] for row in look(database, "MATCH (c:Consumer) RETURN c.uuid AS uuid ORDER BY uuid")]


def with_settings(scheduler: Scheduler, **given: Any) -> Scheduler:
    """The same scheduler with other settings, named without scheduler_."""
    changed = {f"scheduler_{name}": value for name, value in given.items()}
    return replace(scheduler, settings=replace(scheduler.settings, **changed))


def instances(count: int) -> list[str]:
    """Uuids of new instances."""
    return [str(uuid4()) for _ in range(count)]
