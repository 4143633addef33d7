"""Answers with an overlay against the oracle's on a cloud that was changed, and against those after it was written.

GRAPHPLACE_TEST_SUPPOSED_CLOUDS says on how many clouds; pytest's --hypothesis-seed which ones.
"""

import os
from collections import Counter

import pytest
from hypothesis import note
from hypothesis import strategies as st
from oracle.cases import ANY_TIME, on_random_clouds
from oracle.changes import applied, changes, write, write_consumers
from oracle.clouds import KNOWN, one_in
from oracle.extended_requests import extended_requests
from oracle.oracle import Oracle
from oracle.requests import requests
from oracle.test_engine import ORDERS, by_engine, compare
from oracle.test_explain import compare as explained

from graphplace.candidates import start
from graphplace.candidates.overlay import AS_IT_IS, Overlay
from graphplace.errors import BadRequestError, GraphplaceError
from graphplace.graph.database import Database
from graphplace.request.model import CandidateRequest
from graphplace.what_if.suppose import suppose

CLOUDS = int(os.environ.get("GRAPHPLACE_TEST_SUPPOSED_CLOUDS", "60"))


def test_what_would_be_is_what_the_oracle_says_and_what_is_once_it_is_written(
    named: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    tally: Counter[str] = Counter()
    monkeypatch.setattr(start, "SMALLEST_BATCH", 1)
    monkeypatch.setattr(start, "PROBE", 1)

    def check(oracle: Oracle, request: CandidateRequest, data: st.DataObject) -> None:
        cloud = tuple(oracle.providers.values())
        write_consumers(named, cloud)
        supposed = data.draw(changes(cloud))
        note(repr(supposed))
        try:
            overlay = suppose(named, supposed)
        except GraphplaceError as error:
            tally["refused"] += 1
            with pytest.raises(type(error)):
                write(named, cloud, supposed)
            return
        changed = Oracle(applied(cloud, supposed), KNOWN)
        asked = [request, data.draw(requests(tuple(changed.providers.values())))]
        asked.append(data.draw(extended_requests(tuple(changed.providers.values()))))
        for one in asked:
            limit, order = data.draw(st.integers(1, 6)), data.draw(st.sampled_from(ORDERS))
            tally[compare(named, changed, one, limit, order, overlay)] += 1
        if data.draw(one_in(3)):
            assert explained(named, changed, asked[-1], overlay)
            answers = [answer(named, one, overlay) for one in asked]
            write(named, cloud, supposed)
            assert answers == [answer(named, one, AS_IT_IS) for one in asked]
            tally["written"] += 1

    on_random_clouds(named, CLOUDS, 1, check)
    print(f"{CLOUDS} clouds: {dict(tally)}")
    assert tally["with candidates"] >= CLOUDS


def answer(database: Database, request: CandidateRequest, overlay: Overlay) -> object:
    try:
        candidates, summaries = by_engine(database, request, ANY_TIME, overlay)
    except BadRequestError as error:
        return str(error)
    return set(candidates), summaries
