"""Query strings become requests, and refusals carry the words and codes that clients look for."""

import re
from urllib.parse import parse_qsl

import pytest
from candidate_requests import requests
from hypothesis import given
from hypothesis import strategies as st

from graphplace.errors import BadRequestError, Code
from graphplace.request.model import CandidateRequest, RequestGroup, SameSubtree
from graphplace.request.parse import parse_candidate_request
from graphplace.request.syntax import GROUP_PARAMETERS
from graphplace.request.write import to_query

A, B, C = (f"{digit * 8}-0000-4000-8000-00000000000a" for digit in "abc")


def parse(query: str) -> CandidateRequest:
    return parse_candidate_request(parse_qsl(query, keep_blank_values=True))


def test_every_parameter_of_a_group() -> None:
    request = parse(
        "resources_N=VCPU:2,MEMORY_MB:512&required_N=HW_A,!HW_B&required_N=in:HW_C,HW_D"
        f"&member_of_N={A}&member_of_N=in:{A},{B}&member_of_N=!{C}&in_tree_N={B}"
    )
    assert request.groups == (
        RequestGroup(
            suffix="_N",
            resources=(("VCPU", 2), ("MEMORY_MB", 512)),
            required=(frozenset({"HW_A"}), frozenset({"HW_C", "HW_D"})),
            forbidden=frozenset({"HW_B"}),
            member_of=(frozenset({A}), frozenset({A, B})),
            forbidden_aggregates=frozenset({C}),
            in_tree=B,
        ),
    )


def test_request_wide_parameters() -> None:
    request = parse(
        "resources=VCPU:1&resources1=VCPU:1&required_R=HW_A&group_policy=isolate&limit=7"
        "&same_subtree=1,_R&same_subtree=_R&root_required=HW_A,!HW_B"
    )
    assert [group.suffix for group in request.groups] == ["", "1", "_R"]
    assert request.group_policy == "isolate"
    assert request.limit == 7
    assert request.same_subtrees == (SameSubtree(("1", "_R")), SameSubtree(("_R",)))
    assert (request.root_required, request.root_forbidden) == (frozenset({"HW_A"}), frozenset({"HW_B"}))


def test_groups_come_in_the_order_in_which_any_key_names_them_first() -> None:
    request = parse("required2=HW_A&resources=VCPU:1&resources2=VCPU:1")
    assert [group.suffix for group in request.groups] == ["2", ""]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("resources=VCPU:1&resources=MEMORY_MB:2", (("MEMORY_MB", 2),)),
        ("resources=VCPU:1,VCPU:3", (("VCPU", 3),)),
    ],
)
def test_of_repeated_resources_the_last_count(query: str, expected: tuple[tuple[str, int], ...]) -> None:
    assert parse(query).groups[0].resources == expected


def test_of_a_repeated_limit_and_policy_the_first_count() -> None:
    request = parse("resources=VCPU:1&limit=3&limit=1&group_policy=isolate&group_policy=none")
    assert (request.limit, request.group_policy) == (3, "isolate")


def test_trait_names_are_stripped_and_exclamation_marks_do_not_add_up() -> None:
    group = parse("resources=VCPU:1&required= HW_A ,!!HW_B").groups[0]
    assert group.required == (frozenset({"HW_A"}),)
    assert group.forbidden == {"HW_B"}


def test_in_between_exclamation_mark_and_names_is_a_name() -> None:
    """LP report on ``!in:``: it is a forbidden trait called ``in:T``, which no graph knows."""
    assert parse("resources=VCPU:1&required=!in:HW_T,HW_U").groups[0].forbidden == {"in:HW_T"}


