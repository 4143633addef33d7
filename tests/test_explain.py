"""Explanations over HTTP and on the command line."""

import time

import pytest
from cloud import load_cloud, read_cloud, uuid_of
from flask.testing import FlaskClient
from graphplace.api import create_app

from graphplace.candidates.overlay import Views
from graphplace.compiler.constraints.traits import COLLECTIVE
from graphplace.explain.counts import count_all
from graphplace.explain.explain import explain
from graphplace.explain.number import Number
from graphplace.explain.reasons import Reason
from graphplace.explain.remedies import IF_EMPTY_UNKNOWN, MANY_TREES, look_for_remedies
from graphplace.explain.text import lines
from graphplace.graph.budget import ANY_TIME, Budget
from graphplace.graph.database import Database
from graphplace.request.parse import parse_candidate_request
from graphplace.request.query import decode_query
from graphplace.request.syntax import EXTENDED as EXTENDED_SYNTAX
from graphplace.settings import Settings

PATH = "/allocation_candidates/explain"
EXTENDED = {"OpenStack-API-Version": "placement 1.39, graphplace 1.0"}
CLOUD = """
cn1  VCPU:8(used=6)  MEMORY_MB:4096  HW_CPU_X86_AVX  @A
  pf1  SRIOV_NET_VF:4(max_unit=2)  CUSTOM_FAST
cn2  VCPU:8(used=3)  MEMORY_MB:4096  @B
  pf2  SRIOV_NET_VF:4
cn3  VCPU:16(step_size=2)  MEMORY_MB:512  HW_CPU_X86_AVX  @A
"""


@pytest.fixture
def cloud(client: FlaskClient) -> FlaskClient:
    load_cloud(client, read_cloud(CLOUD))
    return client


def test_it_is_there_for_those_who_ask_for_it(client: FlaskClient) -> None:
    for version in ("placement 1.39", "placement 1.0", "placement latest"):
        assert client.get(f"{PATH}?resources=VCPU:1", headers={"OpenStack-API-Version": version}).status_code == 404
    assert client.get(f"{PATH}?resources=VCPU:1", headers=EXTENDED).status_code == 200


def test_it_refuses_what_the_search_refuses(cloud: FlaskClient) -> None:
    for query in ("", "resources=VCPU", "resources=VCPU:1&colour=blue", "resources=CUSTOM_NONE:1"):
        answers = [cloud.get(f"{path}?{query}", headers=EXTENDED) for path in (PATH, "/allocation_candidates")]
        assert [answer.status_code for answer in answers] == [400, 400]
        details = [answer.json["errors"][0]["detail"] for answer in answers]
        assert details[0] == details[1]


def test_each_condition_says_how_many_are_left(cloud: FlaskClient) -> None:
    query = f"resources_A=VCPU:5,MEMORY_MB:1024&required_A=HW_CPU_X86_AVX&member_of_A={uuid_of('A')}"
    answer = cloud.get(f"{PATH}?{query}", headers=EXTENDED).json

    assert answer["request"] == (
        "Wanted: for group _A, a provider with 5 VCPU and 1024 MEMORY_MB free, with the trait "
        f"HW_CPU_X86_AVX, in aggregate {uuid_of('A')}."
    )
    assert answer["candidates"] == {"count": 0, "more": False}
    assert answer["if_empty"] == {"count": 1, "more": False}
    assert answer["gave_up"] is None
    counts = answer["counts"]
    assert (counts["trees"], counts["roots"]) == (3, [])
    (group,) = counts["groups"]
    assert (group["suffix"], group["resources"]) == ("_A", {"VCPU": 5, "MEMORY_MB": 1024})
    assert [(one["condition"], one["remaining"]) for one in group["conditions"]] == [
        ("class", 3),
        ("capacity", 1),
        ("min_unit", 1),
        ("max_unit", 1),
        ("step_size", 1),
        ("required", 0),
        ("member_of", 0),
    ]
    assert [(one["name"], one["lacks"]) for one in group["nearest"]] == [
        ("cn1", ["short of 3 VCPU"]),
        ("cn2", ["lacks HW_CPU_X86_AVX", f"is not in aggregate {uuid_of('A')}"]),
        ("cn3", ["short of 512 MEMORY_MB", "gives VCPU in steps of 2"]),
    ]


