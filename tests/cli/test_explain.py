"""``graphplace explain`` on a real graph."""

import json

from cloud import load_cloud, read_cloud
from commands import ANY_TIME, Command
from flask.testing import FlaskClient

CLOUD = """
cn1  VCPU:8(used=6)
cn2  VCPU:8(used=3)
"""


def test_an_explanation_as_text(graphplace: Command, client: FlaskClient) -> None:
    load_cloud(client, read_cloud(CLOUD))

    assert graphplace("explain", "resources=VCPU:6", env=ANY_TIME).stdout.splitlines()[:3] == [
        "Wanted: for the unsuffixed group, a provider with 6 VCPU free.",
        "",
        "No candidates. If nothing were allocated: 2 candidates.",
    ]


def test_an_explanation_as_the_api_answers(graphplace: Command, client: FlaskClient) -> None:
    load_cloud(client, read_cloud(CLOUD))
    headers = {"OpenStack-API-Version": "placement 1.39, graphplace 1.0"}
    body = client.get("/allocation_candidates/explain?resources=VCPU:6", headers=headers).json
    assert json.loads(graphplace("explain", "?resources=VCPU:6", "--json", env=ANY_TIME).stdout) == body


def test_a_bad_query_is_one_line(graphplace: Command) -> None:
    answer = graphplace("explain", "resources=VCPU")
    assert answer.exit_code == 1
    assert answer.stderr.startswith("Error: Badly formed resources parameter.")
