"""The guide to what would be shows what the command prints."""

import re
import shlex
from pathlib import Path

import pytest
from cloud import load_cloud, read_cloud
from commands import ANY_TIME, Command
from flask.testing import FlaskClient

from graphplace.settings import Settings

GUIDE = (Path(__file__).parents[2] / "docs" / "what-if.md").read_text()
BLOCK = re.compile(r"```(text|json)\n(.*?)```", re.DOTALL)
SHOWN = re.compile(r"```sh\ngraphplace (?P<line>what-if '[^\n]*)\n```\n\n```console\n(?P<text>.*?)```", re.DOTALL)


def test_the_candidates_that_the_guide_shows_are_current(
    client: FlaskClient, neo4j_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = dict(BLOCK.findall(GUIDE))
    load_cloud(client, read_cloud(blocks["text"]))
    (tmp_path / "changes.json").write_text(blocks["json"])
    monkeypatch.chdir(tmp_path)
    shown = list(SHOWN.finditer(GUIDE))
    assert len(shown) == GUIDE.count("graphplace what-if '") > 2
    for example in shown:
        printed = Command(neo4j_settings)(*shlex.split(example["line"]), env=ANY_TIME).stdout
        # A table has empty cells at the ends of lines.
        assert [line.rstrip() for line in printed.splitlines()] == example["text"].splitlines()