@pytest.mark.parametrize(
    ("query", "name", "lacks"),
    [
        ("resources=SRIOV_NET_VF:3&required=!CUSTOM_FAST", "pf1", ["gives at most 2 SRIOV_NET_VF", "has CUSTOM_FAST"]),
        (f"resources=VCPU:2&member_of=!{uuid_of('A')}", "cn1", [f"is in aggregate {uuid_of('A')}"]),
        (f"resources=VCPU:2&in_tree={uuid_of('cn2')}", None, None),
        (f"resources_1=VCPU:2&in_tree_1={uuid_of('cn2')}", "cn1", [f"is not in the tree of {uuid_of('cn2')}"]),
        (f"resources_1=VCPU:2&in_tree_1={uuid_of('nobody')}", "cn1", [f"is not in the tree of {uuid_of('nobody')}"]),
    ],
)
def test_the_nearest_miss_says_how_far_off_it_is(
    cloud: FlaskClient, query: str, name: str | None, lacks: list[str] | None
) -> None:
    (group,) = cloud.get(f"{PATH}?{query.replace('_1', '_X')}", headers=EXTENDED).json["counts"]["groups"]
    assert (name, lacks) == next(((one["name"], one["lacks"]) for one in group["nearest"]), (None, None))


def test_conditions_on_roots_come_first(cloud: FlaskClient) -> None:
    query = f"resources=SRIOV_NET_VF:1&root_required=HW_CPU_X86_AVX&root_member_of={uuid_of('B')}"
    counts = cloud.get(f"{PATH}?{query}", headers=EXTENDED).json["counts"]
    assert [(one["condition"], one["words"], one["remaining"]) for one in counts["roots"]] == [
        ("root_required", "a root with the trait HW_CPU_X86_AVX", 2),
        ("root_member_of", f"a root in aggregate {uuid_of('B')}", 0),
    ]
    assert [one["remaining"] for one in counts["groups"][0]["conditions"]] == [0, 0, 0, 0, 0]


def test_what_is_not_counted_in_time_is_said(database: Database) -> None:
    settings = Settings(allocation_candidates_timeout=1e-9)
    client = create_app(database, settings).test_client()
    client.environ_base["HTTP_X_AUTH_TOKEN"] = "admin"
    answer = client.get(f"{PATH}?resources=VCPU:1", headers=EXTENDED).json
    assert (answer["candidates"], answer["counts"]) == (None, None)
    assert "GRAPHPLACE_ALLOCATION_CANDIDATES_TIMEOUT" in answer["gave_up"]
    request = parse_candidate_request(decode_query(b"resources=VCPU:1"), EXTENDED_SYNTAX)
    assert list(lines(explain(database, request, settings)))[2:] == [
        "How many candidates there are is not known.",
        "",
        f"This is not all: {answer['gave_up']}",
    ]


def test_the_tree_that_the_request_names_is_said_in_words(cloud: FlaskClient) -> None:
    answer = cloud.get(f"{PATH}?resources=VCPU:1&in_tree={uuid_of('pf1')}", headers=EXTENDED).json
    assert f"a tree with a root in whose tree {uuid_of('pf1')} is;" in answer["request"]
    assert answer["counts"]["roots"][0]["words"] == f"a root in whose tree {uuid_of('pf1')} is"


