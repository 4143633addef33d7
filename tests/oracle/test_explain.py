"""Explanations against the oracle, on random small clouds: what is counted, and what is said.

GRAPHPLACE_TEST_EXPLAINED_CLOUDS says on how many clouds; pytest's --hypothesis-seed which ones.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import pytest
from cloud import Provider
from hypothesis import strategies as st
from oracle.cases import ANY_TIME, expected_of, on_random_clouds
from oracle.changes import applied, write_consumers
from oracle.counting import Counting
from oracle.extended_requests import extended_requests
from oracle.oracle import Oracle, RefusedError, TooManyError
from oracle.requests import requests

from graphplace.candidates.overlay import AS_IT_IS, Overlay
from graphplace.compiler.constraints.summed_capacity import SUMMED
from graphplace.compiler.constraints.traits import COLLECTIVE
from graphplace.explain.changes import MOST_ASKED
from graphplace.explain.counts import Step
from graphplace.explain.explain import Explanation, explain
from graphplace.explain.number import MOST_COUNTED, Number
from graphplace.explain.reasons import CAN_SPLIT, IN_TREE, ONE_TREE
from graphplace.graph.database import Database
from graphplace.request.model import CandidateRequest
from graphplace.request.parse import parse_candidate_request
from graphplace.request.query import decode_query
from graphplace.request.syntax import EXTENDED
from graphplace.what_if.changes import Changes

CLOUDS = int(os.environ.get("GRAPHPLACE_TEST_EXPLAINED_CLOUDS", "40"))
REQUESTS_PER_CLOUD = 5

Requests = Callable[[tuple[Provider, ...]], st.SearchStrategy[CandidateRequest]]


@pytest.mark.parametrize("kind", [requests, extended_requests])
def test_an_explanation_counts_what_the_oracle_counts(named: Database, kind: Requests) -> None:
    tally: Counter[str] = Counter()

    def check(oracle: Oracle, request: CandidateRequest, _data: st.DataObject) -> None:
        write_consumers(named, tuple(oracle.providers.values()))
        tally[compare(named, oracle, request)] += 1

    on_random_clouds(named, CLOUDS, REQUESTS_PER_CLOUD, check, kind)
    print(f"{CLOUDS} clouds, {tally.total()} requests: {dict(tally)}")


@pytest.mark.parametrize("kind", [requests, extended_requests])
def test_a_provider_is_in_a_candidate_or_there_is_a_reason_why_not(named: Database, kind: Requests) -> None:
    tally: Counter[str] = Counter()

    def check(oracle: Oracle, request: CandidateRequest, data: st.DataObject) -> None:
        host = data.draw(st.sampled_from(sorted(oracle.providers)))
        tally[check_host(named, oracle, request, host)] += 1

    on_random_clouds(named, CLOUDS, REQUESTS_PER_CLOUD, check, kind)
    print(f"{CLOUDS} clouds, {tally.total()} requests: {dict(tally)}")


def check_host(database: Database, oracle: Oracle, request: CandidateRequest, host: str) -> str:
    """Compare what is said of *host* with the candidates of the oracle. Returns what kind of request it is."""
    expected = expected_of(oracle, request, lambda: explain(database, request, ANY_TIME, host))
    if isinstance(expected, str):
        return expected
    found = explain(database, request, ANY_TIME, host).host
    assert found is not None
    used = {uuid for gifts, mappings in expected.anchors for uuid in used_by(gifts, mappings)}
    is_root = oracle.providers[host].parent is None
    its_own = {uuid for uuid in oracle.providers if oracle.root(uuid) == host} if is_root else {host}
    assert (found.verdict == "no candidate") == used.isdisjoint(its_own)
    assert bool(found.reasons) == (found.verdict == "no candidate")
    flat = explain(database, replace(request, nested=False), ANY_TIME, host).host
    assert flat is not None
    assert bool(flat.reasons) == (flat.verdict == "no candidate")
    for reason in found.reasons:
        if reason.about == CAN_SPLIT:
            counting = Counting(oracle, request)
            assert not any(counting.can_give_parts(root) for root in counting.roots_with_all() if root == host)
    return found.verdict


def used_by(gifts: Iterable[tuple[tuple[str, str], int]], mappings: Iterable[tuple[str, Iterable[str]]]) -> set[str]:
    """Return the providers of a candidate, those of groups without resources too."""
    return {uuid for (uuid, _), _ in gifts} | {uuid for _, uuids in mappings for uuid in uuids}


def compare(database: Database, oracle: Oracle, request: CandidateRequest, overlay: Overlay = AS_IT_IS) -> str:
    """Compare the explanation of *request* with what the oracle says. Returns what kind it is."""
    expected = expected_of(oracle, request, lambda: explain(database, request, ANY_TIME, overlay=overlay))
    if isinstance(expected, str):
        return expected
    explanation = explain(database, request, ANY_TIME, overlay=overlay)
    check_counts(explanation, Counting(oracle, request))
    assert explanation.candidates == counted(len(expected.anchors))
    if expected.anchors:
        assert explanation.if_empty is None
        assert not explanation.reasons
        assert not explanation.changes
        return "with candidates"
    check_reasons(explanation, oracle, request)
    check_changes(explanation, oracle, overlay)
    try:
        possible = len(Oracle(emptied(oracle), oracle.known).answer(request).anchors)
    except RefusedError:
        possible = 0
    except TooManyError:
        return "without, too many to try if all were empty"
    assert explanation.if_empty == counted(possible)
    return "without now" if possible else "without ever"


def check_reasons(explanation: Explanation, oracle: Oracle, request: CandidateRequest) -> None:
    """There is a reason, and each is true: nobody is left, or there are candidates without what is named."""
    expected = Counting(oracle, request)
    counts = [expected.remaining_roots(), *(expected.remaining(slot) for slot in expected.slots())]
    lost = {name for remaining in counts for name, number in remaining.items() if not number}
    assert explanation.reasons
    for reason in explanation.reasons:
        if reason.about == ONE_TREE:
            assert not expected.roots_with_all()
        elif reason.about == CAN_SPLIT:
            assert not any(map(expected.can_give_parts, expected.roots_with_all()))
        else:
            assert reason.about in lost or has_answer(oracle, request, reason.about)


def check_changes(explanation: Explanation, oracle: Oracle, overlay: Overlay) -> None:
    """Each change gives as many candidates as it says."""
    assert explanation.gave_up is None or str(MOST_ASKED) in explanation.gave_up
    for change in explanation.changes:
        if change.consumers_gone and overlay.providers:
            # Who holds what in a cloud that is supposed is not known here.
            continue
        changed = parse_candidate_request(decode_query(change.query.encode()), EXTENDED)
        gone = Changes(consumers_gone=frozenset(change.consumers_gone))
        without = Oracle(applied(tuple(oracle.providers.values()), gone), oracle.known)
        assert change.candidates.count
        try:
            assert change.candidates == counted(len(without.answer(changed).anchors))
        except TooManyError:
            continue


class UnsummedOracle(Oracle):
    """Lets a provider give for several groups what it can give for each."""

    def can_give(self, uuid: str, name: str, amount: int) -> bool:
        return True


def has_answer(oracle: Oracle, request: CandidateRequest, about: str) -> bool:
    """Tell whether *request* has candidates without what *about* names."""
    parts = about.split(" and ")
    if SUMMED in parts:
        parts.remove(SUMMED)
        oracle = UnsummedOracle(tuple(oracle.providers.values()), oracle.known)
    for part in parts:
        request = without(request, part)
    try:
        return bool(oracle.answer(request).anchors)
    except TooManyError:
        return True


def without(request: CandidateRequest, about: str) -> CandidateRequest:
    name, _, value = about.partition("=")
    if name in ("group_policy", "isolate"):
        return replace(request, group_policy=None, isolated=())
    if name == "same_subtree":
        others = tuple(
            one
            for one in request.same_subtrees
            if {*one.suffixes, *(f"!{suffix}" for suffix in one.excluded)} != {*value.split(",")}
        )
        return replace(request, same_subtrees=others)
    if name == IN_TREE:
        # Of a group that asks for no resources; of others it is a condition that is lost.
        groups = tuple(group if group.resources else replace(group, in_tree=None) for group in request.groups)
        return replace(request, groups=groups)
    assert about == COLLECTIVE
    groups = tuple(group if group.suffix else replace(group, required=()) for group in request.groups)
    return replace(request, groups=groups)


def counted(number: int) -> Number:
    return Number(min(number, MOST_COUNTED), number > MOST_COUNTED)


def emptied(oracle: Oracle) -> tuple[Provider, ...]:
    """Return the cloud of the oracle with nothing allocated."""
    return tuple(
        replace(provider, inventories={name: replace(stock, used=0) for name, stock in provider.inventories.items()})
        for provider in oracle.providers.values()
    )


def check_counts(explanation: Explanation, expected: Counting) -> None:
    counts = explanation.counts
    assert counts is not None
    assert counts.trees == len(expected.all_roots())
    check_steps(counts.roots, expected.remaining_roots())
    slots = expected.slots()
    assert [(group.suffix, tuple(group.resources.items())) for group in counts.groups] == [
        (group.suffix, resources) for group, resources in slots
    ]
    for group, slot in zip(counts.groups, slots, strict=True):
        check_steps(group.conditions, expected.remaining(slot))
        assert all(miss.lacks and all(miss.lacks) for miss in group.nearest)


def check_steps(steps: Sequence[Step], expected: dict[str, int]) -> None:
    """A condition that is not listed takes nobody away."""
    listed = {step.condition: step.remaining for step in steps}
    for (name, remaining), before in zip(expected.items(), [None, *expected.values()], strict=False):
        assert listed.get(name, before) in (remaining, None)
