"""What two answers to the same request have in common, and what not."""

import json
import re
from typing import Any

from differential.world import Request
from werkzeug.test import TestResponse

HEADERS = ("cache-control", "content-type", "location")
# graphplace may say more: the reference leaves these out of some answers.
AT_LEAST = ("openstack-api-version", "vary")
ONLY_PRESENCE = ("x-openstack-request-id",)
# The version that brought last-modified.
DATED = 15
# What clients look for in the detail of an error, and its reader in what jsonschema says. Tokens on one line are the
# same: a body may miss a key and have one too many, a name may be long and wrong, and of two faults either is told.
TOKENS = (
    ("Conflicting resource provider name:",),
    ("consumer generation conflict",),
    ("Unknown resource class",),
    ("No such resource class",),
    ("Cannot delete standard resource class",),
    ("No such resource",),
    ("No such trait",),
    ("No allocations for consumer",),
    ("JSON does not validate",),
    ("Invalid query string parameters",),
    ("Unacceptable version header",),
    ("does not match", "is too long", "should be non-empty"),
    ("is not a 'uuid'",),
    ("has non-unique elements",),
    ("Additional properties are not allowed", "is a required property"),
    ("is not of type",),
)
# Clients tell two kinds of 404 apart by these: what the reference does not say may not be said.
TELLING = ("No resource provider with uuid", "No inventory of class")
# What stands under no name of a class the reference looks at after providers and generations, and fails then.
UNREAD = re.compile(r"On instance(\['inventories'\]\['[^']*'\])?\['inventories'\]\['(?![A-Z0-9_]+'\])")

ERRORS, FAILURES = 400, 500


def difference(request: Request, theirs: TestResponse, ours: TestResponse) -> str | None:
    """Say in what *ours* is not as *theirs*; None when it is the same in all that is promised."""
    if ours.status_code == ERRORS and (
        theirs.status_code >= FAILURES or (theirs.status_code >= ERRORS and UNREAD.search(ours.text))
    ):
        return None
    if theirs.status_code != ours.status_code:
        return f"status {theirs.status_code} is {ours.status_code}"
    for name, expected, found in (*headers(request, theirs, ours), *bodies(request, theirs, ours)):
        if expected != found:
            return f"{name} {expected!r} is {found!r}"
    return None


def headers(request: Request, theirs: TestResponse, ours: TestResponse) -> list[tuple[str, Any, Any]]:
    """Pair up the headers that matter; of a failure of the reference none does."""
    if theirs.status_code >= FAILURES:
        return []
    values = [(name, theirs.headers.get(name), ours.headers.get(name)) for name in HEADERS]
    values += [(name, theirs.headers[name], ours.headers.get(name)) for name in AT_LEAST if name in theirs.headers]
    if theirs.allow:
        values.append(("allow", set(theirs.allow), set(ours.allow)))
    present = [(name, name in theirs.headers, name in ours.headers) for name in ONLY_PRESENCE]
    dated = "last-modified" in theirs.headers or (request.version >= DATED and finds_no_date(request, theirs))
    return [*values, *present, ("last-modified", dated, "last-modified" in ours.headers)]


def finds_no_date(request: Request, theirs: TestResponse) -> bool:
    """Tell whether the reference has none for its answer: of no inventories, of a provider that was never changed."""
    if theirs.status_code >= ERRORS:
        return False
    _, kind, *rest = request.path.split("/")
    of_provider = request.method == "PUT" and kind == "resource_providers" and len(rest) == 1
    return of_provider or (theirs.get_json(silent=True) or {}).get("inventories") == {}


def bodies(request: Request, theirs: TestResponse, ours: TestResponse) -> list[tuple[str, Any, Any]]:
    """Pair up what the bodies say."""
    expected, found = theirs.get_json(silent=True), ours.get_json(silent=True)
    if request.path == "/" and found:
        found.pop("extensions", None)
    if theirs.status_code < ERRORS:
        return (
            [("body", normalised(expected), normalised(found))]
            if expected is not None
            else [("raw body", theirs.data, ours.data)]
        )
    (wanted,), (given,) = expected["errors"], found["errors"]
    return [
        *(
            (name, wanted.get(name), given.get(name))
            for name in ("status", "title", "code", "min_version", "max_version")
        ),
        *(("detail", token in wanted["detail"], token in given["detail"]) for token in TELLING),
        *(("detail", tokens, given["detail"]) for tokens in TOKENS if has(wanted, tokens) and not has(given, tokens)),
    ]


def has(error: dict[str, Any], tokens: tuple[str, ...]) -> bool:
    return any(token in error["detail"] for token in tokens)


def normalised(value: Any) -> Any:
    """Return JSON with every list in one order."""
    if isinstance(value, dict):
        return {key: normalised(one) for key, one in value.items()}
    if isinstance(value, list):
        return sorted((normalised(one) for one in value), key=lambda one: json.dumps(one, sort_keys=True))
    return value
