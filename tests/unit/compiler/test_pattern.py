"""The pattern form as text."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from candidate_requests import extended_requests, requests
from hypothesis import given
from hypothesis import strategies as st

from graphplace.compiler.pattern import compile_pattern
from graphplace.request.model import CandidateRequest, RequestGroup, SameSubtree

LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')
HARMFUL = [
    '"',
    "'",
    "\\",
    "\n",
    "\r\n",
    "\u2028",
    "\\u000a",
    "\\u0022",
    "//",
    "*/",
    ";",
    "`",
    "{",
    "}",
    "$x",
    "é🙂",
    "\0",
]


def renamed(request: CandidateRequest, rename: Callable[[str], str]) -> CandidateRequest:
    """Give other names to every class, trait, aggregate, provider and group of *request*."""

    def all_of(names: frozenset[str]) -> frozenset[str]:
        return frozenset(rename(name) for name in names)

    return replace(
        request,
        groups=tuple(
            RequestGroup(
                suffix=group.suffix and rename(group.suffix),
                resources=tuple((rename(name), amount) for name, amount in group.resources),
                required=tuple(all_of(any_of) for any_of in group.required),
                forbidden=all_of(group.forbidden),
                member_of=tuple(all_of(any_of) for any_of in group.member_of),
                forbidden_aggregates=all_of(group.forbidden_aggregates),
                in_tree=group.in_tree and rename(group.in_tree),
            )
            for group in request.groups
        ),
        isolated=tuple(rename(suffix) for suffix in request.isolated),
        same_subtrees=tuple(
            SameSubtree(
                tuple(rename(suffix) for suffix in subtree.suffixes),
                tuple(rename(suffix) for suffix in subtree.excluded),
            )
            for subtree in request.same_subtrees
        ),
        root_required=all_of(request.root_required),
        root_forbidden=all_of(request.root_forbidden),
        root_member_of=tuple(all_of(any_of) for any_of in request.root_member_of),
        root_forbidden_aggregates=all_of(request.root_forbidden_aggregates),
        can_split=tuple(rename(name) for name in request.can_split),
    )


def skeleton(text: str) -> list[str]:
    """Return what Neo4j parses of *text*: its lines without what comments say and literals contain."""
    return [line[:2] if line.startswith("//") else LITERAL.sub('""', line) for line in text.splitlines()]


@given(requests() | extended_requests(), st.lists(st.sampled_from(HARMFUL), min_size=1).map("".join))
def test_no_name_changes_anything_but_literals_and_comments(request: CandidateRequest, harmful: str) -> None:
    text = compile_pattern(renamed(request, lambda name: harmful + name))
    assert skeleton(text) == skeleton(compile_pattern(request))
    for line in text.splitlines():
        assert line.isascii()
        assert not set("\\\"'`;").intersection(LITERAL.sub("", line).removesuffix("AS paths;"))


@pytest.mark.parametrize("amount", [2**31, 2**63, 10**30])
def test_no_integer_is_too_large_for_neo4j(amount: int) -> None:
    group = RequestGroup(suffix="1", resources=(("VCPU", amount),))
    text = compile_pattern(CandidateRequest(groups=(group,), limit=amount))
    code = [line for line in text.splitlines() if not line.startswith("//")]
    assert max(int(number) for line in code for number in re.findall(r"\b\d+\b", line)) < 2**63
    assert f"with {amount} VCPU free" in text


def test_a_limit_stands_in_the_statement() -> None:
    group = RequestGroup(resources=(("VCPU", 1),))
    assert "\nLIMIT 10\n" in compile_pattern(CandidateRequest(groups=(group,), limit=10))
    assert "LIMIT" not in compile_pattern(CandidateRequest(groups=(group,)))
