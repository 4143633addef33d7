"""From the pairs of a decoded query string to a CandidateRequest, with every refusal that needs no graph.

The rules are those of Placement: suffixes, resourceless groups and ``same_subtree`` as
in the specification "Getting On The Nested Magic Train 1", everything else as in its API reference.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

import jsonschema

from graphplace.errors import BadRequestError, Code
from graphplace.request.model import CandidateRequest, GroupPolicy, RequestGroup
from graphplace.request.syntax import GROUP_PARAMETERS, NEWEST, Syntax
from graphplace.request.values import (
    contradictions,
    parse_in_tree,
    parse_member_of,
    parse_required,
    parse_resources,
    parse_traits,
)
from graphplace.validation import check_against

GREATEST_LIMIT = 2**31
LIMIT_PATTERN = "^[1-9][0-9]*$"


@cache
def query_schema(syntax: Syntax) -> dict[str, Any]:
    """Return the keys of a query in *syntax*, and the last value of each, as JSON Schema."""
    texts = {
        "limit": {"type": "string", "pattern": LIMIT_PATTERN},
        "group_policy": {"type": "string", "enum": ["none", "isolate"]},
    }
    properties = {name: texts.get(name, {"type": "string"}) for name in sorted(syntax.parameters)}
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if syntax.suffix is None:
        return schema | {"required": ["resources"]}
    grouped = {name: properties.pop(name) for name in GROUP_PARAMETERS if name in properties}
    return schema | {"patternProperties": {f"^{name}({syntax.suffix})?$": one for name, one in grouped.items()}}


def parse_candidate_request(pairs: Iterable[tuple[str, str]], syntax: Syntax = NEWEST) -> CandidateRequest:
    """Read the decoded keys and values of a query string, in the order in which they are written.

    Raises BadRequestError, with the code of Placement, for a key or value that it refuses.
    """
    values: dict[str, list[str]] = {}
    for key, value in pairs:
        values.setdefault(key, []).append(value)
    last = {key: repeated[-1] for key, repeated in values.items()}
    check_against(last, _validator(syntax), "Invalid query string parameters")
    root_required, root_forbidden = _root_traits(values.get("root_required", []))
    request = CandidateRequest(
        groups=_groups(values, syntax),
        group_policy=_group_policy(values.get("group_policy", [])),
        same_subtrees=tuple(_suffixes(value) for value in values.get("same_subtree", [])),
        root_required=root_required,
        root_forbidden=root_forbidden,
        limit=_limit(values.get("limit", [])),
    )
    if "same_subtree" in syntax.parameters:
        _check_resourceless(request)
        _check_suffixes(request)
    else:
        _check_orphans(request)
    _check_contradictions(request)
    _check_group_policy(request)
    return request


@cache
def _validator(syntax: Syntax) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(query_schema(syntax))


def _groups(values: dict[str, list[str]], syntax: Syntax) -> tuple[RequestGroup, ...]:
    group_key = re.compile(f"({'|'.join(GROUP_PARAMETERS)})({syntax.suffix or ''})?")
    suffixes: dict[str, None] = {}
    for key in values:
        if match := group_key.fullmatch(key):
            suffixes[match[2] or ""] = None
    return tuple(_group(suffix, values, syntax) for suffix in suffixes)


def _group(suffix: str, values: dict[str, list[str]], syntax: Syntax) -> RequestGroup:
    resources = values.get(f"resources{suffix}", [])
    trees = values.get(f"in_tree{suffix}", [])
    required, forbidden = parse_required(values.get(f"required{suffix}", []), syntax)
    member_of, forbidden_aggregates = parse_member_of(values.get(f"member_of{suffix}", []), syntax, suffix=suffix)
    return RequestGroup(
        suffix=suffix,
        resources=[parse_resources(value) for value in resources][-1] if resources else (),
        required=required,
        forbidden=forbidden,
        member_of=member_of,
        forbidden_aggregates=forbidden_aggregates,
        in_tree=[parse_in_tree(value) for value in trees][-1] if trees else None,
    )


def _group_policy(values: list[str]) -> GroupPolicy | None:
    """Of a repeated policy the first counts; only the last one is checked, so the first may be any text."""
    if not values:
        return None
    return "isolate" if values[0] == "isolate" else "none"


def _limit(values: list[str]) -> int | None:
    """Of a repeated limit the first counts. One beyond all answers is as good as GREATEST_LIMIT."""
    if not values:
        return None
    try:
        limit = int(values[0])
    except ValueError:
        limit = 0
    if limit < 1:
        raise BadRequestError(
            f"Invalid query string parameters: 'limit' must be a positive integer. Got: {values[0][:80]}"
        )
    return min(limit, GREATEST_LIMIT)


def _root_traits(values: list[str]) -> tuple[frozenset[str], frozenset[str]]:
    if not values:
        return frozenset(), frozenset()
    if len(values) > 1:
        raise BadRequestError("Query parameter 'root_required' may be specified only once.", Code.QUERY_DUPLICATE_KEY)
    required, forbidden = parse_traits(values[0])
    if conflicts := forbidden.intersection(required):
        raise BadRequestError(
            f"Conflicting required and forbidden traits found in root_required: {', '.join(sorted(conflicts))}",
            Code.QUERY_BAD_VALUE,
        )
    return frozenset(required), forbidden


def _suffixes(value: str) -> tuple[str, ...]:
    suffixes = tuple(dict.fromkeys(suffix.strip() for suffix in value.split(",")))
    if "" in suffixes:
        raise BadRequestError(
            "Empty string (unsuffixed group) can not be specified in `same_subtree`", Code.QUERY_BAD_VALUE
        )
    return suffixes


def _check_orphans(request: CandidateRequest) -> None:
    """Refuse groups without resources, as before microversion 1.36."""
    resourceless = [group for group in request.groups if not group.resources]
    if traits := [f"required{group.suffix}" for group in resourceless if group.required]:
        raise BadRequestError(
            "All traits parameters must be associated with resources.  Found the following orphaned traits keys: "
            f"{', '.join(traits)}"
        )
    if aggregates := [
        f"member_of{group.suffix}" for group in resourceless if group.member_of or group.forbidden_aggregates
    ]:
        raise BadRequestError(
            "All member_of parameters must be associated with resources. Found the following orphaned member_of keys: "
            f"{', '.join(aggregates)}"
        )
    if resourceless:
        raise BadRequestError("All request groups must specify resources.")
    if not request.groups:
        raise BadRequestError("At least one request group (`resources` or `resources{$S}`) is required.")


def _check_resourceless(request: CandidateRequest) -> None:
    resourceless = [group.suffix for group in request.groups if not group.resources]
    if len(resourceless) == len(request.groups):
        raise BadRequestError(
            "There must be at least one resources or resources[$S] parameter.", Code.QUERY_MISSING_VALUE
        )
    named = {suffix for subtree in request.same_subtrees for suffix in subtree}
    if alone := [suffix for suffix in resourceless if suffix not in named]:
        raise BadRequestError(
            "Resourceless suffixed group request should be specified in `same_subtree` query param: "
            f"bad group(s) - {alone}.",
            Code.QUERY_BAD_VALUE,
        )


def _check_suffixes(request: CandidateRequest) -> None:
    known = [group.suffix for group in request.groups]
    named = dict.fromkeys(suffix for subtree in request.same_subtrees for suffix in subtree)
    if unknown := [suffix for suffix in named if suffix not in known]:
        raise BadRequestError(
            f"Real suffixes should be specified in `same_subtree`: {unknown} not found in {known}.",
            Code.QUERY_BAD_VALUE,
        )


def _check_contradictions(request: CandidateRequest) -> None:
    conflicts = [
        f"required{group.suffix}: ({', '.join(sorted(any_of))})"
        for group in request.groups
        for any_of in contradictions(group.required, group.forbidden)
    ]
    if conflicts:
        raise BadRequestError(
            "Conflicting required and forbidden traits found in the following traits keys: "
            f"{', '.join(sorted(conflicts))}"
        )


def _check_group_policy(request: CandidateRequest) -> None:
    if request.group_policy is None and sum(bool(group.suffix) for group in request.groups) > 1:
        raise BadRequestError(
            'The "group_policy" parameter is required when specifying more than one "resources{N}" parameter.'
        )
