"""docs/ask.md lists every question of the cookbook, in the words of its header."""

import re
from pathlib import Path

from graphplace import ask

PAGE = Path(__file__).parents[2] / "docs" / "ask.md"


def test_every_question_is_documented() -> None:
    documented = re.findall(r"^\| `([\w-]+)` \| (.*) \|$", PAGE.read_text(), re.MULTILINE)

    assert documented == [(one.name, one.answers) for one in ask.cookbook().values()]


def test_every_example_is_of_its_type() -> None:
    for question in ask.cookbook().values():
        given = {parameter.name: parameter.example for parameter in question.parameters}
        assert ask.read_values(question, given).keys() == given.keys()
        assert set(re.findall(r"\$(\w+)", question.text)) == given.keys()
