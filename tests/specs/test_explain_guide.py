"""The guide to explanations shows what the command prints."""

import re
from pathlib import Path

from cloud import load_cloud, read_cloud
from commands import ANY_TIME, Command
from flask.testing import FlaskClient

from graphplace.settings import Settings

GUIDE = (Path(__file__).parents[2] / "docs" / "explain.md").read_text()
CLOUD = re.compile(r"```text\n(.*?)```", re.DOTALL)
SHOWN = re.compile(
    r"```sh\ngraphplace explain '(?P<query>[^']*)'(?P<more>[^\n]*)\n```\n\n```console\n(?P<text>.*?)```", re.DOTALL
)


def test_an_explanation_that_the_guide_shows_is_current(client: FlaskClient, neo4j_settings: Settings) -> None:
    cloud, *_ = CLOUD.findall(GUIDE)
    load_cloud(client, read_cloud(cloud))
    shown = list(SHOWN.finditer(GUIDE))
    assert len(shown) == GUIDE.count("graphplace explain '")
    for example in shown:
        assert (
            Command(neo4j_settings)("explain", example["query"], *example["more"].split(), env=ANY_TIME).stdout
            == example["text"]
        )
