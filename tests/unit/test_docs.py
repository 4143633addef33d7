"""What the guides show is what the command prints, and what they promise has a test."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphplace.audit import AUDITS
from graphplace.cli import main

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SHOWN = re.compile(r"```sh\ngraphplace compile '(?P<query>[^']*)'\n```\n\n```cypher\n(?P<text>.*?)```", re.DOTALL)
TITLE = re.compile(r"^- \*\*(.+?)\.\*\*", re.MULTILINE)
MARKER = re.compile(r'^@pytest\.mark\.difference\("(.+?)"\)$', re.MULTILINE)


@pytest.mark.parametrize("guide", ["candidates.md"])
def test_the_cypher_that_a_guide_shows_is_current(guide: str) -> None:
    shown = list(SHOWN.finditer((DOCS / guide).read_text()))
    assert shown
    for example in shown:
        assert example["text"] == CliRunner().invoke(main, ["compile", example["query"]]).output


def test_every_audit_is_in_the_guide_in_its_own_words() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", (DOCS / "operating.md").read_text(), re.MULTILINE)
    assert [row for row in rows if row[0] in {one.name for one in AUDITS}] == [
        (one.name, f"{one.title}. {one.sentence}") for one in AUDITS
    ]


def test_each_difference_from_placement_has_a_test_and_each_of_these_tests_has_its_difference() -> None:
    listed = (DOCS / "differences.md").read_text()
    titles = TITLE.findall(listed)
    assert len(titles) == len(set(titles)) == len(re.findall(r"^- ", listed, re.MULTILINE))
    held = {title for file in (ROOT / "tests").rglob("test_*.py") for title in MARKER.findall(file.read_text())}
    assert held == set(titles)
