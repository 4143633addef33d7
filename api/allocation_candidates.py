"""Allocation candidates over HTTP."""

from flask import Response, request
from graphplace.api.context import database
from graphplace.api.responses import json_response, now

from graphplace.candidates.find import find_candidates
from graphplace.request.parse import parse_candidate_request
from graphplace.request.query import decode_query


def index() -> Response:
    """Answer with the candidates for the query's request groups, and with summaries of their providers."""
    wanted = parse_candidate_request(decode_query(request.query_string))
    found = find_candidates(database(), wanted)
    body = {"allocation_requests": found.allocation_requests, "provider_summaries": found.provider_summaries}
    return json_response(body, last_modified=now())