@pytest.mark.parametrize(("in_vain", "if_empty"), [(MANY_TREES, Number(0, more=False)), (MANY_TREES + 1, None)])
def test_the_reasons_may_take_all_the_time_for_changes(
    cloud: FlaskClient, database: Database, monkeypatch: pytest.MonkeyPatch, in_vain: int, if_empty: Number | None
) -> None:
    """Those about the reasons are looked for even then, and if the trees are not many, what there would be if empty."""
    query = "resources_A=VCPU:5&resources_B=MEMORY_MB:4096&group_policy=isolate"
    request = parse_candidate_request(decode_query(query.encode()), EXTENDED_SYNTAX)
    views = Views(database)
    counts, _ = count_all(views, request, ANY_TIME)
    budget = Budget(600, "PATIENCE")
    later = time.monotonic() + 601
    monkeypatch.setattr("graphplace.graph.budget.time.monotonic", lambda: later)

    why = [Reason("group_policy=isolate", "")]
    found = look_for_remedies(views, request, counts, why, budget, within=ANY_TIME, in_vain=in_vain)

    assert [(one.words, one.candidates.count) for one in found.changes] == [("without group_policy=isolate", 1)]
    assert found.if_empty == if_empty
    assert found.gave_up is not None
    assert (IF_EMPTY_UNKNOWN in found.gave_up) == (if_empty is None)
    assert "longer than the 600 s that the setting PATIENCE allows" in found.gave_up


@pytest.mark.parametrize(
    ("query", "about"),
    [
        ("resources=VCPU:1&root_required=CUSTOM_FAST", "root_required"),
        ("resources_A=VCPU:5&required_A=!HW_CPU_X86_AVX&member_of_A=" + uuid_of("A"), "member_of"),
        ("resources_A=VCPU:5&resources_B=MEMORY_MB:4096&isolate=_A", "isolate=_A"),
        ("resources_A=VCPU:5&resources_B=MEMORY_MB:4096&group_policy=isolate", "group_policy=isolate"),
        ("resources_A=VCPU:5&resources_B=SRIOV_NET_VF:1&same_subtree=_A,!_B", "same_subtree=_A,!_B"),
        ("resources=VCPU:5&required=HW_CPU_X86_AVX,CUSTOM_FAST", "the required traits of the unsuffixed group"),
    ],
)
def test_the_reason_is_named(cloud: FlaskClient, query: str, about: str) -> None:
    answer = cloud.get(f"{PATH}?{query}", headers=EXTENDED).json
    assert answer["candidates"]["count"] == 0
    assert [reason["about"] for reason in answer["reasons"]] == [about]


def test_no_tree_has_all_of_what_each_fits_somewhere(cloud: FlaskClient) -> None:
    answer = cloud.get(f"{PATH}?resources=VCPU:16,SRIOV_NET_VF:1", headers=EXTENDED).json
    assert answer["candidates"]["count"] == 0
    assert answer["reasons"] == [
        {
            "about": "one tree",
            "words": "Each group has a provider that fits, but no tree has one for all of them. Closest: the tree of "
            "cn1 and 1 more, without one for 16 VCPU of the unsuffixed group.",
            "tree": uuid_of("cn1"),
        }
    ]


def test_a_group_without_resources_may_be_what_trees_lack(cloud: FlaskClient) -> None:
    query = "resources_A=VCPU:5&resources_C=SRIOV_NET_VF:3&required_R=CUSTOM_FAST&same_subtree=_A,_R"
    (reason,) = cloud.get(f"{PATH}?{query}", headers=EXTENDED).json["reasons"]
    assert reason["about"] == "one tree"
    assert reason["words"].endswith("Closest: the tree of cn2, without one for group _R.")


@pytest.mark.parametrize(
    ("query", "host", "verdict", "about"),
    [
        ("resources=VCPU:2", "cn1", "candidate", []),
        ("resources=VCPU:2", uuid_of("cn1"), "candidate", []),
        ("resources=SRIOV_NET_VF:1", "cn1", "candidate", []),
        ("resources=SRIOV_NET_VF:1", "pf1", "candidate", []),
        ("resources=VCPU:2", "pf1", "no candidate", ["class"]),
        ("resources=VCPU:5", "cn1", "no candidate", ["capacity"]),
        ("resources=VCPU:2&root_required=!HW_CPU_X86_AVX", "cn1", "no candidate", ["root_required"]),
        ("resources=VCPU:2,SRIOV_NET_VF:2&required=HW_CPU_X86_SGX", "cn2", "no candidate", [COLLECTIVE]),
        (
            "resources_A=VCPU:1&resources_B=SRIOV_NET_VF:1&same_subtree=_A,!_B",
            "cn2",
            "no candidate",
            ["same_subtree=_A,!_B"],
        ),
    ],
)
def test_a_host_that_is_named_is_looked_at(
    cloud: FlaskClient, query: str, host: str, verdict: str, about: list[str]
) -> None:
    looked_at = cloud.get(f"{PATH}?{query}&host={host}", headers=EXTENDED).json["host"]
    assert (looked_at["uuid"], looked_at["verdict"]) in ((host, verdict), (uuid_of(looked_at["name"]), verdict))
    assert [reason["about"] for reason in looked_at["reasons"]] == about
    assert (looked_at["counts"] is None) == (verdict == "candidate")


