"""The table of what each version changed: of every feature, how the API is just below its version, and how at it.

A feature without such a pair is an error here, and so is a version that no feature is of.
"""

from collections.abc import Callable

import pytest
from cloud import PROJECT, USER, load_cloud, read_cloud
from graphplace.api import create_app
from graphplace.api.features import Feature
from looks import (
    CANDIDATE,
    CLOUD,
    CN1,
    CN2,
    GENERATED,
    HOLDER,
    KEYED,
    LISTED,
    LOCATION,
    MAPPED,
    MEMORY,
    NEW,
    NUMA0,
    OWNER,
    PROVIDER,
    RESHAPED,
    SS1,
    SUMMARY,
    TYPED,
    A,
    Ask,
    B,
    Change,
    cached,
    candidates,
    classes_summarised,
    created,
    form_of_candidates,
    generation_after_aggregates,
    has,
    links_to,
    providers,
    providers_summarised,
    query,
    status,
    usages,
)
from werkzeug.test import TestResponse

from graphplace.graph import schema
from graphplace.graph.database import Database

# By the minor number of the version, which the table has to agree with, and the feature.
CHANGES: dict[tuple[int, Feature], list[Change]] = {
    (0, Feature.PROVIDERS): [
        Change(status("GET", path), 406, 200)
        for path in (
            "/resource_providers",
            "/resource_providers?name=cn1",
            PROVIDER,
            f"{PROVIDER}/inventories",
            f"{PROVIDER}/inventories/VCPU",
            f"{PROVIDER}/usages",
            f"{PROVIDER}/allocations",
            f"/allocations/{HOLDER}",
        )
    ]
    + [
        Change(status("PUT", f"/allocations/{NEW}", LISTED), 406, 204),
        Change(status("DELETE", f"/allocations/{HOLDER}"), 406, 204),
        Change(status("DELETE", f"/resource_providers/{SS1}"), 406, 204),
        Change(status("PUT", PROVIDER, {"name": "other"}), 406, 200),
    ],
    (1, Feature.AGGREGATES): [
        Change(status("GET", f"{PROVIDER}/aggregates"), 404, 200),
        Change(status("PUT", f"{PROVIDER}/aggregates", [A]), 404, 200),
        Change(links_to("aggregates"), below=False, at=True),
    ],
    (2, Feature.RESOURCE_CLASSES): [
        Change(status("GET", "/resource_classes"), 404, 200),
        Change(status("POST", "/resource_classes", {"name": "CUSTOM_NEW"}), 404, 201),
        Change(status("GET", "/resource_classes/VCPU"), 404, 200),
        Change(status("PUT", "/resource_classes/CUSTOM_GOLD", {"name": "CUSTOM_SILVER"}), 404, 200),
        Change(status("DELETE", "/resource_classes/CUSTOM_GOLD"), 404, 409),
    ],
    (3, Feature.PROVIDERS_BY_AGGREGATE): [
        Change(status("GET", f"/resource_providers?member_of={A}"), 400, 200),
        Change(status("GET", f"/resource_providers?member_of=in:{A},{B}"), 400, 200),
    ],
    (4, Feature.PROVIDERS_BY_RESOURCES): [Change(status("GET", "/resource_providers?resources=VCPU:1"), 400, 200)],
    (5, Feature.ALL_INVENTORIES_DELETED): [
        Change(status("DELETE", f"/resource_providers/{SS1}/inventories"), 405, 204)
    ],
    (6, Feature.TRAITS): [
        Change(status("GET", "/traits"), 404, 200),
        Change(status("PUT", "/traits/CUSTOM_NEW"), 404, 201),
        Change(status("GET", "/traits/HW_CPU_X86_AVX"), 404, 204),
        Change(status("DELETE", "/traits/HW_CPU_X86_AVX"), 404, 400),
        Change(status("GET", f"{PROVIDER}/traits"), 404, 200),
        Change(status("PUT", f"{PROVIDER}/traits", {"traits": [], "resource_provider_generation": 9}), 404, 409),
        Change(status("DELETE", f"{PROVIDER}/traits"), 404, 204),
        Change(links_to("traits"), below=False, at=True),
    ],
    (7, Feature.RESOURCE_CLASS_ENSURED): [
        Change(status("PUT", "/resource_classes/CUSTOM_NEW"), 415, 201),
        Change(status("PUT", "/resource_classes/CUSTOM_GOLD", {"name": "CUSTOM_SILVER"}), 200, 204),
    ],
    (8, Feature.OWNERS): [
        Change(status("PUT", f"/allocations/{NEW}", LISTED), 204, 400),
        Change(status("PUT", f"/allocations/{NEW}", LISTED | OWNER), 400, 204),
    ],
    (9, Feature.PROJECT_USAGES): [
        Change(status("GET", f"/usages?project_id={PROJECT}"), 404, 200),
        Change(status("GET", f"/usages?project_id={PROJECT}&user_id={USER}"), 404, 200),
    ],
    (10, Feature.CANDIDATES): [Change(status("GET", "/allocation_candidates?resources=VCPU:1"), 404, 200)],
    (11, Feature.ALLOCATIONS_LINKED): [Change(links_to("allocations"), below=False, at=True)],
    (12, Feature.ALLOCATIONS_BY_PROVIDER): [
        Change(form_of_candidates, "list", "dict"),
        Change(status("PUT", f"/allocations/{NEW}", LISTED | OWNER), 204, 400),
        Change(status("PUT", f"/allocations/{NEW}", KEYED), 400, 204),
    ],
    (12, Feature.OWNERS_SHOWN): [
        Change(has("project_id", f"/allocations/{HOLDER}"), below=False, at=True),
        Change(has("user_id", f"/allocations/{HOLDER}"), below=False, at=True),
    ],
    (13, Feature.CLAIMS_TOGETHER): [Change(status("POST", "/allocations", {NEW: KEYED}), 404, 204)],
    (14, Feature.TREES): [
        Change(has("parent_provider_uuid", PROVIDER), below=False, at=True),
        Change(has("root_provider_uuid", PROVIDER), below=False, at=True),
        Change(has("root_provider_uuid", "/resource_providers", "resource_providers", 0), below=False, at=True),
        Change(status("POST", "/resource_providers", {"name": "new", "parent_provider_uuid": CN1}), 400, 201),
        Change(status("PUT", f"/resource_providers/{SS1}", {"name": "ss1", "parent_provider_uuid": CN1}), 400, 200),
        Change(status("GET", f"/resource_providers?in_tree={CN1}"), 400, 200),
    ],
    (15, Feature.CACHE_HEADERS): [
        Change(cached(path), below=False, at=True)
        for path in (
            "/",
            "/resource_providers",
            PROVIDER,
            f"{PROVIDER}/inventories",
            f"{PROVIDER}/inventories/VCPU",
            f"{PROVIDER}/usages",
            f"{PROVIDER}/allocations",
            f"{PROVIDER}/aggregates",
            f"{PROVIDER}/traits",
            f"/allocations/{HOLDER}",
            "/resource_classes",
            "/resource_classes/VCPU",
            "/traits",
            "/traits/HW_CPU_X86_AVX",
            f"/usages?project_id={PROJECT}",
            "/allocation_candidates?resources=VCPU:1",
        )
    ],
    (16, Feature.LIMIT): [Change(status("GET", query("limit", "1")), 400, 200)],
    (17, Feature.CANDIDATES_BY_TRAITS): [Change(status("GET", query("required", "HW_CPU_X86_AVX")), 400, 200)],
    (17, Feature.TRAITS_SUMMARISED): [Change(has("traits", MEMORY, *SUMMARY), below=False, at=True)],
    (18, Feature.PROVIDERS_BY_TRAITS): [Change(status("GET", "/resource_providers?required=HW_CPU_X86_AVX"), 400, 200)],
    (19, Feature.AGGREGATES_WITH_GENERATION): [
        Change(has("resource_provider_generation", f"{PROVIDER}/aggregates"), below=False, at=True),
        Change(generation_after_aggregates([A]), (200, 3), (400, 3)),
        Change(generation_after_aggregates({"aggregates": [A], "resource_provider_generation": 3}), (400, 3), (200, 4)),
        Change(generation_after_aggregates({"aggregates": [A], "resource_provider_generation": 2}), (400, 3), (409, 3)),
    ],
    (20, Feature.PROVIDER_ON_CREATION): [Change(created, (201, False, LOCATION), (200, True, LOCATION))],
    (21, Feature.CANDIDATES_BY_AGGREGATE): [Change(status("GET", query("member_of", A)), 400, 200)],
    (22, Feature.FORBIDDEN_TRAITS): [
        Change(status("GET", query("required", "!HW_CPU_X86_AVX")), 400, 200),
        Change(status("GET", "/resource_providers?required=!HW_CPU_X86_AVX"), 400, 200),
    ],
    (23, Feature.ERROR_CODES): [Change(has("code", f"/resource_providers/{NEW}", "errors", 0), below=False, at=True)],
    (24, Feature.MEMBER_OF_REPEATED): [
        Change(status("GET", query("member_of", A) + f"&member_of={B}"), 400, 200),
        Change(status("GET", f"/resource_providers?member_of={A}&member_of={B}"), 400, 200),
    ],
    (25, Feature.SUFFIXED_GROUPS): [
        Change(status("GET", query("resources1", "VCPU:1")), 400, 200),
        Change(status("GET", query("group_policy", "none")), 400, 200),
        Change(status("GET", "/allocation_candidates?resources1=VCPU:1&required1=HW_CPU_X86_AVX"), 400, 200),
        Change(status("GET", f"/allocation_candidates?resources1=VCPU:1&member_of1={A}"), 400, 200),
    ],
    (26, Feature.ALL_RESERVED): [
        Change(
            status(
                "POST",
                f"{PROVIDER}/inventories",
                {"resource_class": "DISK_GB", "total": 1, "reserved": 1},
            ),
            400,
            201,
        ),
        Change(
            status(
                "PUT",
                f"/resource_providers/{SS1}/inventories/CUSTOM_GOLD",
                {"resource_provider_generation": 1, "total": 1, "reserved": 1},
            ),
            400,
            200,
        ),
        Change(
            status(
                "PUT",
                f"/resource_providers/{SS1}/inventories",
                {"resource_provider_generation": 1, "inventories": {"VCPU": {"total": 1, "reserved": 1}}},
            ),
            400,
            200,
        ),
    ],
    (27, Feature.ALL_CLASSES_SUMMARISED): [Change(classes_summarised, {"MEMORY_MB"}, {"MEMORY_MB", "VCPU"})],
    (28, Feature.CONSUMER_GENERATIONS): [
        Change(has("consumer_generation", f"/allocations/{HOLDER}"), below=False, at=True),
        Change(has("consumer_generation", f"{PROVIDER}/allocations", "allocations", HOLDER), below=False, at=True),
        Change(status("PUT", f"/allocations/{HOLDER}", KEYED), 204, 400),
        Change(status("PUT", f"/allocations/{HOLDER}", GENERATED), 400, 409),
        Change(status("PUT", f"/allocations/{HOLDER}", GENERATED | {"consumer_generation": 1}), 400, 204),
        Change(status("POST", "/allocations", {HOLDER: KEYED}), 204, 400),
        Change(status("POST", "/allocations", {HOLDER: GENERATED}), 400, 409),
        Change(status("POST", "/allocations", {HOLDER: GENERATED | {"consumer_generation": 1}}), 400, 204),
        Change(
            status("PUT", f"/allocations/{HOLDER}", GENERATED | {"allocations": {}, "consumer_generation": 1}),
            400,
            204,
        ),
    ],
    (29, Feature.NESTED_CANDIDATES): [
        Change(candidates("resources=VCPU:1,SRIOV_NET_VF:1"), 0, 1),
        Change(candidates("resources=SRIOV_NET_VF:1"), 1, 1),
        Change(providers_summarised, {CN1}, {CN1, NUMA0}),
        Change(has("parent_provider_uuid", MEMORY, *SUMMARY), below=False, at=True),
        Change(has("root_provider_uuid", MEMORY, *SUMMARY), below=False, at=True),
    ],
    (30, Feature.RESHAPER): [
        Change(status("POST", "/reshaper", {"inventories": RESHAPED, "allocations": {NEW: GENERATED}}), 404, 204)
    ],
    (31, Feature.CANDIDATES_IN_TREE): [
        Change(status("GET", query("in_tree", CN1)), 400, 200),
        Change(status("GET", f"/allocation_candidates?resources1=VCPU:1&in_tree1={CN1}"), 400, 200),
    ],
    (32, Feature.FORBIDDEN_AGGREGATES): [
        Change(status("GET", path), 400, 200)
        for value in (f"!{A}", f"!in:{A},{B}")
        for path in (query("member_of", value), f"/resource_providers?member_of={value}")
    ],
    (33, Feature.NAMED_SUFFIXES): [
        Change(status("GET", f"/allocation_candidates?resources{suffix}=VCPU:1"), 400, 200)
        for suffix in ("_A", "-", "0", "01", "A" * 64)
    ],
    (34, Feature.MAPPINGS): [
        Change(has("mappings", MEMORY, *CANDIDATE), below=False, at=True),
        Change(status("PUT", f"/allocations/{NEW}", MAPPED), 400, 204),
        Change(status("POST", "/allocations", {NEW: MAPPED}), 400, 204),
        Change(status("POST", "/reshaper", {"inventories": RESHAPED, "allocations": {NEW: MAPPED}}), 400, 204),
    ],
    (35, Feature.ROOT_REQUIRED): [
        Change(status("GET", query("root_required", "HW_CPU_X86_AVX,!HW_CPU_X86_AVX2")), 400, 200)
    ],
    (36, Feature.SAME_SUBTREE): [
        Change(status("GET", "/allocation_candidates?resources_A=VCPU:1&same_subtree=_A"), 400, 200),
        Change(
            status(
                "GET",
                "/allocation_candidates?resources_A=VCPU:1&required_B=HW_CPU_X86_AVX"
                "&same_subtree=_A,_B&group_policy=none",
            ),
            400,
            200,
        ),
    ],
    (37, Feature.REPARENTING): [
        Change(status("PUT", f"/resource_providers/{NUMA0}", {"name": "n", "parent_provider_uuid": CN1}), 200, 200),
        Change(status("PUT", f"/resource_providers/{NUMA0}", {"name": "n", "parent_provider_uuid": CN2}), 400, 200),
        Change(status("PUT", f"/resource_providers/{NUMA0}", {"name": "n", "parent_provider_uuid": None}), 400, 200),
    ],
    (38, Feature.CONSUMER_TYPES): [
        Change(has("consumer_type", f"/allocations/{HOLDER}"), below=False, at=True),
        Change(status("PUT", f"/allocations/{NEW}", MAPPED), 204, 400),
        Change(status("PUT", f"/allocations/{NEW}", TYPED), 400, 204),
        Change(status("POST", "/allocations", {NEW: MAPPED}), 204, 400),
        Change(status("POST", "/allocations", {NEW: TYPED}), 400, 204),
        Change(status("POST", "/reshaper", {"inventories": RESHAPED, "allocations": {NEW: MAPPED}}), 204, 400),
        Change(status("POST", "/reshaper", {"inventories": RESHAPED, "allocations": {NEW: TYPED}}), 400, 204),
        Change(usages, {"VCPU": 2}, {"INSTANCE": {"VCPU": 2, "consumer_count": 1}}),
        Change(status("GET", f"/usages?project_id={PROJECT}&consumer_type=INSTANCE"), 400, 200),
    ],
    (39, Feature.ANY_TRAITS): [
        Change(status("GET", query("required", "in:HW_CPU_X86_AVX,HW_CPU_X86_AVX2")), 400, 200),
        Change(status("GET", "/allocation_candidates?resources_A=VCPU:1&required_A=in:HW_CPU_X86_AVX"), 400, 200),
        Change(status("GET", "/resource_providers?required=in:HW_CPU_X86_AVX,HW_CPU_X86_AVX2"), 400, 200),
        Change(candidates("resources=VCPU:1&required=HW_CPU_X86_AVX&required=HW_CPU_X86_AVX2"), 1, 0),
        Change(providers("required=HW_CPU_X86_AVX&required=HW_CPU_X86_AVX2"), {CN2}, set()),
    ],
}


