"""What the guides show is what the command prints."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphplace.cli import main

DOCS = Path(__file__).parents[2] / "docs"
SHOWN = re.compile(r"```sh\ngraphplace compile '(?P<query>[^']*)'\n```\n\n```cypher\n(?P<text>.*?)```", re.DOTALL)


@pytest.mark.parametrize("guide", ["candidates.md"])
def test_the_cypher_that_a_guide_shows_is_current(guide: str) -> None:
    shown = list(SHOWN.finditer((DOCS / guide).read_text()))
    assert shown
    for example in shown:
        assert example["text"] == CliRunner().invoke(main, ["compile", example["query"]]).output
