"""``graphplace what-if`` on a real graph."""

import json
from pathlib import Path

from cloud import load_cloud, read_cloud, uuid_of
from commands import Command
from flask.testing import FlaskClient

CLOUD = """
cn1  VCPU:8(used=6)
cn2  VCPU:8
"""


def test_the_options_are_supposed_beside_the_file(graphplace: Command, client: FlaskClient, tmp_path: Path) -> None:
    load_cloud(client, read_cloud(CLOUD))
    changes = {"inventories": {uuid_of("cn1"): {"VCPU": {"total": 16}}}}
    (tmp_path / "changes.json").write_text(json.dumps(changes))
    supposed = changes | {"drained": [uuid_of("cn2")], "consumers_gone": [uuid_of("cn1 VCPU")]}
    headers = {"OpenStack-API-Version": "placement 1.39, graphplace 1.0"}
    body = client.post("/allocation_candidates/what-if?resources=VCPU:16", json=supposed, headers=headers).json
    options = ["--drain", "cn2", "--gone", uuid_of("cn1 VCPU"), "--changes", str(tmp_path / "changes.json")]

    assert len(body["allocation_requests"]) == 1
    assert json.loads(graphplace("what-if", "?resources=VCPU:16", *options, "--json").stdout) == body
    assert graphplace("what-if", "resources=VCPU:16", "--drain", uuid_of("cn2")).stdout == "No candidates.\n"


def test_what_is_wrong_is_one_line(graphplace: Command) -> None:
    for options, words in (
        (["--drain", "nobody"], "Error: No resource provider has the uuid or the name nobody.\n"),
        (["--gone", uuid_of("nobody")], f"Error: No allocations for consumer '{uuid_of('nobody')}'\n"),
    ):
        answer = graphplace("what-if", "resources=VCPU:1", *options)
        assert (answer.exit_code, answer.stderr) == (1, words)
    answer = graphplace("what-if", "resources=VCPU:1", "--changes", "-", input='{"drained": 1}')
    assert answer.exit_code == 1
    assert answer.stderr.startswith("Error: JSON does not validate: 1 is not of type 'array'")
