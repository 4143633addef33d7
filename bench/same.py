"""Whether two servers say the same: every order that has no meaning is taken away."""

import json
from http import HTTPStatus
from typing import Any

from asking import claim
from cases import Case
from client import Client, Request
from clouds import uuid_of

LIMIT = "&limit="


def normal(value: Any) -> Any:
    """Return *value* with all its lists put in order."""
    if isinstance(value, dict):
        return {name: normal(one) for name, one in value.items()}
    if isinstance(value, list):
        return sorted(map(normal, value), key=key)
    return value


def key(value: Any) -> str:
    """Return a text that is the same for equal values."""
    return json.dumps(value, sort_keys=True)


def compared(case: Case, ours: Client, theirs: Client) -> str:
    """Return how graphplace's candidates for *case* compare with Placement's, in words.

    With all candidates of both, those with a limit must be among them and as many as Placement gives. Where Placement
    cannot give all of them, each of graphplace's is claimed there, and the claim released. Raises ValueError when
    something differs.
    """
    path = case.request(0).path
    limited = ours.get(path).json()["allocation_requests"]
    if not case.complete:
        for number, one in enumerate(limited):
            _claim(theirs, uuid_of(f"claim{number}"), one)
        return "claimable" if limited else "none"
    everything = path.partition(LIMIT)[0]
    mine, full = (normal(client.get(everything).json()) for client in (ours, theirs))
    require_equal(case, mine, full)
    known = {key(one) for one in full["allocation_requests"]}
    if LIMIT in path:
        wanted = len(theirs.get(path).json()["allocation_requests"])
        if len(limited) != wanted or not known.issuperset(key(normal(one)) for one in limited):
            raise ValueError(f"{case.name}: {len(limited)} candidates, {wanted} of Placement, or others")
    return "equal"


def require_equal(case: Case, ours: Any, theirs: Any) -> None:
    """Raise ValueError when two bodies differ."""
    if normal(ours) != normal(theirs):
        raise ValueError(f"{case.name}: the answers differ:\n{str(ours)[:2000]}\n{str(theirs)[:2000]}")


def _claim(client: Client, consumer: str, candidate: dict[str, Any]) -> None:
    amounts = {uuid: entry["resources"] for uuid, entry in candidate["allocations"].items()}
    for request in (
        Request("PUT", f"/allocations/{consumer}", claim(amounts)),
        Request("DELETE", f"/allocations/{consumer}"),
    ):
        answer = client.send(request)
        if answer.status != HTTPStatus.NO_CONTENT:
            raise ValueError(f"Placement does not grant {candidate}: {answer.status} {answer.body.decode()}")
