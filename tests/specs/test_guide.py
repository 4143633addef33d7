"""The examples in the guide to the extensions: the API answers them, and the pattern form finds the same candidates."""

import re
from pathlib import Path

import neo4j
import pytest
from cloud import load_cloud
from examples import Example, read_text
from flask.testing import FlaskClient
from specs.test_examples import check, check_pattern_form

from graphplace.request.syntax import EXTENDED

GUIDE = (Path(__file__).parents[2] / "docs" / "extensions.md").read_text()
BLOCKS = re.findall(r"```text\n(.*?)```", GUIDE, re.DOTALL)

each_example = pytest.mark.parametrize(
    "example", [pytest.param(one, id=one.title) for block in BLOCKS for one in read_text(block)]
)


def test_each_block_of_the_guide_is_an_example() -> None:
    assert all(len(list(read_text(block))) == 1 for block in BLOCKS)


@each_example
def test_the_api_answers_an_example(example: Example, client: FlaskClient) -> None:
    load_cloud(client, example.cloud)
    client.environ_base["HTTP_OPENSTACK_API_VERSION"] = "placement 1.39, graphplace 1.0"
    check(example, client)


@each_example
def test_the_pattern_form_finds_the_candidates_of_an_example(
    example: Example, client: FlaskClient, neo4j_driver: neo4j.Driver
) -> None:
    load_cloud(client, example.cloud)
    check_pattern_form(example, neo4j_driver, EXTENDED)
