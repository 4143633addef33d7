"""The command openstack: allocations, usages and candidates, in the shape of each version."""

import uuid
from functools import partial
from typing import Any

import pytest
from service import Wire, call, touch

ONE, TWO = sorted(str(uuid.uuid4()) for _ in range(2))
CONSUMER, UNKNOWN, AGGREGATE = (str(uuid.uuid4()) for _ in range(3))
OWNER = {"project_id": "p", "user_id": "u"}
OPTIONS = {
    "1.0": "",
    "1.8": "--project-id p --user-id u",
    "1.12": "--project-id p --user-id u",
    "1.28": "--project-id p --user-id u",
    "1.38": "--project-id p --user-id u --consumer-type INSTANCE",
    "1.39": "--project-id p --user-id u --consumer-type INSTANCE",
}
MORE = {"1.0": {}, "1.8": {}, "1.12": OWNER, "1.28": OWNER} | dict.fromkeys(
    ["1.38", "1.39"], OWNER | {"consumer_type": "INSTANCE"}
)


@pytest.fixture(autouse=True)
def _providers(_empty_service: None) -> None:
    """Two providers of 8 VCPU and 1024 MEMORY_MB; the first is in an aggregate and has a trait."""
    for provider, traits, aggregates in ((ONE, ["HW_CPU_X86_AVX"], [AGGREGATE]), (TWO, [], [])):
        path = f"/resource_providers/{provider}"
        call("POST", "/resource_providers", {"uuid": provider, "name": provider})
        for generation, (field, value) in enumerate(
            {
                "inventories": {"VCPU": {"total": 8}, "MEMORY_MB": {"total": 1024}},
                "aggregates": aggregates,
                "traits": traits,
            }.items()
        ):
            call("PUT", f"{path}/{field}", {field: value, "resource_provider_generation": generation})


def resources(rows: list[dict[str, Any]]) -> dict[str, dict[str, int]]:
    return {row["resource_provider"]: row["resources"] for row in rows}


@pytest.mark.parametrize("version", OPTIONS)
def test_allocations_in_the_shape_of_each_version(openstack: Any, version: str) -> None:
    command = f"resource provider allocation set {CONSUMER} {OPTIONS[version]}"
    generation = openstack.json(f"resource provider show {ONE}")["generation"]

    for amount in (1, 2):
        row = {"resource_provider": ONE, "generation": generation + amount, "resources": {"VCPU": amount}}
        written = openstack.json(f"{command} --allocation rp={ONE},VCPU={amount}", version)
        assert written == [row | MORE[version]]
        assert openstack.json(f"resource provider allocation show {CONSUMER}", version) == written
    shown = openstack.json(f"resource provider show {ONE} --allocations", version)["allocations"]
    assert shown[CONSUMER]["resources"] == {"VCPU": 2}
    openstack.do(f"resource provider allocation delete {CONSUMER}", version)
    assert openstack.json(f"resource provider allocation show {CONSUMER}", version) == []


@pytest.mark.parametrize("version", ["1.12", "1.28", "1.39"])
def test_allocations_are_unset(openstack: Any, version: str) -> None:
    amounts = f"--allocation rp={ONE},VCPU=2,MEMORY_MB=512 --allocation rp={TWO},VCPU=1"
    openstack.json(f"resource provider allocation set {CONSUMER} {amounts} {OPTIONS[version]}", version)
    command = f"resource provider allocation unset {CONSUMER}"

    left = openstack.json(f"{command} --resource-class MEMORY_MB", version)
    assert resources(left) == {ONE: {"VCPU": 2}, TWO: {"VCPU": 1}}
    left = openstack.json(f"{command} --provider {TWO}", version)
    assert resources(left) == {ONE: {"VCPU": 2}}
    assert openstack.json(command, version) == []


def test_somebody_else_writes_in_between(openstack: Any, wire: Wire) -> None:
    command = f"resource provider allocation set {CONSUMER} --allocation rp={ONE},VCPU=2 {OPTIONS['1.28']}"
    openstack.json(command, "1.28")
    wire.after(f"GET /allocations/{CONSUMER}", partial(touch, CONSUMER), times=2)

    for attempt in (command, f"resource provider allocation unset {CONSUMER}"):
        refusal = openstack.refusal(attempt, "1.28")
        assert "consumer generation conflict" in refusal
        assert refusal.endswith("(HTTP 409)")
    assert resources(openstack.json(f"resource provider allocation show {CONSUMER}")) == {ONE: {"VCPU": 2}}


@pytest.mark.parametrize(
    ("amounts", "refusal"),
    [
        (f"--allocation rp={ONE},VCPU=9", "409"),
        (f"--allocation rp={ONE},DISK_GB=1", "409"),
        (f"--allocation rp={UNKNOWN},VCPU=1", "400"),
        (f"--allocation rp={ONE},CUSTOM_X=1", "400"),
        (f"--allocation rp={ONE},VCPU=0", "400"),
    ],
)
def test_claims_that_are_refused(openstack: Any, amounts: str, refusal: str) -> None:
    for version, options in OPTIONS.items():
        consumer = uuid.uuid4()
        text = openstack.refusal(f"resource provider allocation set {consumer} {amounts} {options}", version)
        assert text.endswith(f"(HTTP {refusal})")
        assert len(text) > len(f"(HTTP {refusal})") + 10, "it says why"
        assert openstack.json(f"resource provider allocation show {consumer}", version) == []


