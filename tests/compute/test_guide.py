"""The example of docs/compute.md, as it is printed there."""

import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from graphplace.cli.serve import environment
from graphplace.settings import Settings

GUIDE = Path(__file__).parents[2] / "docs" / "compute.md"
NODE = "3f6d1c2e-7b5a-4a53-9d0e-6f1f5d9a0001"
CONSUMER = "3f6d1c2e-7b5a-4a53-9d0e-6f1f5d9a0002"


def test_the_examples_reshape_a_host_and_list_it(
    client: FlaskClient, endpoint: str, neo4j_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment(neo4j_settings).items():
        monkeypatch.setenv(name, value)
    client.post("/resource_providers", json={"uuid": NODE, "name": "host1"})
    inventories = {"VCPU": {"total": 64}, "VGPU": {"total": 8}}
    body = {"inventories": inventories, "resource_provider_generation": 0}
    assert client.put(f"/resource_providers/{NODE}/inventories", json=body).status_code == 200
    held = {NODE: {"resources": {"VCPU": 4, "VGPU": 1}}}
    owner = {"project_id": "p", "user_id": "u", "consumer_generation": None, "consumer_type": "INSTANCE"}
    assert client.put(f"/allocations/{CONSUMER}", json={"allocations": held, **owner}).status_code == 204
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(), re.DOTALL | re.MULTILINE))
    names: dict[str, Any] = {}

    exec(compile(code.replace("http://127.0.0.1:8778", endpoint), GUIDE.name, "exec"), names)  # noqa: S102  # the guide's

    providers: Any = client.get(f"/resource_providers?in_tree={NODE}").json["resource_providers"]
    uuids = {provider["name"]: provider["uuid"] for provider in providers}
    assert uuids.keys() == {"host1", "host1_gpu0"}
    assert {provider["name"] for provider in names["providers"]["resource_providers"]} == uuids.keys()
    allocations = client.get(f"/allocations/{CONSUMER}").json["allocations"]
    assert {uuid: entry["resources"] for uuid, entry in allocations.items()} == {
        NODE: {"VCPU": 4},
        uuids["host1_gpu0"]: {"VGPU": 1},
    }
