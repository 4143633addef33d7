"""graphplace against the real Placement: the same random requests to both get the same answers.

GRAPHPLACE_TEST_REQUESTS says how many requests, GRAPHPLACE_TEST_SEED which ones. What differs on purpose is in
docs/differences.md; the sessions here do not go there, or say where it is.
"""

import logging
import os
from collections import Counter
from collections.abc import Iterator
from itertools import count
from random import Random

import pytest
from differential.reference import reference
from differential.session import DifferenceError, Session
from graphplace.api import create_app

from graphplace.graph import schema
from graphplace.graph.database import Database

REQUESTS = int(os.environ.get("GRAPHPLACE_TEST_REQUESTS", "1500"))
SEED = int(os.environ.get("GRAPHPLACE_TEST_SEED", "1"))


@pytest.fixture
def quiet() -> Iterator[None]:
    """Without logging, of which the reference's fixture would keep every line."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.usefixtures("quiet")
def test_both_answer_alike(connected: Database) -> None:
    tally: Counter[str] = Counter()
    for seed in count(SEED):
        if tally["requests"] >= REQUESTS:
            break
        schema.wipe(connected)
        with reference() as running:
            try:
                Session(create_app(connected), running, Random(seed), tally).run()  # noqa: S311  # no secret
            except DifferenceError as error:
                pytest.fail(f"GRAPHPLACE_TEST_SEED={seed}\n{error}", pytrace=False)
    print(dict(tally))
    assert tally["with candidates"] >= tally["for candidates"] / 2
    assert tally["too many to try"] <= tally["for candidates"] / 100