NUMA = """
cn1  VCPU:2  @A
  numa0  VCPU:8(used=2)
  numa1  VCPU:8(used=4)  @B
  numa2  VCPU:8(used=5)
cn2  VCPU:64  @A
pool  DISK_GB:10  MISC_SHARES_VIA_AGGREGATE  @A
pool2  DISK_GB:30  MISC_SHARES_VIA_AGGREGATE  @A
"""


@pytest.mark.parametrize(
    ("query", "host", "why"),
    [
        # All of it comes from pools.
        (
            "resources=DISK_GB:1",
            "cn1",
            (
                "For the unsuffixed group nobody of its tree is left at this condition: "
                "a provider with an inventory of DISK_GB."
            ),
        ),
        # A pool is asked about for the trees that it shares with: it has no VCPU, and needs none.
        (
            "resources_C=VCPU:100&resources_D=DISK_GB:5",
            "pool",
            "For group _C nobody is left at this condition: a provider with 100 VCPU free.",
        ),
        (
            "resources_C=VCPU:1&resources_D=DISK_GB:20",
            "pool",
            (
                "For group _C it is not a provider with an inventory of VCPU. "
                "For group _D it is not a provider with 20 DISK_GB free."
            ),
        ),
        # A condition on the root takes away its children too, whatever they have.
        (
            f"resources_C=VCPU:1&root_member_of={uuid_of('B')}",
            "numa1",
            f"No tree is left at this condition: a root in aggregate {uuid_of('B')}.",
        ),
        # One that has not all of it may give a part, but what no tree has nobody gives a part of.
        (
            f"resources=VCPU:20&can_split=VCPU&in_tree={uuid_of('cn1')}",
            "numa0",
            "In no tree that has the rest can VCPU be given in parts.",
        ),
        # With one that can give all, nothing is split.
        (
            f"resources=VCPU:6&can_split=VCPU&in_tree={uuid_of('cn1')}",
            "numa1",
            "For the unsuffixed group it is not a provider with 6 VCPU free.",
        ),
        # As few as can give it together do so: these are numa0 and one of the others.
        (
            f"resources=VCPU:10&can_split=VCPU&in_tree={uuid_of('cn1')}",
            "numa2",
            "For the unsuffixed group it is not a provider with 10 VCPU free.",
        ),
    ],
)
def test_it_is_said_why_a_provider_is_left_out(client: FlaskClient, query: str, host: str, why: str) -> None:
    load_cloud(client, read_cloud(NUMA))
    looked_at = client.get(f"{PATH}?{query}&host={host}", headers=EXTENDED).json["host"]
    assert looked_at["verdict"] == "no candidate"
    assert " ".join(reason["words"] for reason in looked_at["reasons"]) == why


@pytest.mark.parametrize(
    ("trees", "about"),
    [("cn1\n  numa0  VCPU:6\n  numa1  VCPU:4", "one provider of a tree"), ("cn1\n  numa0  VCPU:6", "can_split")],
)
def test_before_candidates_are_nested_it_is_told_whether_parts_would_do(
    client: FlaskClient, trees: str, about: str
) -> None:
    load_cloud(client, read_cloud(trees))
    header = {"OpenStack-API-Version": "placement 1.28, graphplace 1.0"}
    answer = client.get(f"{PATH}?resources=VCPU:8&can_split=VCPU", headers=header).json
    assert [reason["about"] for reason in answer["reasons"]] == [about]


