"""The engine against the oracle, on random small clouds and requests."""

from dataclasses import replace
from typing import Any

import pytest
from candidate_requests import to_query
from cloud import write_cloud
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from oracle.clouds import KNOWN, clouds, requests
from oracle.graph import write_graph
from oracle.oracle import Answer, Candidate, Oracle, RefusedError

from graphplace.candidates.find import find_candidates
from graphplace.errors import BadRequestError
from graphplace.graph.database import Database
from graphplace.request.model import CandidateRequest

REQUESTS_PER_CLOUD = 5


def by_engine(database: Database, request: CandidateRequest) -> Answer:
    try:
        found = find_candidates(database, request)
    except BadRequestError as error:
        raise RefusedError from error
    candidates = [read(one) for one in found.allocation_requests]
    assert len(set(candidates)) == len(candidates), "a candidate appears twice"
    summaries = {
        uuid: summary | {"traits": set(summary["traits"])} for uuid, summary in found.provider_summaries.items()
    }
    return Answer(frozenset(candidates), summaries)


def read(allocation_request: dict[str, Any]) -> Candidate:
    return (
        frozenset(
            ((uuid, name), amount)
            for uuid, gift in allocation_request["allocations"].items()
            for name, amount in gift["resources"].items()
        ),
        frozenset((suffix, frozenset(uuids)) for suffix, uuids in allocation_request["mappings"].items()),
    )


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_the_engine_finds_what_the_oracle_finds(named: Database, data: st.DataObject) -> None:
    cloud = data.draw(clouds())
    note(write_cloud(cloud))
    write_graph(named, cloud)
    oracle = Oracle(cloud, KNOWN)
    for _ in range(REQUESTS_PER_CLOUD):
        request = data.draw(requests(cloud))
        note(to_query(request))
        try:
            expected = oracle.answer(request)
        except RefusedError:
            with pytest.raises(RefusedError):
                by_engine(named, request)
            continue
        assert by_engine(named, request) == expected
        limit = data.draw(st.integers(1, 4))
        limited = by_engine(named, replace(request, limit=limit))
        assert len(limited.candidates) == min(limit, len(expected.candidates))
        assert limited.candidates <= expected.candidates
        assert limited.summaries == oracle.summaries(set(limited.candidates))
