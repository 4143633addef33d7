"""What graphplace understands beyond Placement: only where it is asked for, and with refusals that teach."""

import re
from urllib.parse import parse_qsl

import pytest
from candidate_requests import extended_requests
from hypothesis import given
from hypothesis import strategies as st

from graphplace.errors import BadRequestError, Code
from graphplace.request.model import CandidateRequest, RequestGroup, SameSubtree
from graphplace.request.parse import parse_candidate_request
from graphplace.request.syntax import EXTENDED, EXTENSION_PARAMETERS, GROUP_PARAMETERS, REQUEST_PARAMETERS
from graphplace.request.write import to_query

A, B, C, D = (f"{digit * 8}-0000-4000-8000-00000000000a" for digit in "abcd")
TWO = "resources_A=VCPU:1&resources_B=VCPU:1"


def parse(query: str) -> CandidateRequest:
    return parse_candidate_request(parse_qsl(query, keep_blank_values=True), EXTENDED)


def test_root_member_of_is_read_as_member_of_is() -> None:
    request = parse(
        f"resources=VCPU:1&root_member_of={A}&root_member_of=in:{A},{B}&root_member_of=!{C}&root_member_of=!in:{C},{D}"
    )
    assert request.root_member_of == (frozenset({A}), frozenset({A, B}))
    assert request.root_forbidden_aggregates == {C, D}


def test_isolate_unites_what_is_listed() -> None:
    assert parse(f"{TWO}&resources_C=VCPU:1&isolate=_A&isolate=_C,_A").isolated == ("_A", "_C")


def test_a_subtree_has_groups_in_it_and_groups_outside() -> None:
    request = parse(f"{TWO}&resources_C=VCPU:1&same_subtree=_A,!_B, !_C ,_A&same_subtree=_B,_C")
    assert request.same_subtrees == (SameSubtree(("_A",), ("_B", "_C")), SameSubtree(("_B", "_C")))


def test_can_split_names_classes_of_the_unsuffixed_group() -> None:
    assert parse("resources=VCPU:8,MEMORY_MB:64,DISK_GB:1&can_split=MEMORY_MB, VCPU").can_split == ("MEMORY_MB", "VCPU")


def test_several_groups_need_no_policy() -> None:
    assert parse(TWO).group_policy is None


def test_the_unsuffixed_group_may_be_without_resources() -> None:
    request = parse("resources_A=VCPU:1&required=HW_A,!HW_B&member_of=" + A)
    assert request.groups[1] == RequestGroup(
        required=(frozenset({"HW_A"}),), forbidden=frozenset({"HW_B"}), member_of=(frozenset({A}),)
    )


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (f"resources=VCPU:1&root_member_of={A}", "'root_member_of' does not match any of the regexes"),
        ("resources_A=VCPU:1&isolate=_A", "'isolate' does not match any of the regexes"),
        ("resources=VCPU:1&can_split=VCPU", "'can_split' does not match any of the regexes"),
        (
            f"{TWO}&group_policy=none&same_subtree=_A,!_B",
            "Real suffixes should be specified in `same_subtree`: ['!_B']",
        ),
        (TWO, 'The "group_policy" parameter is required'),
        ("resources_A=VCPU:1&required=HW_A", "Resourceless suffixed group request should be specified"),
    ],
)
def test_without_the_extension_it_is_refused_as_ever(query: str, words: str) -> None:
    parse(query)
    with pytest.raises(BadRequestError, match=re.escape(words)):
        parse_candidate_request(parse_qsl(query))


