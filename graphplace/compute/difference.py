"""What differs between two states of a host's tree, and of what consumers hold of it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from graphplace.compute.provider_tree import ProviderData, ProviderTree
from graphplace.compute.reading import Allocations

# Amounts by uuid of the provider and resource class.
Held = Mapping[str, Mapping[str, int]]


class Change(StrEnum):
    """What becomes of a provider."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    SAME = "same"


@dataclass(frozen=True)
class Pair:
    """Something before and after; None where there is none."""

    before: Any
    after: Any


@dataclass(frozen=True)
class Exchange:
    """Names that come and go, in alphabetical order."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ProviderChange:
    """A provider, and what is different: the name of its parent if that is another one, and inventories by class."""

    uuid: str
    name: str
    depth: int
    change: Change
    parent: Pair | None = None
    inventories: Mapping[str, Pair] = field(default_factory=dict)
    traits: Exchange = Exchange()
    aggregates: Exchange = Exchange()


@dataclass(frozen=True)
class ConsumerChange:
    """A consumer that holds something else than before."""

    uuid: str
    before: Held
    after: Held


def compare_trees(before: ProviderTree, after: ProviderTree) -> list[ProviderChange]:
    """Return every provider of both trees, each before those below it; one that is gone stands where it was."""
    old, new = _by_uuid(before), _by_uuid(after)
    every = old | new
    below: dict[str | None, list[str]] = {}
    for uuid in [*new, *(uuid for uuid in old if uuid not in new)]:
        below.setdefault(every[uuid].parent_uuid, []).append(uuid)
    names = {uuid: provider.name for uuid, provider in every.items()}
    return [_compare(old.get(uuid), new.get(uuid), depth, names) for uuid, depth in _walk(below, None, 0)]


def compare_consumers(before: Allocations, after: Allocations) -> list[ConsumerChange]:
    """Return the consumers of *after* that held something else in *before*."""
    pairs = [(uuid, _held(before.get(uuid, {})), _held(record)) for uuid, record in after.items()]
    return [ConsumerChange(uuid, old, new) for uuid, old, new in pairs if old != new]


def _by_uuid(tree: ProviderTree) -> dict[str, ProviderData]:
    return {provider.uuid: provider for provider in tree}


def _walk(below: Mapping[str | None, list[str]], top: str | None, depth: int) -> Iterator[tuple[str, int]]:
    for uuid in below.get(top, ()):
        yield uuid, depth
        yield from _walk(below, uuid, depth + 1)


def _compare(
    before: ProviderData | None, after: ProviderData | None, depth: int, names: Mapping[str, str]
) -> ProviderChange:
    here = after or before
    assert here is not None  # noqa: S101  # one of the trees has it
    old, new = before or ProviderData(here.uuid, here.name), after or ProviderData(here.uuid, here.name)
    classes = sorted(old.inventory.keys() | new.inventory.keys())
    pairs = {name: Pair(old.inventory.get(name), new.inventory.get(name)) for name in classes}
    inventories = {name: pair for name, pair in pairs.items() if pair.before != pair.after}
    moved = before and after and before.parent_uuid != after.parent_uuid
    change = Change.ADDED if before is None else Change.REMOVED if after is None else Change.SAME
    if change is Change.SAME and (moved or inventories or old.traits != new.traits or old.aggregates != new.aggregates):
        change = Change.CHANGED
    return ProviderChange(
        uuid=here.uuid,
        name=here.name,
        depth=depth,
        change=change,
        parent=Pair(names.get(old.parent_uuid or ""), names.get(new.parent_uuid or "")) if moved else None,
        inventories=inventories,
        traits=_exchange(old.traits, new.traits),
        aggregates=_exchange(old.aggregates, new.aggregates),
    )


def _exchange(before: Iterable[str], after: Iterable[str]) -> Exchange:
    old, new = set(before), set(after)
    return Exchange(tuple(sorted(new - old)), tuple(sorted(old - new)))


def _held(record: Mapping[str, Any]) -> Held:
    return {uuid: dict(entry["resources"]) for uuid, entry in record.get("allocations", {}).items()}
