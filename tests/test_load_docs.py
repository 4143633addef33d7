"""The load format's description is right."""

import json
import re
from pathlib import Path

from graphplace.graph.database import Database
from graphplace.loading import Document, DumpLine, Loaded, load, read_cloud
from graphplace.validation import json_schema

DOCS = Path(__file__).parents[1] / "docs"


def test_the_example_can_be_loaded(database: Database) -> None:
    example = re.search(r"```json\n(.*?)```", (DOCS / "load-format.md").read_text(), re.DOTALL)
    assert example

    assert load(database, read_cloud(example[1].encode())) == Loaded(2, 0, 1, 0)


def test_the_json_schemas_are_current() -> None:
    assert json.loads((DOCS / "load-format.schema.json").read_text()) == json_schema(Document)
    assert json.loads((DOCS / "load-format-2.schema.json").read_text()) == json_schema(DumpLine)
