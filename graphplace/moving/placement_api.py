"""Reading Placement by its REST API, which has no pages and no snapshots: each provider and consumer by itself."""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, TypeVar

from keystoneauth1.exceptions import ClientException
from microversion_parse import parse_version_string

from graphplace.compute.errors import PlacementError
from graphplace.compute.placement import Placement, Session
from graphplace.dumping.lines import Tree
from graphplace.moving.source import Progress, SourceError

# Since the oldest, what a consumer holds has a generation; since the newest, consumers have types.
OLDEST, NEWEST = "1.28", "1.38"
# Trees, or consumers, that are read before the first of them is given away.
AT_ONCE = 200
# How often a provider is read that is written to meanwhile.
MOST_READS = 10
# What the API calls the type of a consumer that has none.
NO_TYPE = "unknown"

T = TypeVar("T")
Record = Mapping[str, Any]
Entry = dict[str, Any]
# Of each consumer its generation, and the number of classes that it holds.
Held = Mapping[str, tuple[int, int]]


@dataclass(frozen=True)
class Provider:
    """A provider as it was at one of its generations: an entry of a tree, and who held something of it."""

    entry: Entry
    held: Held


@dataclass(frozen=True)
class Survey:
    """All providers by uuid, and who holds something of each, at about one time."""

    records: dict[str, Record]
    held: dict[str, Held]


@contextmanager
def placement_api(session: Session, connections: int) -> Iterator["PlacementApi"]:
    """Read the Placement behind *session*, a keystoneauth1 Adapter, with so many requests at a time.

    Raises SourceError when it cannot be read.
    """
    with ThreadPoolExecutor(connections) as pool:
        yield PlacementApi(session, pool)


def newest_of(session: Session) -> str:
    """Return the newest microversion, of those that are known here, of the Placement behind *session*.

    Raises SourceError for a Placement that cannot be asked, and for one that is older than all of them.
    """
    answer = _answer(Placement(session, microversion=OLDEST), "/")
    try:
        (version,) = answer["versions"]
        return min(str(version["max_version"]), NEWEST, key=parse_version_string)
    except (LookupError, TypeError, ValueError) as error:
        raise SourceError("This is no Placement: GET / does not tell its microversions.") from error


