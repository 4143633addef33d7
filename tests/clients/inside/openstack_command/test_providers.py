"""The command openstack: resource providers, aggregates and traits."""

import json
import subprocess
import uuid
from typing import Any

import pytest
from service import call

PARENT, CHILD, OTHER, UNKNOWN = (str(uuid.uuid4()) for _ in range(4))


@pytest.fixture
def tree(openstack: Any) -> None:
    """A provider, and one below it."""
    openstack.json(f"resource provider create parent --uuid {PARENT}")
    openstack.json(f"resource provider create child --uuid {CHILD} --parent-provider {PARENT}")


def test_the_shape_of_a_provider_depends_on_the_version(openstack: Any) -> None:
    flat = {"uuid": PARENT, "name": "parent", "generation": 0}
    nested = {"root_provider_uuid": PARENT, "parent_provider_uuid": None}

    assert openstack.json(f"resource provider create parent --uuid {PARENT}", "1.0") == flat
    assert openstack.json("resource provider list", "1.0") == [flat]
    assert openstack.json(f"resource provider show {PARENT}", "1.13") == flat
    assert openstack.json(f"resource provider show {PARENT}", "1.14") == flat | nested
    assert openstack.json("resource provider list", "1.20") == [flat | nested]
    assert openstack.json(f"resource provider set {PARENT} --name renamed", "1.0") == flat | {"name": "renamed"}
    openstack.do(f"resource provider delete {PARENT}", "1.0")
    assert openstack.json("resource provider list", "1.0") == []


def test_the_newest_version_is_found_by_asking(openstack: Any, tree: None) -> None:
    listed = openstack.json("resource provider list", "1")

    assert {entry["uuid"]: entry["root_provider_uuid"] for entry in listed} == {PARENT: PARENT, CHILD: PARENT}


@pytest.mark.parametrize("version", ["1.14", "1.20", "1.29", "1.39"])
def test_a_provider_below_another(openstack: Any, version: str) -> None:
    openstack.json(f"resource provider create parent --uuid {PARENT}", version)

    created = openstack.json(f"resource provider create child --uuid {CHILD} --parent-provider {PARENT}", version)

    assert created == {
        "uuid": CHILD,
        "name": "child",
        "generation": 0,
        "root_provider_uuid": PARENT,
        "parent_provider_uuid": PARENT,
    }
    assert openstack.json(f"resource provider list --in-tree {CHILD} --name child", version) == [created]


def test_a_provider_moves_from_1_37_on(openstack: Any, tree: None) -> None:
    openstack.json(f"resource provider create other --uuid {OTHER}")
    move = f"resource provider set {CHILD} --name child --parent-provider {OTHER}"

    assert "re-parenting" in openstack.refusal(move, "1.29")
    assert openstack.json(move, "1.37")["root_provider_uuid"] == OTHER


def test_filters_of_the_list(openstack: Any, tree: None) -> None:
    aggregate = str(uuid.uuid4())
    openstack.json(f"resource provider inventory set {CHILD} --resource VCPU=8")
    openstack.json(f"resource provider trait set {CHILD} --trait HW_NUMA_ROOT")
    openstack.json(f"resource provider aggregate set {PARENT} --aggregate {aggregate} --generation 0")

    def names(options: str, version: str) -> list[str]:
        return [entry["name"] for entry in openstack.json(f"resource provider list {options}", version)]

    assert names(f"--uuid {CHILD}", "1.0") == ["child"]
    assert names(f"--member-of {aggregate}", "1.3") == ["parent"]
    assert names(f"--member-of {aggregate},{UNKNOWN} --member-of {aggregate}", "1.24") == ["parent"]
    assert names("--resource VCPU=8", "1.4") == ["child"]
    assert names("--resource VCPU=9", "1.4") == []
    assert names("--required HW_NUMA_ROOT", "1.18") == ["child"]
    assert names("--forbidden HW_NUMA_ROOT", "1.22") == ["parent"]
    assert names("--required HW_NUMA_ROOT,HW_CPU_X86_AVX", "1.39") == ["child"]


