"""The engine against the oracle, on random small clouds, and requests that use what graphplace adds to Placement.

GRAPHPLACE_TEST_EXTENDED_CLOUDS says on how many clouds; pytest's --hypothesis-seed which ones.
"""

import os
from collections import Counter

import pytest
from hypothesis import strategies as st
from oracle.cases import on_random_clouds
from oracle.extended_requests import extended_requests, is_extended
from oracle.oracle import Oracle
from oracle.test_engine import ORDERS, compare

from graphplace.candidates import splits, start
from graphplace.graph.database import Database
from graphplace.request.model import CandidateRequest

CLOUDS = int(os.environ.get("GRAPHPLACE_TEST_EXTENDED_CLOUDS", "1000"))
REQUESTS_PER_CLOUD = 5


def test_the_engine_finds_what_the_oracle_finds(named: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    tally: Counter[str] = Counter()
    monkeypatch.setattr(start, "SMALLEST_BATCH", 1)
    monkeypatch.setattr(start, "PROBE", 1)

    def check(oracle: Oracle, request: CandidateRequest, data: st.DataObject) -> None:
        assert is_extended(request)
        oracle.most_splits = data.draw(st.sampled_from([splits.MOST_SPLITS, 1, 2, 3]))
        limit, order = data.draw(st.integers(1, 6)), data.draw(st.sampled_from(ORDERS))
        with monkeypatch.context() as patch:
            patch.setattr(splits, "MOST_SPLITS", oracle.most_splits)
            tally[compare(named, oracle, request, limit, order)] += 1

    on_random_clouds(named, CLOUDS, REQUESTS_PER_CLOUD, check, extended_requests)
    print(f"{CLOUDS} clouds, {tally.total()} requests: {dict(tally)}")
    assert tally["with candidates"] >= tally.total() / 2
