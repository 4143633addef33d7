"""``graphplace reshape`` on a real graph."""

import json
from pathlib import Path
from typing import Any

import pytest
from claims import claim, held_by, load, put
from cloud import uuid_of
from commands import Command
from flask.testing import FlaskClient

CN, GPU, C1 = map(uuid_of, ("cn", "gpu", "c1"))


@pytest.fixture
def body(client: FlaskClient) -> dict[str, Any]:
    """What moves the VGPUs of a host to its GPU, one of which a consumer holds."""
    load(client, "cn  VCPU:8  VGPU:4\n  gpu")
    put(client, "c1", {"cn": {"VCPU": 1, "VGPU": 1}})
    moved = claim({"cn": {"VCPU": 1}, "gpu": {"VGPU": 1}}, 1)
    return {
        "inventories": {
            CN: {"inventories": {"VCPU": {"total": 8}}, "resource_provider_generation": 2},
            GPU: {"inventories": {"VGPU": {"total": 4}}, "resource_provider_generation": 0},
        },
        "allocations": {C1: moved},
    }


def test_a_body_is_previewed_and_then_applied(
    graphplace: Command, client: FlaskClient, body: dict[str, Any], tmp_path: Path
) -> None:
    file = tmp_path / "reshape.json"
    file.write_text(json.dumps(body))

    shown = graphplace("reshape", "--preview", str(file))
    assert shown.exit_code == 0
    assert [line.split() for line in shown.stdout.splitlines()] == [
        ["provider", "class", "before", "after"],
        ["cn", "VCPU", "1", "of", "8", "used", "1", "of", "8", "used"],
        ["cn", "VGPU", "1", "of", "4", "used", "-"],
        ["gpu", "VGPU", "-", "1", "of", "4", "used"],
        [],
        ["consumer", "class", "before", "after"],
        [C1, "VGPU", "1", "of", "cn", "1", "of", "gpu"],
        [],
        ["Nothing", "is", "in", "the", "way."],
    ]
    assert held_by(client, "c1") == {CN: {"VCPU": 1, "VGPU": 1}}

    applied = graphplace("reshape", "-", input=file.read_text())
    assert applied.stdout == "Reshaped 2 providers and 1 consumers.\n"
    assert held_by(client, "c1") == {CN: {"VCPU": 1}, GPU: {"VGPU": 1}}


@pytest.mark.parametrize("typed", [True, False])
def test_what_the_preview_finds_in_the_way_is(
    graphplace: Command, client: FlaskClient, body: dict[str, Any], *, typed: bool
) -> None:
    body["inventories"][CN]["resource_provider_generation"] = 1
    if not typed:  # as clients write it that know no types of consumers
        del body["allocations"][C1]["consumer_type"]

    shown = graphplace("reshape", "--preview", "--json", "-", input=json.dumps(body))
    assert shown.exit_code == 1
    (conflict,) = json.loads(shown.stdout)["conflicts"]
    assert (conflict["status"], conflict["code"]) == (409, "placement.concurrent_update")
    refused = graphplace("reshape", "-", input=json.dumps(body))
    assert refused.exit_code == 1
    assert conflict["detail"] in refused.stderr
    assert held_by(client, "c1") == {CN: {"VCPU": 1, "VGPU": 1}}


def test_a_file_that_is_no_body_is_one_line(graphplace: Command) -> None:
    for options in ([], ["--preview"]):
        answer = graphplace("reshape", *options, "-", input="{}")
        assert answer.exit_code == 1
        assert "JSON does not validate" in answer.stderr.splitlines()[-1]