BAD_VALUE, TWICE = Code.QUERY_BAD_VALUE, Code.QUERY_DUPLICATE_KEY
REFUSALS = [
    ("resources=VCPU:1&root_member_of=nonsense", Code.UNDEFINED, "'root_member_of' parameter to contain valid UUID(s)"),
    (
        f"resources=VCPU:1&root_member_of={A},{B}",
        Code.UNDEFINED,
        "Multiple values for 'root_member_of' must be prefixed",
    ),
    (f"{TWO}&isolate=_A&group_policy=none", BAD_VALUE, "`isolate` and `group_policy` exclude each other"),
    (f"{TWO}&isolate=_A,_B&group_policy=isolate", BAD_VALUE, "Got: isolate=_A,_B and group_policy=isolate"),
    (
        f"{TWO}&isolate=_A,C",
        BAD_VALUE,
        "Real suffixes should be specified in `isolate`: ['C'] not found in ['_A', '_B']",
    ),
    (f"{TWO}&isolate=", BAD_VALUE, "Empty string (unsuffixed group) can not be specified in `isolate`"),
    (f"{TWO}&isolate=_A&isolate=,", BAD_VALUE, "Empty string (unsuffixed group) can not be specified in `isolate`"),
    (f"{TWO}&same_subtree=!_B", BAD_VALUE, "`same_subtree` needs at least one group without `!`"),
    (f"{TWO}&same_subtree=_A&same_subtree=!_A,!_B", BAD_VALUE, "Got: !_A,!_B"),
    (f"{TWO}&same_subtree=_A,_B,!_A", BAD_VALUE, "['_A'] are named with `!` and without"),
    (f"{TWO}&same_subtree=_A,!_C", BAD_VALUE, "Real suffixes should be specified in `same_subtree`: ['_C'] not found"),
    (
        f"{TWO}&same_subtree=_A,!!_B",
        BAD_VALUE,
        "Real suffixes should be specified in `same_subtree`: ['!_B'] not found",
    ),
    (f"{TWO}&same_subtree=_A,!", BAD_VALUE, "Empty string (unsuffixed group)"),
    (
        "resources_A=VCPU:1&required_R=HW_A&same_subtree=_A,!_R",
        BAD_VALUE,
        "Resourceless suffixed group request should be specified in `same_subtree` query param",
    ),
    ("resources_A=VCPU:1&required_R=HW_A&isolate=_R", BAD_VALUE, "bad group(s) - ['_R']"),
    ("resources=VCPU:1&can_split=MEMORY_MB", BAD_VALUE, "['MEMORY_MB'] not found in ['VCPU']"),
    ("resources_A=VCPU:1&can_split=VCPU", BAD_VALUE, "resource classes of the unsuffixed `resources`"),
    ("resources=VCPU:1&can_split=", BAD_VALUE, "[''] not found in ['VCPU']"),
    ("resources=VCPU:1,DISK_GB:1&can_split=VCPU&can_split=DISK_GB", TWICE, "'can_split' may be specified only once"),
    ("required=HW_A", Code.QUERY_MISSING_VALUE, "There must be at least one resources or resources[$S] parameter."),
]


@pytest.mark.parametrize(("query", "code", "words"), REFUSALS)
def test_refusals_name_the_value(query: str, code: Code, words: str) -> None:
    with pytest.raises(BadRequestError, match=re.escape(words)) as refusal:
        parse(query)
    assert refusal.value.code == code


@given(extended_requests())
def test_a_request_written_as_a_query_reads_as_itself(request: CandidateRequest) -> None:
    assert parse(to_query(request)) == request


KEYS = st.sampled_from([*GROUP_PARAMETERS, *REQUEST_PARAMETERS, *EXTENSION_PARAMETERS])
JUNK = st.text(max_size=20) | st.text(alphabet="VCPU:,!in1_A- \n0", max_size=20)
PAIRS = st.tuples(st.builds(str.__add__, KEYS, st.sampled_from(["", "", "1", "_A"])) | JUNK, JUNK)


@given(st.lists(PAIRS, max_size=4))
def test_junk_is_refused_and_never_breaks(pairs: list[tuple[str, str]]) -> None:
    try:
        request = parse_candidate_request([("resources_A", "VCPU:1"), ("resources", "VCPU:4"), *pairs], EXTENDED)
    except BadRequestError:
        return
    suffixes = {group.suffix for group in request.groups} - {""}
    assert suffixes.issuperset(request.isolated)
    assert all(suffixes.issuperset([*one.suffixes, *one.excluded]) for one in request.same_subtrees)
    assert set(request.can_split) <= {
        name for group in request.groups if not group.suffix for name, _ in group.resources
    }
