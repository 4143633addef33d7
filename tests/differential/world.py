"""Where random requests are drawn from: the names that there are, and what the reference says of them now."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeVar

from differential import words

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
            return words.NEWEST
        return self.rng.randint(0 if self.once_in(20) else oldest, words.NEWEST)

    def provider(self) -> str:
        """Draw a provider's uuid, mostly of one that exists."""
        if self.once_in(12):
            return self.one([*words.PROVIDERS, words.NOBODY])
        return self.one(self.providers() or words.PROVIDERS)

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