class PlacementApi:
    """The Placement behind *session*. What moves while it is read is told at the end. *pool* sends the requests."""

    has_times = False

    def __init__(self, session: Session, pool: ThreadPoolExecutor) -> None:
        self._placement = Placement(session, microversion=newest_of(session))
        self._pool = pool
        self._now = datetime.now(UTC).isoformat()
        self._first: Survey | None = None
        self._last: Survey | None = None

    def parts(self, progress: Progress) -> Iterator[Tree]:
        """Yield all trees without consumers, then all consumers without providers."""
        records = self._records()
        held: dict[str, Held] = {}
        given: dict[str, Entry] = {}
        for trees in _some(_trees(records)):
            for tree in self._read_trees(trees, records):
                yield {"providers": [one.entry for one in tree], "consumers": [], "allocations": []}
                held |= {one.entry["uuid"]: one.held for one in tree}
                given |= {one.entry["uuid"]: _given(one.entry) for one in tree}
                progress("providers", len(held), len(records))
        self._first = Survey(records, held)
        consumers = sorted({consumer for one in held.values() for consumer in one})
        for number, some in enumerate(_some(consumers), 1):
            yield {"providers": [], **self._read_consumers(some, given)}
            progress("consumers", min(number * AT_ONCE, len(consumers)), len(consumers))

    def names(self) -> dict[str, list[Entry]]:
        """Return custom traits and resource classes. What else there is by name, providers and consumers name."""
        classes = [one["name"] for one in self._get("/resource_classes")["resource_classes"]]
        names = {
            "resource_classes": [name for name in classes if name.startswith("CUSTOM_")],
            "traits": self._get("/traits", name="startswith:CUSTOM_")["traits"],
        }
        times = {"created_at": self._now, "updated_at": self._now}
        return {kind: [{"name": name} | times for name in sorted(all_names)] for kind, all_names in names.items()}

    def counts(self, progress: Progress) -> dict[str, int]:
        """Count what there is now and can be counted at all, by columns of the statement ``moving.counts``."""
        records = self._records()
        held: dict[str, Held] = {}
        for some in _some(list(records)):
            held |= zip(some, self._pool.map(self._held_now, some), strict=True)
            progress("counting what is held of providers", len(held), len(records))
        self._last = Survey(records, held)
        names = self.names()
        return {
            "providers": len(records),
            "consumers": len({consumer for one in held.values() for consumer in one}),
            "allocations": sum(classes for one in held.values() for _, classes in one.values()),
            "custom_traits": len(names["traits"]),
            "custom_resource_classes": len(names["resource_classes"]),
        }

    def sample(self, most: int) -> list[Tree]:
        """Read *most* trees that chance takes, with what is held of them; all of them if there are no more."""
        records = self._records()
        trees = _trees(records)
        sampled: list[Tree] = []
        for tree in self._read_trees(random.sample(trees, min(most, len(trees))), records):
            consumers = sorted({consumer for one in tree for consumer in one.held})
            given = {one.entry["uuid"]: _given(one.entry) for one in tree}
            sampled.append({"providers": [one.entry for one in tree], **self._read_consumers(consumers, given)})
        return sampled

    def moved(self) -> list[str]:
        """Tell what changed between the reading of all parts and the last count, a phrase for each provider."""
        first, last = self._first, self._last
        if first is None or last is None:
            return []
        changes = {
            uuid: _change(first.records.get(uuid), last.records.get(uuid), first.held.get(uuid), last.held.get(uuid))
            for uuid in last.records | first.records
        }
        names = {uuid: record["name"] for uuid, record in (last.records | first.records).items()}
        return sorted(f"provider {names[uuid]} {change}" for uuid, change in changes.items() if change)

    def _records(self) -> dict[str, Record]:
        return {one["uuid"]: one for one in self._get("/resource_providers")["resource_providers"]}

    def _read_trees(self, trees: Sequence[list[Record]], records: Mapping[str, Record]) -> Iterator[list[Provider]]:
        """Yield the providers of each tree that are there still, each as it is at one of its generations."""
        found = iter(self._pool.map(self._read_provider, [record for tree in trees for record in tree]))
        for tree in trees:
            kept: dict[str, Provider] = {}
            for record, provider in zip(tree, found, strict=False):
                above = record["parent_provider_uuid"]
                if provider is not None and (above is None or above in kept):
                    provider.entry["parent"] = [records[above]["name"]] if above else []
                    kept[record["uuid"]] = provider
            if kept:
                yield list(kept.values())

    def _read_provider(self, record: Record) -> Provider | None:
        """Return the provider without its place, None if it is not there any more."""
        path = f"/resource_providers/{record['uuid']}"
        for _ in range(MOST_READS):
            try:
                inventories, traits, aggregates, allocations = answers = [
                    self._get(f"{path}/{part}") for part in ("inventories", "traits", "aggregates", "allocations")
                ]
            except _GoneError:
                return None
            generations = {answer["resource_provider_generation"] for answer in answers}
            if len(generations) == 1:
                break
        else:
            raise SourceError(f"Provider {record['name']} is written to faster than it can be read.")
        times = {"created_at": self._now, "updated_at": self._now}
        entry = {
            "uuid": record["uuid"],
            "name": record["name"],
            "generation": generations.pop(),
            "inventories": [
                {"resource_class": name} | given | times for name, given in inventories["inventories"].items()
            ],
            "traits": traits["traits"],
            "aggregates": aggregates["aggregates"],
        }
        return Provider(entry | times, _held(allocations))

    def _held_now(self, uuid: str) -> Held:
        try:
            return _held(self._get(f"/resource_providers/{uuid}/allocations"))
        except _GoneError:
            return {}

    def _read_consumers(self, uuids: Sequence[str], given: Mapping[str, Entry]) -> dict[str, list[Any]]:
        """Return the consumers and what they hold of what is *given*: by provider, its name by each class."""
        consumers, allocations = [], []
        for uuid, answer in zip(
            uuids, self._pool.map(lambda uuid: self._get(f"/allocations/{uuid}"), uuids), strict=True
        ):
            held = [
                (given[provider][name], name, amount)
                for provider, entry in answer["allocations"].items()
                for name, amount in entry["resources"].items()
                if name in given.get(provider, ())
            ]
            if held:
                kind = answer.get("consumer_type", NO_TYPE)
                consumers.append(
                    {
                        "uuid": uuid,
                        "generation": answer["consumer_generation"],
                        "project_id": [answer["project_id"]],
                        "user_id": [answer["user_id"]],
                        "type": [] if kind == NO_TYPE else [kind],
                        "created_at": self._now,
                        "updated_at": self._now,
                    }
                )
                allocations += [[uuid, *one, position, self._now] for position, one in enumerate(held)]
        return {"consumers": consumers, "allocations": allocations}

    def _get(self, path: str, **query: str) -> Any:
        return _answer(self._placement, path, **query)


class _GoneError(SourceError):
    """What is asked for is not there."""


def _answer(placement: Placement, path: str, **query: str) -> Any:
    try:
        return placement.get(path, **query)
    except PlacementError as error:
        kind = _GoneError if error.status == HTTPStatus.NOT_FOUND else SourceError
        raise kind(" ".join(str(error).split())) from error
    except ClientException as error:
        raise SourceError(f"Placement does not answer: {' '.join(str(error).split())}") from error


def _trees(records: Mapping[str, Record]) -> list[list[Record]]:
    """Return the records of each tree, parents before children."""
    below: dict[str | None, list[Record]] = defaultdict(list)
    for record in records.values():
        below[record["parent_provider_uuid"]].append(record)
    trees = [[root] for root in below[None]]
    for tree in trees:
        for record in tree:  # which grows meanwhile
            tree.extend(below[record["uuid"]])
    return trees


def _some(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for first in range(0, len(items), AT_ONCE):
        yield items[first : first + AT_ONCE]


def _given(entry: Entry) -> Entry:
    return {inventory["resource_class"]: entry["name"] for inventory in entry["inventories"]}


def _held(answer: Mapping[str, Any]) -> Held:
    return {
        consumer: (entry["consumer_generation"], len(entry["resources"]))
        for consumer, entry in answer["allocations"].items()
    }


def _change(was: Record | None, now: Record | None, held: Held | None, holds: Held | None) -> str:
    """Say what became of a provider, nothing if it is as it was."""
    if was is None:
        return "was created"
    if now is None or held is None:
        return "was deleted"
    if now["generation"] != was["generation"]:
        return f"was written to: generation {now['generation']}, before {was['generation']}"
    if now != was:
        return "was renamed or moved"
    return "is held by others than before" if holds != held else ""
