"""Allocation candidates over HTTP."""

from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Any

from flask import Response, request
from graphplace.api import metrics
from graphplace.api.context import database, memory, settings
from graphplace.api.features import Feature
from graphplace.api.responses import json_response, now
from graphplace.api.syntax import syntax
from graphplace.api.version import only_served, serves

from graphplace.candidates.find import Candidates, find_candidates
from graphplace.candidates.overlay import AS_IT_IS, Overlay
from graphplace.explain import explain as explanations
from graphplace.request.model import CandidateRequest
from graphplace.request.parse import parse_candidate_request
from graphplace.request.query import decode_query
from graphplace.what_if.document import read_changes
from graphplace.what_if.suppose import suppose

HOST = "host"
"""The parameter that names a provider to explanations."""

_SINCE = {
    "mappings": Feature.MAPPINGS,
    "traits": Feature.TRAITS_SUMMARISED,
    "parent_provider_uuid": Feature.NESTED_CANDIDATES,
    "root_provider_uuid": Feature.NESTED_CANDIDATES,
}


def index() -> Response:
    """Answer with the candidates for the query's request groups, and with summaries of their providers."""
    wanted = read_request(decode_query(request.query_string))
    found = find_candidates(database(), wanted, settings(), memory=memory())
    metrics.CANDIDATES.observe(len(found.allocation_requests))
    return json_response(_document(found, wanted), last_modified=now())


def what_if(body: dict[str, Any]) -> Response:
    """Answer with the candidates that there would be if what the body says were so."""
    wanted = read_request(decode_query(request.query_string))
    overlay = suppose(database(), read_changes(body))
    found = find_candidates(database(), wanted, settings(), overlay)
    return json_response(_document(found, wanted), last_modified=now())


def explain() -> Response:
    """Answer with why the query has the candidates that it has, or none."""
    return _explanation(AS_IT_IS)


def explain_what_if(body: dict[str, Any]) -> Response:
    """Answer with why the query would have the candidates that it would have if what the body says were so."""
    return _explanation(suppose(database(), read_changes(body)))


def _explanation(overlay: Overlay) -> Response:
    pairs = decode_query(request.query_string)
    hosts = [value for key, value in pairs if key == HOST]
    wanted = read_request([pair for pair in pairs if pair[0] != HOST])
    explanation = explanations.explain(database(), wanted, settings(), hosts[-1] if hosts else None, overlay)
    return json_response(asdict(explanation), last_modified=now())


def read_request(pairs: Iterable[tuple[str, str]]) -> CandidateRequest:
    """Return what a query asks for, as the version of the request has it. Raises BadRequestError."""
    wanted = parse_candidate_request(pairs, syntax())
    return replace(wanted, nested=serves(Feature.NESTED_CANDIDATES))


def _document(found: Candidates, wanted: CandidateRequest) -> dict[str, Any]:
    """Return what was found as the version of the request has it."""
    # The last change of form: answers are large, so what is right already is not gone through.
    if serves(Feature.MAPPINGS):
        return {"allocation_requests": found.allocation_requests, "provider_summaries": found.provider_summaries}
    return {
        "allocation_requests": [_allocation_request(one) for one in found.allocation_requests],
        "provider_summaries": _summaries(found, wanted),
    }


def _allocation_request(found: dict[str, Any]) -> dict[str, Any]:
    if serves(Feature.ALLOCATIONS_BY_PROVIDER):
        return only_served(found, _SINCE)
    gifts = found["allocations"].items()
    return {"allocations": [{"resource_provider": {"uuid": uuid}, **gift} for uuid, gift in gifts]}


def _summaries(found: Candidates, wanted: CandidateRequest) -> dict[str, Any]:
    """Return the summaries; those of all providers of a tree only since a candidate may use several of them."""
    summaries = found.provider_summaries
    if not serves(Feature.NESTED_CANDIDATES):
        used = {uuid for one in found.allocation_requests for uuid in one["allocations"]}
        summaries = {uuid: summary for uuid, summary in summaries.items() if uuid in used}
    requested = {name for group in wanted.groups for name, _ in group.resources}
    if not serves(Feature.ALL_CLASSES_SUMMARISED):
        summaries = {uuid: _with_classes(summary, requested) for uuid, summary in summaries.items()}
    return {uuid: only_served(summary, _SINCE) for uuid, summary in summaries.items()}


def _with_classes(summary: dict[str, Any], names: set[str]) -> dict[str, Any]:
    return summary | {"resources": {name: one for name, one in summary["resources"].items() if name in names}}
