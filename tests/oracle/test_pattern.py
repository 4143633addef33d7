"""The pattern form against the oracle, on random small clouds and requests."""

from dataclasses import replace

import neo4j
from candidate_requests import to_query
from cloud import write_cloud
from examples import Candidate
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from oracle import oracle
from oracle.clouds import KNOWN, clouds, requests
from oracle.graph import write_graph
from pattern_form import candidate_of_row, run_pattern

from graphplace.graph.database import Database

REQUESTS_PER_CLOUD = 4


def with_names(found: oracle.Candidate, cloud: oracle.Oracle) -> Candidate:
    """Return a candidate of the oracle with names in place of uuids."""
    amounts, used = found
    return Candidate(
        frozenset((cloud.providers[uuid].name, resource_class, amount) for (uuid, resource_class), amount in amounts),
        frozenset((suffix, cloud.providers[uuid].name) for suffix, uuids in used for uuid in uuids),
    )


# Neo4j plans each text anew, which takes far longer than running it.
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_the_pattern_form_finds_what_the_oracle_finds(
    named: Database, neo4j_driver: neo4j.Driver, data: st.DataObject
) -> None:
    cloud = data.draw(clouds())
    note(write_cloud(cloud))
    write_graph(named, cloud)
    everything = oracle.Oracle(cloud, KNOWN)
    for _ in range(REQUESTS_PER_CLOUD):
        request = data.draw(requests(cloud))
        note(to_query(request))
        try:
            expected = {with_names(one, everything) for one in everything.answer(request).candidates}
        except oracle.RefusedError:
            continue
        found = [candidate_of_row(request, row) for row in run_pattern(neo4j_driver, request)]
        assert len(set(found)) == len(found)
        assert set(found) == expected
        if expected:
            limit = data.draw(st.integers(1, len(expected)))
            limited = {
                candidate_of_row(request, row) for row in run_pattern(neo4j_driver, replace(request, limit=limit))
            }
            assert len(limited) == limit
            assert limited <= expected
