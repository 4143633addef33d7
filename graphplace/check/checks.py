"""The checks, as data: each has a statement of its name in check.cypher, and one more if it can be mended."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graphplace.inventory import Inventory


@dataclass(frozen=True)
class Finding:
    """One thing that is not as it should be.

    ``kind`` is what it is about: a ``provider``, an ``inventory`` (of the provider ``uuid``), a ``consumer``, a
    ``host``, a ``host aggregate``, ``metadata`` (of the host aggregate ``uuid``) or the ``schema``. ``part`` says which
    part of it. ``stored`` is what is in the graph, ``expected`` what should be.
    ``advice`` is what an operator can do about what is not mended; None if ``--repair`` mends it.
    """

    check: str
    kind: str
    uuid: str | None
    name: str | None
    part: str | None
    stored: Any
    expected: Any
    advice: str | None = None
    mended: bool = False

    @property
    def words(self) -> str:
        """One line that says what it is about, what is stored, and what should be."""
        about = (self.kind, self.name, self.uuid and f"({self.uuid})", self.part)
        what = " ".join(word for word in about if word)
        return f"{self.check}: {what} is {_value(self.stored)}, should be {_value(self.expected)}"


@dataclass(frozen=True)
class Check:
    """Something that must be so of every node of a ``kind``.

    ``sentence`` says what. What is derived is mended; of the rest ``advice`` says what an operator can do. ``compute``
    makes what should be of what the statement gives, where Cypher cannot.
    """

    name: str
    kind: str
    sentence: str
    advice: str | None = None
    compute: Callable[[list[Any]], int | None] | None = None


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _capacity(given: list[Any]) -> int | None:
    """Return the capacity less what is used, from total, reserved, ratio and used; None when one is missing."""
    if None in given:
        return None
    total, reserved, ratio, used = given
    return Inventory(total=total, reserved=reserved, allocation_ratio=ratio).capacity - int(used)


# What a mended finding is derived from is checked before it. Other kinds may depend on a kind that stands before them.
CHECKS = (
    Check(
        "inventory_properties",
        "inventory",
        "An inventory has all its numbers.",
        "PUT /resource_providers/{uuid}/inventories/{class} writes all of them.",
    ),
    Check(
        "inventory_place",
        "inventory",
        "An inventory belongs to one provider and is of one resource class.",
        "Delete the relationships HAS_INVENTORY or OF_CLASS that are too many; delete an inventory that has none, "
        "with what is allocated of it.",
    ),
    Check("inventory_key", "inventory", "An inventory names the provider and the resource class that it belongs to."),
    Check(
        "capacity",
        "inventory",
        "capacity is the whole part of (total - reserved) * allocation_ratio.",
        compute=_capacity,
    ),
    Check("used", "inventory", "used is the sum of all allocations."),
    Check("free", "inventory", "free is the capacity less what is used.", compute=_capacity),
    Check(
        "provider_properties",
        "provider",
        "A provider has a uuid, a name, a generation, a revision and its times.",
        "Set what is missing by Cypher: no other part of the graph tells it.",
    ),
    Check("links", "provider", "What a provider has, and its parent, it has once."),
    Check(
        "parent",
        "provider",
        "A provider has one parent at most.",
        "PUT /resource_providers/{uuid} with the right parent_provider_uuid, then check again with --repair.",
    ),
    Check(
        "ring",
        "provider",
        "No provider is its own ancestor.",
        "Make one of the ring a root (PUT /resource_providers/{uuid} with parent_provider_uuid null), then check "
        "again with --repair.",
    ),
    Check("root", "provider", "A provider without a parent, and no other, is a Root."),
    Check("tree", "provider", "A provider is in the tree of its topmost ancestor, and in no other."),
    Check("mirror", "provider", "The root of a host is in the aggregates that mirror the host's host aggregates."),
    Check("sharing", "provider", "A provider with MISC_SHARES_VIA_AGGREGATE shares with the aggregates it is in."),
    Check(
        "consumer_properties",
        "consumer",
        "A consumer has a uuid, a generation and its times.",
        "Set what is missing by Cypher: no other part of the graph tells it.",
    ),
    Check(
        "owner",
        "consumer",
        "A consumer is of one project, one user, and of one type at most.",
        "Create or delete relationships OF_PROJECT, OF_USER and OF_TYPE by Cypher: only its service knows whose it is.",
    ),
    Check("idle", "consumer", "A consumer without allocations does not exist."),
    Check(
        "allocation",
        "consumer",
        "A consumer has one allocation at most of an inventory, of an amount above 0.",
        "PUT /allocations/{uuid} with what the consumer really holds replaces all of them.",
    ),
    Check("allocation_class", "consumer", "An allocation names the resource class of its inventory."),
    Check("usage", "consumer", "What a consumer uses of each class stands with its project as well."),
    Check(
        "host",
        "host",
        "A host has a service and a node, is in one cell, and stands for one root at most, which is its alone.",
        "graphplace host map maps it anew, graphplace host unmap forgets it.",
    ),
    Check(
        "host_aggregate",
        "host aggregate",
        "A host aggregate has a uuid, a name and its times.",
        "Set what is missing by Cypher: no other part of the graph tells it.",
    ),
    Check("mirrors", "host aggregate", "A host aggregate mirrors the aggregate of its uuid, and no other."),
    Check(
        "metadata_place",
        "metadata",
        "Metadata has a key and a value, and belongs to one host aggregate.",
        "graphplace aggregate set writes it anew; delete by Cypher what belongs to none.",
    ),
    Check("metadata_key", "metadata", "Metadata names the host aggregate that it belongs to."),
)
