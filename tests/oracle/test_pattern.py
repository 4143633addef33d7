"""The pattern form against the oracle, on random small clouds and requests."""

import os
from collections.abc import Callable
from dataclasses import replace

import neo4j
import pytest
from cloud import Provider
from examples import Candidate
from hypothesis import strategies as st
from oracle import oracle
from oracle.cases import on_random_clouds
from oracle.extended_requests import extended_requests
from oracle.requests import requests
from pattern_form import candidate_of_row, run_pattern

from graphplace.graph.database import Database
from graphplace.request.model import CandidateRequest

# Neo4j plans each text anew, which takes far longer than running it.
CLOUDS = int(os.environ.get("GRAPHPLACE_TEST_DRAWN_CLOUDS", "15"))
REQUESTS_PER_CLOUD = 4


def with_names(found: oracle.Candidate, cloud: oracle.Oracle) -> Candidate:
    """Return a candidate of the oracle with names in place of uuids."""
    amounts, used = found
    return Candidate(
        frozenset((cloud.providers[uuid].name, resource_class, amount) for (uuid, resource_class), amount in amounts),
        frozenset((suffix, cloud.providers[uuid].name) for suffix, uuids in used for uuid in uuids),
    )


@pytest.mark.parametrize("strategy", [requests, extended_requests])
def test_the_pattern_form_finds_what_the_oracle_finds(
    named: Database,
    neo4j_driver: neo4j.Driver,
    strategy: Callable[[tuple[Provider, ...]], st.SearchStrategy[CandidateRequest]],
) -> None:
    def check(cloud: oracle.Oracle, request: CandidateRequest, data: st.DataObject) -> None:
        compare(neo4j_driver, cloud, request, limit=data.draw(st.integers(1, 6)))

    on_random_clouds(named, CLOUDS, REQUESTS_PER_CLOUD, check, strategy)


def compare(driver: neo4j.Driver, cloud: oracle.Oracle, request: CandidateRequest, limit: int) -> None:
    try:
        expected = {with_names(one, cloud) for one in cloud.answer(request).anchors}
    except (oracle.RefusedError, oracle.TooManyError):
        return  # to the pattern form, an unknown name is one that no provider has
    found = [candidate_of_row(request, row) for row in run_pattern(driver, request)]
    assert len(set(found)) == len(found)
    assert set(found) == expected
    if expected:
        limited = {candidate_of_row(request, row) for row in run_pattern(driver, replace(request, limit=limit))}
        assert len(limited) == min(limit, len(expected))
        assert limited <= expected