def test_only_the_limit_may_hide_a_host(cloud: FlaskClient) -> None:
    hosts = ("cn1", "cn2", "cn3")
    found = [cloud.get(f"{PATH}?resources=VCPU:2&limit=1&host={host}", headers=EXTENDED).json["host"] for host in hosts]
    assert sorted(one["verdict"] for one in found) == ["candidate", "hidden by the limit", "hidden by the limit"]
    assert "only the limit of 1 hides it" in next(one["words"] for one in found if one["verdict"] != "candidate")


def test_a_host_that_is_not_there_is_refused(cloud: FlaskClient) -> None:
    answer = cloud.get(f"{PATH}?resources=VCPU:2&host=nobody", headers=EXTENDED)
    assert answer.status_code == 400
    assert "No resource provider with uuid or name nobody found." in answer.json["errors"][0]["detail"]
    assert cloud.get("/allocation_candidates?resources=VCPU:2&host=cn1", headers=EXTENDED).status_code == 400


def test_the_smallest_changes_are_suggested_with_what_they_give(cloud: FlaskClient) -> None:
    query = f"resources_A=VCPU:5,MEMORY_MB:1024&required_A=HW_CPU_X86_AVX&member_of_A={uuid_of('B')}"
    changes = cloud.get(f"{PATH}?{query}", headers=EXTENDED).json["changes"]
    assert [(one["words"], one["candidates"]["count"]) for one in changes] == [("without required_A=HW_CPU_X86_AVX", 1)]
    for change in changes:
        answer = cloud.get(f"/allocation_candidates?{change['query']}", headers=EXTENDED).json
        assert len(answer["allocation_requests"]) == change["candidates"]["count"]


def test_what_holds_only_without_isolation_is_taken_together_with_it(client: FlaskClient) -> None:
    """One provider cannot serve three groups that are kept apart; and if it might, its CPUs would not do."""
    load_cloud(client, read_cloud("cn1  VCPU:4"))
    query = "resources1=VCPU:1&resources2=VCPU:1&resources_X=VCPU:4&group_policy=isolate"
    (reason,) = client.get(f"{PATH}?{query}", headers=EXTENDED).json["reasons"]
    assert reason["about"] == "group_policy=isolate and room for several groups on one provider"
    assert "cn1 would serve group 1, group 2 and group _X" in reason["words"]
    assert "cn1 would have to give 6 VCPU and can give 4" in reason["words"]


def test_the_consumer_that_is_in_the_way_is_named(cloud: FlaskClient) -> None:
    """Of what one consumer holds of cn1, two VCPUs are too few, and all of them enough."""
    consumer = uuid_of("cn1 VCPU")
    query = "resources=VCPU:8,MEMORY_MB:4096&required=HW_CPU_X86_AVX"
    changes = cloud.get(f"{PATH}?{query}", headers=EXTENDED).json["changes"]
    (change,) = [one for one in changes if one["consumers_gone"]]
    assert (change["words"], change["consumers_gone"]) == (f"if consumer {consumer} on cn1 were gone", [consumer])
    body = {"consumers_gone": change["consumers_gone"]}
    path = f"/allocation_candidates/what-if?{change['query']}"
    assert len(cloud.post(path, json=body, headers=EXTENDED).json["allocation_requests"]) == 1


def test_a_group_without_resources_that_names_nobody_is_the_reason(cloud: FlaskClient) -> None:
    nobody = uuid_of("nobody")
    query = f"resources_1=VCPU:1&required_2=HW_CPU_X86_AVX&in_tree_2={nobody}&same_subtree=_1,_2&group_policy=none"
    (reason,) = cloud.get(f"{PATH}?{query}", headers=EXTENDED).json["reasons"]
    assert reason["about"] == "in_tree"
    assert reason["words"] == f"For group _2, in_tree names a provider that does not exist: {nobody}."


def test_two_changes_are_suggested_where_one_is_not_enough(cloud: FlaskClient) -> None:
    query = "resources=VCPU:30,MEMORY_MB:9000"
    changes = cloud.get(f"{PATH}?{query}", headers=EXTENDED).json["changes"]
    assert [one["words"] for one in changes] == [
        "with VCPU 16 instead of 30 and with MEMORY_MB 512 instead of 9000",
        "with MEMORY_MB 4096 instead of 9000 and with VCPU 5 instead of 30",
    ]


