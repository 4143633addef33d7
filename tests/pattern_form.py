"""Running the pattern form of a request, and reading its rows as candidates."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

import neo4j
from examples import Candidate, candidate

from graphplace.compiler.clause import amounts, provider
from graphplace.compiler.pattern import compile_pattern
from graphplace.compiler.slots import Slots
from graphplace.request.model import CandidateRequest


def run_pattern(driver: neo4j.Driver, request: CandidateRequest) -> list[neo4j.Record]:
    """Run the pattern form of *request* as it stands, in a transaction that only reads."""
    return driver.execute_query(cast("Any", compile_pattern(request)), routing_="r").records


def candidate_of_row(request: CandidateRequest, row: neo4j.Record) -> Candidate:
    """Return the candidate that a row stands for, with the names of its providers."""
    return candidate(part for n in range(len(Slots.of(request).all)) for part in _of_slot(Slots.of(request), n, row))


def _of_slot(slots: Slots, position: int, row: neo4j.Record) -> Iterator[tuple[str, str, Sequence[tuple[str, int]]]]:
    slot, found = slots.all[position], row[provider(position)]
    if position not in slots.splittable:
        yield slot.group.suffix, found["name"], slot.resources
        return
    ((name, _),) = slot.resources
    for one, amount in zip(found, row[amounts(position)], strict=True):
        yield slot.group.suffix, one["name"], [(name, amount)]
