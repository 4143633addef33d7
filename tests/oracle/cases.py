"""Random clouds in a real graph, and random requests for each."""

from collections.abc import Callable

import pytest
from cloud import Provider, write_cloud
from hypothesis import given, note, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, HypothesisProvider
from oracle.clouds import KNOWN, clouds
from oracle.graph import write_graph
from oracle.oracle import Answer, Oracle, RefusedError, TooManyError
from oracle.requests import requests

from graphplace.errors import BadRequestError
from graphplace.graph.database import Database
from graphplace.request.model import CandidateRequest
from graphplace.request.write import to_query
from graphplace.settings import Settings

# However busy the machine is: a search that is given up is no difference.
ANY_TIME = Settings(allocation_candidates_timeout=0, explain_changes_timeout=0)
# The backend of Hypothesis itself, under another name. Under its own it follows each example by several variations of
# it: of 3,200 pairs of a cloud and a request 1,700 differed, and of the requests a third. Here 2,990 of 3,000 differ.
INDEPENDENT = "graphplace-independent"
AVAILABLE_PROVIDERS[INDEPENDENT] = HypothesisProvider


def on_random_clouds(
    database: Database,
    number: int,
    requests_each: int,
    check: Callable[[Oracle, CandidateRequest, st.DataObject], None],
    requests: Callable[[tuple[Provider, ...]], st.SearchStrategy[CandidateRequest]] = requests,
) -> None:
    """Write a *number* of clouds into *database*, one in place of another, and call *check* for *requests* on each.

    What *check* raises is shrunk; the cloud is shown as text, and the requests as queries, the last one the culprit.
    """

    @settings(max_examples=number, backend=INDEPENDENT)
    @given(data=st.data())
    def on_random_cloud(data: st.DataObject) -> None:
        cloud = data.draw(clouds())
        note(write_cloud(cloud))
        write_graph(database, cloud)
        for _ in range(requests_each):
            request = data.draw(requests(cloud))
            note(to_query(request))
            check(Oracle(cloud, KNOWN), request, data)

    on_random_cloud()


def expected_of(oracle: Oracle, request: CandidateRequest, ask: Callable[[], object]) -> Answer | str:
    """Return the oracle's answer, or else what kind of request it is: one that it refuses, *ask* has to refuse too."""
    try:
        return oracle.answer(request)
    except RefusedError:
        with pytest.raises(BadRequestError):
            ask()
        return "refused"
    except TooManyError:
        return "too many to try"