@pytest.mark.parametrize(
    ("trees", "query", "closest"),
    [
        (
            "cn1  VCPU:4\ncn2  VCPU:6\ncn3  VCPU:5",
            "resources_A=VCPU:4&resources_B=VCPU:3",
            "in the tree of cn2, cn2 would have to give 7 VCPU and can give 6",
        ),
        (
            "cn1\n  numa1  VCPU:9\n  numa2  VCPU:4",
            "resources=VCPU:12&can_split=VCPU&resources_A=VCPU:2",
            "in the tree of cn1, numa1 would have to give 11 VCPU and can give 9",
        ),
        (
            "cn1\n  numa1  VCPU:9\n  numa3  VCPU:8",
            "resources_A=VCPU:9&resources_B=VCPU:5&resources_C=VCPU:5",
            "in the tree of cn1, numa3 would have to give 10 VCPU and can give 8",
        ),
        (
            "cn1  VCPU:4  FPGA:1\ncn2  VCPU:4\n  fpga2  FPGA:1  VCPU:1\ncn3  VCPU:4  FPGA:1",
            "resources_A=VCPU:1&resources_B=VCPU:2&resources_C=FPGA:1&group_policy=isolate",
            "in the tree of cn2, cn2 would serve group _A and group _B",
        ),
        (
            "cn1\n  numa1\n    pf1  SRIOV_NET_VF:1\n  pf2  SRIOV_NET_VF:1\n  numa2  VCPU:1",
            "resources_A=VCPU:1&resources_B=SRIOV_NET_VF:1&same_subtree=_A,_B",
            "in the tree of cn1, numa2 for group _A and pf2 for group _B are in no such subtree",
        ),
        (
            "cn1  VCPU:1\n  pf1  SRIOV_NET_VF:1",
            "resources_A=VCPU:1&resources_B=SRIOV_NET_VF:1&same_subtree=_A,!_B",
            "in the tree of cn1, cn1 for group _A is in no such subtree without pf1 for group _B",
        ),
        (
            "cn1  VCPU:1  HW_CPU_X86_AVX\n  numa1  VCPU:1\n  gpu1  HW_CPU_X86_SGX  CUSTOM_FAST",
            "resources=VCPU:1&required=HW_CPU_X86_AVX,HW_CPU_X86_SGX,CUSTOM_FAST",
            "in the tree of cn1, cn1 would not have the trait HW_CPU_X86_SGX and the trait CUSTOM_FAST",
        ),
    ],
)
def test_of_what_is_ruled_out_the_choice_is_named_that_comes_nearest(
    client: FlaskClient, trees: str, query: str, closest: str
) -> None:
    load_cloud(client, read_cloud(trees))
    (reason,) = client.get(f"{PATH}?{query}", headers=EXTENDED).json["reasons"]
    assert reason["words"].endswith(f"Closest: {closest}.")


def test_a_consumer_is_in_the_way_of_several_groups_of_which_each_has_room(client: FlaskClient) -> None:
    load_cloud(client, read_cloud("cn1  VCPU:8(used=4)"))
    query = "resources_A=VCPU:4&resources_B=VCPU:4"
    changes = client.get(f"{PATH}?{query}", headers=EXTENDED).json["changes"]
    assert [one["consumers_gone"] for one in changes if one["consumers_gone"]] == [[uuid_of("cn1 VCPU")]]


def test_a_pool_that_comes_nearest_is_seen_from_its_own_tree(client: FlaskClient) -> None:
    load_cloud(client, read_cloud("cn1  VCPU:4  @A\ncn2  VCPU:4  @A\npool  DISK_GB:10  MISC_SHARES_VIA_AGGREGATE  @A"))
    query = f"resources_C=VCPU:1&resources_D=DISK_GB:20&member_of_D={uuid_of('A')}"
    groups = client.get(f"{PATH}?{query}", headers=EXTENDED).json["counts"]["groups"]
    assert [(one["name"], one["root"]) for one in groups[1]["nearest"]] == [("pool", uuid_of("pool"))]
