"""``graphplace migrate-compute-inventory`` on a real graph, with the driver that reads a file."""

from pathlib import Path
from typing import Any

import pytest
from claims import held_by, load, put
from cloud import uuid_of
from commands import Command
from flask.testing import FlaskClient

CLOUD = "cn1  VCPU:8  VGPU:4\n  numa\ncn2  VCPU:8  VGPU:4"
HOSTS = """
version: 1
others: keep
providers:
- {name: "{host}", inventories: {VCPU: {total: 8}}}
- {name: "{host}_gpu0", parent: "{host}", inventories: {VGPU: {total: 2}}}
- {name: "{host}_gpu1", parent: "{host}", inventories: {VGPU: {total: 2}}}
"""


@pytest.fixture
def options(client: FlaskClient, tmp_path: Path) -> list[str]:
    """Two flat hosts of whose VGPUs a consumer holds some, and the options that name what they have in truth."""
    load(client, CLOUD)
    put(client, "c1", {"cn1": {"VCPU": 1, "VGPU": 2}})
    file = tmp_path / "hosts.yaml"
    file.write_text(HOSTS)
    return ["--driver=file", f"--option=path={file}"]


def migrate(graphplace: Command, *arguments: str) -> Any:
    return graphplace("migrate-compute-inventory", *arguments)


def vgpus(client: FlaskClient, consumer: str) -> list[int]:
    return sorted(held["VGPU"] for uuid, held in held_by(client, consumer).items() if "VGPU" in held)


def test_hosts_are_migrated_once(graphplace: Command, client: FlaskClient, options: list[str]) -> None:
    first = migrate(graphplace, "--host=cn1", "--host=cn2", *options)

    assert first.exit_code == 0, first.output
    assert first.stdout.splitlines() == [
        "cn1: reshaped; what consumers hold moved along.",
        "cn2: reshaped; what consumers hold moved along.",
    ]
    held = held_by(client, "c1")
    assert held.pop(uuid_of("cn1")) == {"VCPU": 1}
    assert list(held.values()) == [{"VGPU": 2}]
    names = {
        one["name"] for one in client.get(f"/resource_providers?in_tree={uuid_of('cn1')}").json["resource_providers"]
    }
    assert names == {"cn1", "numa", "cn1_gpu0", "cn1_gpu1"}

    again = migrate(graphplace, "--host=cn1", "--host=cn2", *options)
    assert again.stdout.splitlines() == ["cn1: nothing to do.", "cn2: nothing to do."]


def test_a_host_that_fails_keeps_no_other_from_it(graphplace: Command, client: FlaskClient, options: list[str]) -> None:
    put(client, "c1", {"cn1": {"VCPU": 1, "VGPU": 3}}, 1)
    answer = migrate(graphplace, "--host=cn1", "--host=cn2", *options)

    assert answer.exit_code == 1
    assert answer.stdout.splitlines() == ["cn2: reshaped; what consumers hold moved along."]
    failure, summary = answer.stderr.splitlines()
    assert failure.startswith(f"cn1: Consumer {uuid_of('c1')} holds 3 VGPU, which fits no single one")
    assert failure.endswith("Move or delete the consumers that do not fit, or let the driver make room for them.")
    assert summary == "Error: cn1 could not be migrated; the reason is above."
    assert held_by(client, "c1") == {uuid_of("cn1"): {"VCPU": 1, "VGPU": 3}}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cn9", "There is no provider cn9, so nothing of it can be migrated."),
        ("numa", "The provider numa is no node: it is below"),
    ],
)
def test_a_name_that_is_no_host_s(
    graphplace: Command, client: FlaskClient, options: list[str], name: str, words: str
) -> None:
    answer = migrate(graphplace, f"--host={name}", "--host=cn1", *options)

    assert answer.exit_code == 1
    assert answer.stderr.startswith(f"{name}: {words}")
    assert answer.stdout == "cn1: reshaped; what consumers hold moved along.\n"
    assert client.get("/resource_providers?name=cn9").json["resource_providers"] == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--host=cn1", "--option=path"], "The option path is not NAME=VALUE."),
        (["--host=cn1", "--driver=xen"], "There is no driver xen"),
    ],
)
def test_what_is_wrong_is_one_line(
    graphplace: Command, client: FlaskClient, options: list[str], arguments: list[str], words: str
) -> None:
    answer = migrate(graphplace, *options, *arguments)

    assert answer.exit_code == 1
    assert answer.stderr.startswith(f"Error: {words}")
    assert held_by(client, "c1") == {uuid_of("cn1"): {"VCPU": 1, "VGPU": 2}}
