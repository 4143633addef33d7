"""From the pairs of a decoded query string to a CandidateRequest, with every refusal that needs no graph.

The rules are those of Placement: suffixes, resourceless groups and ``same_subtree`` as
in the specification "Getting On The Nested Magic Train 1", everything else as in its API reference. What goes
beyond Placement is described in docs/extensions.md.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from graphplace.errors import BadRequestError, Code
from graphplace.request.checks import check
from graphplace.request.model import CandidateRequest, GroupPolicy, RequestGroup, SameSubtree
from graphplace.request.syntax import GROUP_PARAMETERS, NEWEST, Syntax
from graphplace.request.values import (
    FORBIDDEN,
    parse_in_tree,
    parse_member_of,
    parse_required,
    parse_resources,
    parse_traits,
)
from graphplace.validation import Validator

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
    _validator(syntax).check(last, "Invalid query string parameters")
    root_required, root_forbidden = _root_traits(values.get("root_required", []))
    root_member_of, root_forbidden_aggregates = parse_member_of(values.get("root_member_of", []), name="root_member_of")
    request = CandidateRequest(
        groups=_groups(values, syntax),
        group_policy=_group_policy(values.get("group_policy", [])),
        isolated=_isolated(values.get("isolate", [])),
        same_subtrees=tuple(_same_subtree(value, syntax) for value in values.get("same_subtree", [])),
        root_required=root_required,
        root_forbidden=root_forbidden,
        root_member_of=root_member_of,
        root_forbidden_aggregates=root_forbidden_aggregates,
        can_split=_can_split(values.get("can_split", [])),
        limit=_limit(values.get("limit", [])),
    )
    check(request, syntax)
    return request


@cache
def _validator(syntax: Syntax) -> Validator:
    return Validator(query_schema(syntax))


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
    required, forbidden = parse_traits(_only("root_required", values))
    if conflicts := forbidden.intersection(required):
        raise BadRequestError(
            f"Conflicting required and forbidden traits found in root_required: {', '.join(sorted(conflicts))}",
            Code.QUERY_BAD_VALUE,
        )
    return frozenset(required), forbidden


def _same_subtree(value: str, syntax: Syntax) -> SameSubtree:
    listed = _listed("same_subtree", value)
    if not syntax.excluded_groups:
        return SameSubtree(listed)
    excluded = [suffix for suffix in listed if suffix.startswith(FORBIDDEN)]
    return SameSubtree(
        tuple(suffix for suffix in listed if suffix not in excluded),
        _listed("same_subtree", ",".join(suffix.removeprefix(FORBIDDEN) for suffix in excluded)) if excluded else (),
    )


def _isolated(values: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(suffix for value in values for suffix in _listed("isolate", value)))


def _listed(name: str, value: str) -> tuple[str, ...]:
    """Return the suffixes in one value of the parameter *name*, each once."""
    suffixes = tuple(dict.fromkeys(suffix.strip() for suffix in value.split(",")))
    if "" in suffixes:
        raise BadRequestError(f"Empty string (unsuffixed group) can not be specified in `{name}`", Code.QUERY_BAD_VALUE)
    return suffixes


def _can_split(values: list[str]) -> tuple[str, ...]:
    if not values:
        return ()
    return tuple(dict.fromkeys(name.strip() for name in _only("can_split", values).split(",")))


def _only(name: str, values: list[str]) -> str:
    """Return the value of a parameter that must not be repeated."""
    if len(values) > 1:
        raise BadRequestError(f"Query parameter '{name}' may be specified only once.", Code.QUERY_DUPLICATE_KEY)
    return values[0]