@pytest.mark.parametrize(
    ("command", "refusal"),
    [
        ("resource provider create parent", "Conflicting resource provider name: parent already exists"),
        (f"resource provider create x --uuid {PARENT}", "Conflicting resource provider uuid"),
        (f"resource provider create x --parent-provider {UNKNOWN}", "parent provider UUID does not exist"),
        (f"resource provider show {UNKNOWN}", f"No resource provider with uuid {UNKNOWN} found"),
        (f"resource provider set {UNKNOWN} --name x", f"No resource provider with uuid {UNKNOWN} found"),
        (f"resource provider set {CHILD} --name parent", "parent already exists"),
        (f"resource provider set {PARENT} --name parent --parent-provider {CHILD}", "creating loop"),
        (f"resource provider delete {UNKNOWN}", f"No resource provider with uuid {UNKNOWN} found"),
        (f"resource provider delete {PARENT}", "has child resource providers"),
        (f"resource provider usage show {UNKNOWN}", f"No resource provider with uuid {UNKNOWN} found"),
        (f"resource provider aggregate list {UNKNOWN}", f"No resource provider with uuid {UNKNOWN} found"),
        (f"resource provider aggregate set {PARENT} --aggregate {UNKNOWN} --generation 7", "generation"),
        (f"resource provider trait list {UNKNOWN}", f"No resource provider with uuid {UNKNOWN} found"),
        (f"resource provider trait set {UNKNOWN}", f"No resource provider with uuid {UNKNOWN} found"),
        (f"resource provider trait delete {UNKNOWN}", f"No resource provider with uuid {UNKNOWN} found"),
        (f"resource provider trait set {PARENT} --trait CUSTOM_NEVER_MADE", "No such trait"),
    ],
)
@pytest.mark.usefixtures("tree")
def test_refusals(openstack: Any, command: str, refusal: str) -> None:
    text = openstack.refusal(command)

    assert refusal in text
    assert text.endswith(tuple(f"(HTTP {status})" for status in (400, 404, 409)))


def test_a_command_that_its_version_does_not_have(openstack: Any) -> None:
    assert "requires at least version 1.6" in openstack.refusal("trait list", "1.5")
    assert "requires at least version 1.10" in openstack.refusal("allocation candidate list --resource VCPU=1", "1.9")


def test_aggregates(openstack: Any, tree: None) -> None:
    one, two = sorted(str(uuid.uuid4()) for _ in range(2))

    assert openstack.json(f"resource provider aggregate set {PARENT} --aggregate {one}", "1.1") == [{"uuid": one}]
    assert openstack.json(f"resource provider show {PARENT}")["generation"] == 0
    options = f"--aggregate {one} --aggregate {two} --generation 0"
    openstack.json(f"resource provider aggregate set {PARENT} {options}", "1.19")
    assert openstack.json(f"resource provider show {PARENT}")["generation"] == 1
    for version in ("1.1", "1.19", "1.39"):
        listed = openstack.json(f"resource provider aggregate list {PARENT}", version)
        assert sorted(entry["uuid"] for entry in listed) == [one, two]
    assert openstack.json(f"resource provider aggregate set {PARENT}", "1.18") == []


def test_traits(openstack: Any, tree: None) -> None:
    openstack.do("trait create CUSTOM_FAST", "1.6")
    openstack.do("trait create CUSTOM_FAST", "1.6")

    assert openstack.json("trait show CUSTOM_FAST", "1.6") == {"name": "CUSTOM_FAST"}
    assert openstack.json("trait list --name startswith:CUSTOM_") == [{"name": "CUSTOM_FAST"}]
    assert openstack.json("trait list --associated") == []
    options = "--trait CUSTOM_FAST --trait HW_NUMA_ROOT"
    for command in (
        f"resource provider trait set {PARENT} {options}",
        f"resource provider trait list {PARENT}",
        "trait list --associated",
    ):
        assert {entry["name"] for entry in openstack.json(command)} == {"CUSTOM_FAST", "HW_NUMA_ROOT"}
    assert "CUSTOM_FAST is in use" in openstack.refusal("trait delete CUSTOM_FAST")
    openstack.do(f"resource provider trait delete {PARENT}")
    openstack.do("trait delete CUSTOM_FAST")
    assert "No such trait" in openstack.refusal("trait show CUSTOM_FAST")
    assert "No such trait" in openstack.refusal("trait delete CUSTOM_FAST")
    assert "Cannot delete standard trait" in openstack.refusal("trait delete HW_NUMA_ROOT")
    assert "(HTTP 400)" in openstack.refusal("trait create FAST")


def test_the_command_as_it_is_installed() -> None:
    command = "openstack --os-placement-api-version=1.39 resource provider create host -f json"
    created = subprocess.run(command.split(), capture_output=True, check=True)  # noqa: S603  # written here
    assert call("GET", f"/resource_providers/{json.loads(created.stdout)['uuid']}")["name"] == "host"
