"""One random session: the same requests to graphplace and to the reference, until an answer differs."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any
from urllib.parse import parse_qsl

from differential import faults, reads, words, writes
from differential.candidates import candidates
from differential.comparison import difference, headers, normalised
from differential.reads import query
from differential.reference import Reference
from differential.world import Request, World
from flask import Flask, g
from graphplace.api.syntax import syntax
from microversion_parse import Version
from oracle.oracle import TooManyError
from werkzeug.test import Client, TestResponse

from graphplace.request.model import CandidateRequest
from graphplace.request.parse import parse_candidate_request
from graphplace.request.query import decode_query

# After the cloud is built.
WRITES_AND_READS = 40
CANDIDATES = 30
CANDIDATES_PATH = "/allocation_candidates"
OK = 200


class DifferenceError(Exception):
    """An answer of graphplace is not as that of the reference; says which after all that was asked before."""


class Session:
    """Both servers, which have the same state, and what they were asked so far. ``tally`` counts kinds of answers."""

    def __init__(self, app: Flask, reference: Reference, rng: Random, tally: Counter[str]) -> None:
        self.app = app
        # Flask's own would sort the keys of bodies, of which the first fault is told.
        self.ours = Client(app)
        self.reference = reference
        self.world = World(rng, self.look)
        self.tally = tally
        self.asked: list[Request] = []
        self._seen: dict[str, Any] = {}

    def run(self) -> None:
        """Build a cloud, change and read it, and ask for candidates. Raises DifferenceError."""
        for request in writes.build(self.world):
            self.compare(request)
        for _ in range(WRITES_AND_READS):
            self.compare(self.world.one([writes.any_write, reads.any_read])(self.world))
        for _ in range(CANDIDATES):
            self.compare(candidates(self.world))

    def look(self, path: str) -> Any:
        """Return the JSON that the reference has at *path*, None if it has nothing there."""
        if path not in self._seen:
            answer = send(self.reference.client, Request("GET", path, words.NEWEST))
            self._seen[path] = answer.get_json() if answer.status_code == OK else None
        return self._seen[path]

    def compare(self, request: Request) -> None:
        """Send *request* to both. Raises DifferenceError unless both answer alike, or the reference is known to err."""
        self.asked.append(request)
        if request.method != "GET":
            self._seen.clear()
        theirs, ours = send(self.reference.client, request), send(self.ours, request)
        self.tally["requests"] += 1
        if request.path.startswith(CANDIDATES_PATH):
            self.tally["for candidates"] += 1
            found = self.compare_candidates(request, theirs, ours)
        else:
            found = difference(request, theirs, ours)
        if found:
            raise DifferenceError("\n".join([*map(str, self.asked), found, "theirs", theirs.text, "ours", ours.text]))
        if request.method != "GET":
            self.reference.forget_idle_consumers()

    def compare_candidates(self, request: Request, theirs: TestResponse, ours: TestResponse) -> str | None:
        """Say in what answers with candidates differ; with a limit, they are some of all that there are without."""
        if ours.status_code != OK:
            return difference(request, theirs, ours)
        path, _, text = request.path.partition("?")
        pairs = parse_qsl(text, keep_blank_values=True)
        limits = [value for key, value in pairs if key == "limit"]
        if not limits:
            self.tally["with candidates"] += bool(ours.get_json()["allocation_requests"])
            found = difference(request, theirs, ours)
            return found and (None if self.reference_errs(request, ours) else found)
        whole = replace(request, path=query(path, [pair for pair in pairs if pair[0] != "limit"]))
        every = send(self.ours, whole)
        return (
            self.compare_candidates(whole, send(self.reference.client, whole), every)
            or next((name for name, expected, found in headers(request, theirs, ours) if expected != found), None)
            or not_among(ours.get_json(), every.get_json(), int(limits[0]))
        )

    def reference_errs(self, request: Request, ours: TestResponse) -> bool:
        """Tell whether the oracle finds what graphplace found, where the reference is known to err."""
        wanted = self.understood(request)
        if not faults.is_prone(self.world, wanted):
            return False
        try:
            right = faults.is_right(self.world, wanted, request.version, ours.get_json())
        except TooManyError:
            self.tally["too many to try"] += 1
            return True
        self.tally["where the reference errs"] += right
        return right

    def understood(self, request: Request) -> CandidateRequest:
        """Return *request* as its version means it."""
        with self.app.test_request_context():
            g.microversion = Version(1, request.version)
            return parse_candidate_request(decode_query(request.path.partition("?")[2].encode()), syntax())


def not_among(limited: dict[str, Any], every: dict[str, Any], limit: int) -> str | None:
    """Say in what *limited* is not *limit* candidates of *every*."""
    found, whole = (normalised(one["allocation_requests"]) for one in (limited, every))
    if len(found) != min(limit, len(whole)):
        return f"{len(found)} candidates of {len(whole)} at a limit of {limit}"
    if any(one not in whole for one in found):
        return "a candidate that is none without a limit"
    summaries, all_summaries = (normalised(one["provider_summaries"]) for one in (limited, every))
    return None if summaries.items() <= all_summaries.items() else "summaries that are none without a limit"


def send(client: Client, request: Request) -> TestResponse:
    """Send *request* as one who may do everything."""
    headers = {
        "X-Auth-Token": "admin",
        "X-Roles": "admin,service",
        "OpenStack-API-Version": f"placement 1.{request.version}",
    }
    return client.open(request.path, method=request.method, json=request.body, headers=headers)
