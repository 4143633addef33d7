"""What random requests are made of: a few names that meet again and again, and what the reference says of them now."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeVar

from cloud import uuid_of

NEWEST = 39
PROVIDERS = tuple(uuid_of(f"p{number}") for number in range(10))
CLASSES = ("VCPU", "MEMORY_MB", "DISK_GB", "SRIOV_NET_VF", "CUSTOM_FOO", "CUSTOM_BAR")
SHARES = "MISC_SHARES_VIA_AGGREGATE"
TRAITS = ("HW_CPU_X86_AVX", "HW_NUMA_ROOT", "CUSTOM_ONE", "CUSTOM_TWO")
AGGREGATES = tuple(uuid_of(name) for name in "ABC")
CONSUMERS = tuple(uuid_of(f"c{number}") for number in range(8))
PROJECTS = ("project", "other")
USERS = ("user", "someone")
TYPES = ("INSTANCE", "MIGRATION")
NOBODY = uuid_of("nobody")
NAMES = {uuid_of(name): name for name in (*(f"p{number}" for number in range(len(PROVIDERS))), *"ABC", "nobody")}

Choice = TypeVar("Choice")


@dataclass(frozen=True)
class Request:
    """One request at version 1.``version``; ``body`` is JSON, None for no body."""

    method: str
    path: str
    version: int
    body: Any = None

    def __str__(self) -> str:
        return f"{self.method} {self.path} @1.{self.version}" + ("" if self.body is None else f" {self.body!r}")


class World:
    """Where requests are drawn from. ``look`` answers a GET with the JSON that the reference has there, or None."""

    def __init__(self, rng: Random, look: Callable[[str], Any]) -> None:
        self.rng = rng
        self.look = look

    def once_in(self, number: int) -> bool:
        """Draw True once in *number* times."""
        return self.rng.randrange(number) == 0

    def one(self, values: Sequence[Choice]) -> Choice:
        """Draw one of *values*."""
        return self.rng.choice(values)

    def some(self, values: Sequence[Choice], most: int, least: int = 0) -> list[Choice]:
        """Draw *least* to *most* of *values*, in any order."""
        return self.rng.sample(values, min(len(values), self.rng.randint(least, most)))

    def version(self, oldest: int = 0) -> int:
        """Draw a version from *oldest* on, every second time the newest, and now and then an older one."""
        if self.once_in(2):
            return NEWEST
        return self.rng.randint(0 if self.once_in(20) else oldest, NEWEST)

    def provider(self) -> str:
        """Draw a provider's uuid, mostly of one that exists."""
        return self.one(self.providers() or PROVIDERS) if not self.once_in(12) else self.one([*PROVIDERS, NOBODY])

    def providers(self) -> list[str]:
        """Return who exists, in an order that does not depend on the reference's."""
        return sorted(one["uuid"] for one in self.look("/resource_providers")["resource_providers"])

    def generation(self, provider: str) -> int:
        """Draw the generation of *provider*, now and then a wrong one."""
        found = self.look(f"/resource_providers/{provider}")
        right: int = found["generation"] if found else 0
        return right if not self.once_in(10) else right + self.one([-1, 1])

    def inventories(self, provider: str) -> dict[str, Any]:
        """Return what *provider* has, by resource class."""
        found = self.look(f"/resource_providers/{provider}/inventories")
        return found["inventories"] if found else {}

    def free(self, provider: str) -> dict[str, int]:
        """Return how much of each class *provider* could still give."""
        inventories = self.inventories(provider)
        used = self.look(f"/resource_providers/{provider}/usages")["usages"] if inventories else {}
        return {
            name: min(int((one["total"] - one["reserved"]) * one["allocation_ratio"]) - used[name], one["max_unit"])
            for name, one in sorted(inventories.items())
        }

    def traits(self, provider: str) -> list[str]:
        """Return the traits of *provider*."""
        return sorted(self.look(f"/resource_providers/{provider}/traits")["traits"])

    def aggregates(self, provider: str) -> list[str]:
        """Return the aggregates of *provider*."""
        return sorted(self.look(f"/resource_providers/{provider}/aggregates")["aggregates"])
