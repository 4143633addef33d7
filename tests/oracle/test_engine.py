"""The engine against the oracle, on random small clouds and requests.

GRAPHPLACE_TEST_CLOUDS says on how many clouds; pytest's --hypothesis-seed which ones.
"""

import os
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import strategies as st
from oracle.cases import ANY_TIME, expected_of, on_random_clouds
from oracle.oracle import Candidate, Oracle, is_even

from graphplace.candidates import start
from graphplace.candidates.find import find_candidates
from graphplace.candidates.overlay import AS_IT_IS, Overlay
from graphplace.graph.database import Database
from graphplace.request.model import CandidateRequest
from graphplace.settings import Settings

CLOUDS = int(os.environ.get("GRAPHPLACE_TEST_CLOUDS", "400"))
REQUESTS_PER_CLOUD = 5
DEPTH_FIRST = replace(ANY_TIME, allocation_candidates_generation_strategy="depth-first")
ORDERS = (ANY_TIME, replace(ANY_TIME, randomize_allocation_candidates=True), DEPTH_FIRST)


@pytest.fixture
def batches_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the search take as few trees at a time as it may, so that small clouds are more than one batch."""
    monkeypatch.setattr(start, "SMALLEST_BATCH", 1)
    monkeypatch.setattr(start, "PROBE", 1)


@pytest.mark.usefixtures("batches_of_one")
def test_the_engine_finds_what_the_oracle_finds(named: Database) -> None:
    tally: Counter[str] = Counter()

    def check(oracle: Oracle, request: CandidateRequest, data: st.DataObject) -> None:
        limit, order = data.draw(st.integers(1, 6)), data.draw(st.sampled_from(ORDERS))
        tally[compare(named, oracle, request, limit, order)] += 1

    on_random_clouds(named, CLOUDS, REQUESTS_PER_CLOUD, check)
    print(f"{CLOUDS} clouds, {tally.total()} requests: {dict(tally)}")
    assert tally["with candidates"] >= tally.total() / 2


def compare(  # noqa: PLR0917  # as it is asked
    database: Database,
    oracle: Oracle,
    request: CandidateRequest,
    limit: int,
    order: Settings,
    overlay: Overlay = AS_IT_IS,
) -> str:
    """Compare the answers to *request*, without a limit and with one in that order. Returns what kind it is."""
    expected = expected_of(oracle, request, lambda: find_candidates(database, request, ANY_TIME, overlay))
    if isinstance(expected, str):
        return expected
    candidates, summaries = by_engine(database, request, ANY_TIME, overlay)
    assert set(candidates) == expected.anchors.keys()
    assert summaries == expected.summaries
    if not candidates:
        return "without"
    limited, summaries = by_engine(database, replace(request, limit=limit), order, overlay)
    assert len(limited) == min(limit, len(candidates))
    assert expected.anchors.keys() >= set(limited)
    assert is_even(limited, expected.anchors) or order == DEPTH_FIRST
    assert summaries == oracle.summaries(limited)
    return "with candidates"


def by_engine(
    database: Database, request: CandidateRequest, order: Settings, overlay: Overlay = AS_IT_IS
) -> tuple[list[Candidate], dict[str, Any]]:
    found = find_candidates(database, request, order, overlay)
    candidates = [read(one) for one in found.allocation_requests]
    assert len(set(candidates)) == len(candidates), "a candidate appears twice"
    return candidates, {
        uuid: summary | {"traits": set(summary["traits"])} for uuid, summary in found.provider_summaries.items()
    }


def read(allocation_request: dict[str, Any]) -> Candidate:
    return (
        frozenset(
            ((uuid, name), amount)
            for uuid, gift in allocation_request["allocations"].items()
            for name, amount in gift["resources"].items()
        ),
        frozenset((suffix, frozenset(uuids)) for suffix, uuids in allocation_request["mappings"].items()),
    )
