"""Worked examples of candidate requests as text: a cloud, and requests with their exact answers.

A file holds examples, each with its title, the cloud as :mod:`cloud` reads it, and queries with their answers::

    == Sharing Resource Providers

    SS1  DISK_GB:1000  MISC_SHARES_VIA_AGGREGATE  @aggA
    CN1  VCPU:8  @aggA
      NIC1  SRIOV_NET_VF:4

    GET resources=VCPU:1,DISK_GB:50
        &resources_PORT=SRIOV_NET_VF:1
    => 1 candidate
       CN1 VCPU:1 + SS1 DISK_GB:50 + _PORT=NIC1 SRIOV_NET_VF:1

In a query, ``<name>`` is the uuid of a provider or aggregate. A candidate tells what each provider gives to the
unsuffixed group, or, with ``_SUFFIX=`` before it, to that group; so allocations are the sums, and mappings the
names. A count without candidates stands for any so many; ``N by allocations alone`` counts those that differ in
more than the mappings; ``summaries:`` are all providers of the summaries; an error is ``=> 400`` and its code.
Lines that start with ``#`` are comments. A guide has such examples in blocks of text.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cloud import Provider, read_cloud, uuid_of

_ANSWER = re.compile(r"=> (?P<count>\d+) candidates?(?:, (?P<distinct>\d+) by allocations alone)?")
_ERROR = re.compile(r"=> 400 (?P<code>[a-z._]+)")
_SUMMARIES = "summaries: "
_BLOCK = re.compile(r"```text\n(.*?)```", re.DOTALL)


@dataclass(frozen=True)
class Candidate:
    """One candidate: the amounts by provider and class, and the providers by suffix of the group."""

    allocations: frozenset[tuple[str, str, int]]
    mappings: frozenset[tuple[str, str]]

    def __str__(self) -> str:
        allocations = " + ".join(f"{provider} {name}:{amount}" for provider, name, amount in sorted(self.allocations))
        return (
            f"{allocations}, mappings {' '.join(f'{suffix}={provider}' for suffix, provider in sorted(self.mappings))}"
        )


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a query is answered with: an error code; or so many candidates, and these where they are listed."""

    error: str | None = None
    count: int = 0
    distinct_allocations: int | None = None
    candidates: frozenset[Candidate] | None = None
    summaries: frozenset[str] | None = None


@dataclass(frozen=True)
class Example:
    """A cloud, and pairs of a query string and its answer, which are ``extended`` if they go beyond Placement."""

    title: str
    cloud: tuple[Provider, ...]
    queries: tuple[tuple[str, Answer], ...]
    extended: bool = False

    @property
    def names(self) -> dict[str, str]:
        """The name of each provider by its uuid."""
        return {uuid_of(provider.name): provider.name for provider in self.cloud}


def read_examples(folder: Path) -> list[Example]:
    """Read all examples of the text files in *folder*."""
    return [example for path in sorted(folder.glob("*.txt")) for example in read_text(path.read_text())]


def read_guide(path: Path) -> list[Example]:
    """Read the examples in the blocks of text of a guide to what goes beyond Placement, which has no other blocks."""
    blocks = _BLOCK.findall(path.read_text())
    return [replace(example, extended=True) for block in blocks for example in _only(block)]


def _only(block: str) -> list[Example]:
    examples = list(read_text(block))
    if len(examples) != 1:
        raise ValueError(f"Not an example: {block}")
    return examples


def read_text(text: str) -> Iterator[Example]:
    """Read the examples of one file. Raises ValueError for an answer that contradicts itself."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    for part in re.split("^== ", "\n".join(lines), flags=re.MULTILINE)[1:]:
        title, _, rest = part.partition("\n")
        cloud, *queries = re.split("^GET ", rest, flags=re.MULTILINE)
        yield Example(title, read_cloud(cloud), tuple(_read_query(query) for query in queries))


def candidate(slots: Iterable[tuple[str, str, Iterable[tuple[str, int]]]]) -> Candidate:
    """Return the candidate in which, for each slot, a group's suffix, a provider gives amounts of classes."""
    amounts: Counter[tuple[str, str]] = Counter()
    mappings = set()
    for suffix, provider, resources in slots:
        mappings.add((suffix, provider))
        for name, amount in resources:
            amounts[provider, name] += amount
    return Candidate(frozenset((*key, amount) for key, amount in amounts.items()), frozenset(mappings))


def candidate_of(document: dict[str, Any], names: dict[str, str]) -> Candidate:
    """Return the candidate that an entry of ``allocation_requests`` stands for; *names* gives names to uuids."""
    return Candidate(
        frozenset(
            (names[uuid], name, amount)
            for uuid, given in document["allocations"].items()
            for name, amount in given["resources"].items()
        ),
        frozenset((suffix, names[uuid]) for suffix, uuids in document["mappings"].items() for uuid in uuids),
    )


def _read_query(text: str) -> tuple[str, Answer]:
    query, arrow, answer = text.partition("=> ")
    first, *lines = (arrow + answer).splitlines()
    query = re.sub("<(.*?)>", lambda name: uuid_of(name[1]), "".join(query.split()))
    if error := _ERROR.fullmatch(first):
        return query, Answer(error=error["code"])
    match = _ANSWER.fullmatch(first)
    if match is None:
        raise ValueError(f"Not an answer: {first}")
    lines = [line.strip() for line in lines]
    summaries = [line.removeprefix(_SUMMARIES) for line in lines if line.startswith(_SUMMARIES)]
    listed = frozenset(_read_candidate(line) for line in lines if not line.startswith(_SUMMARIES))
    count = int(match["count"])
    distinct = int(match["distinct"]) if match["distinct"] else None
    if listed and (len(listed), len({one.allocations for one in listed})) != (count, distinct or count):
        raise ValueError(f"{query}: the candidates listed are not {first}")
    return query, Answer(
        count=count,
        distinct_allocations=distinct,
        candidates=listed if listed or not count else None,
        summaries=frozenset(summaries[0].split()) if summaries else None,
    )


def _read_candidate(line: str) -> Candidate:
    slots = []
    for part in line.split(" + "):
        group, _, resources = part.partition(" ")
        suffix, _, provider = group.rpartition("=")
        pairs = (resource.split(":") for resource in resources.split(",") if resource)
        slots.append((suffix, provider, [(name, int(amount)) for name, amount in pairs]))
    return candidate(slots)
