"""Running the pattern form of a request, and reading its rows as candidates."""

from typing import Any, cast

import neo4j
from examples import Candidate, candidate

from graphplace.compiler.clause import provider
from graphplace.compiler.pattern import compile_pattern
from graphplace.compiler.slots import Slots
from graphplace.request.model import CandidateRequest


def run_pattern(driver: neo4j.Driver, request: CandidateRequest) -> list[neo4j.Record]:
    """Run the pattern form of *request* as it stands, in a transaction that only reads."""
    return driver.execute_query(cast("Any", compile_pattern(request)), routing_="r").records


def candidate_of_row(request: CandidateRequest, row: neo4j.Record) -> Candidate:
    """Return the candidate that a row stands for, with the names of its providers."""
    slots = Slots.of(request).all
    return candidate((slot.group.suffix, row[provider(n)]["name"], slot.resources) for n, slot in enumerate(slots))
