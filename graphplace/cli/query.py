"""Requests for candidates as the command line takes them."""

import os

from graphplace.request.model import CandidateRequest
from graphplace.request.parse import parse_candidate_request
from graphplace.request.query import decode_query
from graphplace.request.syntax import EXTENDED


def read_query(query: str) -> CandidateRequest:
    """Return the request that *query* makes, a query string of GET /allocation_candidates with all extensions.

    A question mark before it is left out. Raises BadRequestError.
    """
    return parse_candidate_request(decode_query(os.fsencode(query.removeprefix("?"))), EXTENDED)