REFUSALS = [
    ("resources=", ["Badly formed resources parameter.", "Got: empty string."]),
    ("resources=VCPU", ["Badly formed resources parameter.", "Got: VCPU."]),
    ("resources=VCPU:1:2", ["Badly formed resources parameter."]),
    ("resources=VCPU:1,", ["Badly formed resources parameter."]),
    ("resources=VCPU:x", ["expected positive integer amount. Got: x."]),
    ("resources=VCPU:" + "9" * 5000, ["expected positive integer amount."]),
    ("resources=VCPU:0", ["requires amount >= 1. Got: 0."]),
    ("resources=VCPU:bad&resources=VCPU:1", ["expected positive integer amount"]),
    ("resources=VCPU:1&limit=cow", ["Invalid query string parameters", "Failed validating 'pattern'"]),
    ("resources=VCPU:1&limit=0", ["Failed validating 'pattern'"]),
    ("resources=VCPU:1&limit=cow&limit=1", ["Invalid query string parameters", "Got: cow"]),
    ("resources=VCPU:1&limit=" + "9" * 5000, ["Invalid query string parameters"]),
    ("resources=VCPU:1&limit=%88", ["Invalid query string parameters"]),
    ("resources=VCPU:1&group_policy=bogus", ["'bogus' is not one of ['none', 'isolate']"]),
    ("resources=VCPU:1&bogus=1", ["'bogus' does not match any of the regexes"]),
    ("resources1@=VCPU:1", ["'resources1@' does not match any", "^member_of([a-zA-Z0-9_-]{1,64})?$"]),
    (f"resources{'x' * 65}=VCPU:1", ["does not match any of the regexes"]),
    ("resources=VCPU:1&required=", ["value of the form: HW_CPU_X86_VMX,!CUSTOM_MAGIC."]),
    ("resources=VCPU:1&required=,,", ["value of the form: HW_CPU_X86_VMX,!CUSTOM_MAGIC."]),
    ("resources=VCPU:1&required=!", ["Got an empty trait in: !"]),
    ("resources=VCPU:1&required=in:", ["Got an empty trait in: in:"]),
    ("resources=VCPU:1&required=in:HW_A,!HW_B", ["does not support forbidden traits"]),
    ("resources=VCPU:1&required=HW_A,!HW_A", ["Conflicting required and forbidden traits"]),
    ("resources=VCPU:1&required=in:HW_A,HW_B&required=!HW_A,!HW_B", ["required: (HW_A, HW_B)"]),
    ("resources=VCPU:1&member_of=nonsense", ["parameter to contain valid UUID(s). Got: nonsense"]),
    ("resources=VCPU:1&member_of=in:", ["parameter to contain valid UUID(s)."]),
    (f"resources=VCPU:1&member_of=in:{A},!{B}", ["parameter to contain valid UUID(s)."]),
    (f"resources=VCPU:1&member_of={A},{B}", ["must be prefixed with the 'in:' or '!in:' keyword"]),
    ("resources=VCPU:1&in_tree=life-is-beautiful", ["'in_tree' parameter to be a format of uuid"]),
    ("resources1=VCPU:1&resources2=VCPU:1", ['The "group_policy" parameter is required when']),
    ("resources_A=VCPU:1&required_R=HW_A&same_subtree=_A,_R", ['"group_policy" parameter is required']),
]


@pytest.mark.parametrize(("query", "words"), REFUSALS)
def test_refusals_name_the_value(query: str, words: list[str]) -> None:
    with pytest.raises(BadRequestError) as refusal:
        parse(query)
    assert refusal.value.code == Code.UNDEFINED
    for text in words:
        assert text in str(refusal.value)


CODED_REFUSALS = [
    ("", Code.QUERY_MISSING_VALUE, "There must be at least one resources or resources[$S] parameter."),
    ("required_R=HW_A&same_subtree=_R", Code.QUERY_MISSING_VALUE, "There must be at least one resources"),
    (
        "resources1=VCPU:1&required2=HW_A&group_policy=none",
        Code.QUERY_BAD_VALUE,
        "Resourceless suffixed group request should be specified in `same_subtree` query param",
    ),
    ("resources1=VCPU:1&required=HW_A", Code.QUERY_BAD_VALUE, "Resourceless suffixed group request"),
    (
        "resources_A=VCPU:1&resources_B=VCPU:1&group_policy=none&same_subtree=A,_B",
        Code.QUERY_BAD_VALUE,
        "Real suffixes should be specified in `same_subtree`:",
    ),
    (
        "resources_A=VCPU:1&resources_B=VCPU:1&group_policy=none&same_subtree=_A,,_B",
        Code.QUERY_BAD_VALUE,
        "Empty string (unsuffixed group) can not be specified in `same_subtree`",
    ),
    (
        "resources=VCPU:1&root_required=HW_A,!HW_A",
        Code.QUERY_BAD_VALUE,
        "Conflicting required and forbidden traits found in root_required: HW_A",
    ),
    (
        "resources=VCPU:1&root_required=HW_A&root_required=HW_B",
        Code.QUERY_DUPLICATE_KEY,
        "Query parameter 'root_required' may be specified only once.",
    ),
]


@pytest.mark.parametrize(("query", "code", "words"), CODED_REFUSALS)
def test_some_refusals_have_a_code_of_their_own(query: str, code: Code, words: str) -> None:
    with pytest.raises(BadRequestError, match=re.escape(words)) as refusal:
        parse(query)
    assert refusal.value.code == code


def test_root_required_takes_no_any_of() -> None:
    """``in:`` is part of a name there, so the graph has to say that there is no such trait."""
    assert parse("resources=VCPU:1&root_required=in:HW_A").root_required == {"in:HW_A"}


@given(requests())
def test_a_request_written_as_a_query_reads_as_itself(request: CandidateRequest) -> None:
    assert parse(to_query(request)) == request


KEYS = st.sampled_from([*GROUP_PARAMETERS, "root_required", "same_subtree", "limit", "group_policy"])
JUNK = st.text(max_size=20) | st.text(alphabet="VCPU:,!in1_- \n0", max_size=20)


@given(st.lists(st.tuples(st.builds(str.__add__, KEYS, st.sampled_from(["", "1", "_A", "\n"])) | JUNK, JUNK)))
def test_junk_is_refused_and_never_breaks(pairs: list[tuple[str, str]]) -> None:
    try:
        request = parse_candidate_request(pairs)
    except BadRequestError:
        return
    assert any(group.resources for group in request.groups)
