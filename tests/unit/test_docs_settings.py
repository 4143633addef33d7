"""docs/settings.md names every setting there is, and no other."""

import re
from dataclasses import fields
from pathlib import Path

from graphplace.settings import CONFIG_VARIABLE, PREFIX, Settings

PAGE = Path(__file__).parents[2] / "docs" / "settings.md"


def test_every_setting_is_documented() -> None:
    documented = set(re.findall(rf"^\| `({PREFIX}\w+)` \|", PAGE.read_text(), re.MULTILINE))

    assert documented == {PREFIX + field.name.upper() for field in fields(Settings)} | {CONFIG_VARIABLE}