@pytest.fixture(scope="module")
def ask_at(connected: Database) -> Callable[[str], Ask]:
    """Return what gives, for a version, what sends its requests to CLOUD, which is made anew after a write."""
    client = create_app(connected).test_client()
    spoilt = True

    def at(version: str) -> Ask:
        nonlocal spoilt
        if spoilt:
            schema.wipe(connected)
            load_cloud(client, read_cloud(CLOUD))
            spoilt = False

        def ask(method: str, path: str, body: object = None) -> TestResponse:
            nonlocal spoilt
            headers = {"X-Auth-Token": "admin", "OpenStack-API-Version": f"placement {version}"}
            answer = client.open(path, method=method, json=body, headers=headers)
            assert answer.status_code < 500, answer.text
            spoilt = spoilt or (method != "GET" and answer.status_code < 400)
            return answer

        return ask

    return at


def test_each_version_is_of_a_feature() -> None:
    minors = [feature.since for feature in Feature]

    assert sorted(set(minors)) == list(range(40))
    assert minors == sorted(minors)


def test_each_feature_is_looked_at() -> None:
    assert CHANGES.keys() == {(feature.since, feature) for feature in Feature}
    assert all(any(change.below != change.at for change in changes) for changes in CHANGES.values())


@pytest.mark.parametrize(
    ("minor", "change"),
    [
        pytest.param(minor, change, id=f"1.{minor}-{feature.name}-{number}")
        for (minor, feature), changes in CHANGES.items()
        for number, change in enumerate(changes)
    ],
)
def test_a_feature_comes_with_its_version(ask_at: Callable[[str], Ask], minor: int, change: Change) -> None:
    assert change.look(ask_at(f"1.{minor - 1}" if minor else "0.9")) == change.below
    assert change.look(ask_at(f"1.{minor}")) == change.at