def test_allocations_of_nobody(openstack: Any) -> None:
    for version in OPTIONS:
        assert openstack.json(f"resource provider allocation show {UNKNOWN}", version) == []
        refusal = openstack.refusal(f"resource provider allocation delete {UNKNOWN}", version)
        assert f"No allocations for consumer '{UNKNOWN}'" in refusal
        assert refusal.endswith("(HTTP 404)")


def test_usages(openstack: Any) -> None:
    openstack.json(f"resource provider allocation set {CONSUMER} --allocation rp={ONE},VCPU=2 {OPTIONS['1.39']}")

    used = openstack.json(f"resource provider usage show {ONE}", "1.0")
    assert sorted((row["resource_class"], row["usage"]) for row in used) == [("MEMORY_MB", 0), ("VCPU", 2)]
    vcpus = [{"resource_class": "VCPU", "usage": 2}]
    assert openstack.json("resource usage show p", "1.9") == vcpus
    assert openstack.json("resource usage show p --user-id u", "1.37") == vcpus
    assert openstack.json("resource usage show p --user-id other", "1.37") == []
    by_type = [{"resource_class": "INSTANCE", "usage": {"VCPU": 2, "consumer_count": 1}}]
    assert openstack.json("resource usage show p", "1.38") == by_type


@pytest.mark.parametrize("version", ["1.10", "1.12", "1.17", "1.29", "1.39"])
def test_candidates_in_the_shape_of_each_version(openstack: Any, version: str) -> None:
    rows = openstack.json("allocation candidate list --resource VCPU=3 --resource MEMORY_MB=8", version)

    assert sorted(row.pop("#") for row in rows) == [1, 2]
    traits = {provider: {} if version in {"1.10", "1.12"} else {"traits": names} for provider, names in TRAITS.items()}
    for row in rows:
        for column in ("allocation", "inventory used/capacity"):
            row[column] = sorted(row[column].split(","))
    assert sorted(rows, key=lambda row: row["resource provider"]) == [
        {
            "allocation": ["MEMORY_MB=8", "VCPU=3"],
            "resource provider": provider,
            "inventory used/capacity": ["MEMORY_MB=0/1024", "VCPU=0/8"],
            **traits[provider],
        }
        for provider in (ONE, TWO)
    ]


TRAITS = {ONE: "HW_CPU_X86_AVX", TWO: ""}


def test_filters_of_candidates(openstack: Any) -> None:
    def providers(options: str, version: str) -> list[str]:
        rows = openstack.json(f"allocation candidate list {options}", version)
        return sorted(row["resource provider"] for row in rows)

    assert providers("--resource VCPU=9", "1.10") == []
    assert len(providers("--resource VCPU=1 --limit 1", "1.16")) == 1
    assert providers("--resource VCPU=1 --required HW_CPU_X86_AVX", "1.17") == [ONE]
    assert providers(f"--resource VCPU=1 --member-of {AGGREGATE}", "1.21") == [ONE]
    assert providers("--resource VCPU=1 --forbidden HW_CPU_X86_AVX", "1.22") == [TWO]
    assert providers("--resource VCPU=1 --required HW_CPU_X86_AVX,HW_CPU_X86_SSE", "1.39") == [ONE]


def test_candidates_with_groups(openstack: Any) -> None:
    child = str(uuid.uuid4())
    openstack.json(f"resource provider create child --uuid {child} --parent-provider {ONE}")
    openstack.json(f"resource provider inventory set {child} --resource VCPU=4")
    groups = "--group 1 --resource VCPU=1 --group 2 --resource VCPU=2"

    def found(policy: str, version: str) -> list[list[tuple[str, str]]]:
        rows = openstack.json(f"allocation candidate list {groups} --group-policy {policy}", version)
        numbered = [(row["#"], row["resource provider"], row["allocation"]) for row in rows]
        return sorted(
            sorted((provider, amounts) for other, provider, amounts in numbered if other == number)
            for number in {number for number, _, _ in numbered}
        )

    apart = [sorted([(ONE, f"VCPU={amount}"), (child, f"VCPU={3 - amount}")]) for amount in (1, 2)]
    together = [[(provider, "VCPU=3")] for provider in (ONE, TWO, child)]
    assert found("isolate", "1.29") == sorted(apart)
    assert found("none", "1.39") == sorted(apart + together)
    assert found("none", "1.25") == sorted(together)


def test_candidates_of_a_bad_request(openstack: Any) -> None:
    command = "allocation candidate list --resource"

    assert "No such resource class NOPE" in openstack.refusal(f"{command} NOPE=1", "1.10")
    assert "No such trait" in openstack.refusal(f"{command} VCPU=1 --required CUSTOM_NEVER_MADE", "1.17")
    assert "(HTTP 400)" in openstack.refusal(f"{command} VCPU=0", "1.10")
