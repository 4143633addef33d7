"""graphplace load."""

import json
from pathlib import Path

from commands import Command
from flask.testing import FlaskClient

DOCUMENT = {
    "version": 1,
    "providers": [
        {
            "uuid": "6f3ac5b0-1a4b-4a53-8b7e-9f8ac7d3f9a1",
            "name": "host1",
            "inventories": {"VCPU": {"total": 8}},
            "traits": ["HW_CPU_X86_AVX2"],
        }
    ],
}


def test_a_file_is_loaded_and_counted(graphplace: Command, client: FlaskClient, tmp_path: Path) -> None:
    file = tmp_path / "cloud.json"
    file.write_text(json.dumps(DOCUMENT))

    first, second = graphplace("load", str(file)), graphplace("load", str(file))

    assert first.output == "1 providers: 1 created, 0 changed. 0 consumers: 0 created, 0 changed.\n"
    assert second.output == "1 providers: 0 created, 0 changed. 0 consumers: 0 created, 0 changed.\n"
    assert client.get("/allocation_candidates?resources=VCPU:8").json["allocation_requests"]


def test_standard_input_is_a_file_too(graphplace: Command) -> None:
    assert graphplace("load", "-", input=json.dumps(DOCUMENT)).exit_code == 0


def test_a_broken_file_is_refused_in_one_line(graphplace: Command, client: FlaskClient) -> None:
    broken = DOCUMENT | {"consumers": [{"uuid": "x"}]}

    result = graphplace("load", "-", input=json.dumps(broken))

    assert result.exit_code == 1
    assert result.stderr == "Error: -: $.consumers[0]: 'allocations' is a required property\n"
    assert client.get("/resource_providers").json["resource_providers"] == []


def test_the_schema_is_printed(graphplace: Command) -> None:
    schema = json.loads(graphplace("load", "--schema").output)

    assert schema["properties"].keys() == {"version", "resource_classes", "traits", "providers", "consumers"}
