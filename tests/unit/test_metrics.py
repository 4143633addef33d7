"""Metrics without a database: several processes that count together, and what the board of the docs shows."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from exposition import samples
from graphplace.api import create_app, metrics

from graphplace.settings import Settings

DOCS = Path(__file__).parents[2] / "docs"
BOARD, GUIDE = DOCS / "grafana.json", DOCS / "operating.md"
NAME = re.compile(r"\bgraphplace_\w+")
WORKER = """
from graphplace.graph.metrics import RETRIES, TRANSACTIONS, TRANSIENT
RETRIES.labels(TRANSIENT).inc(2)
TRANSACTIONS.inc()
"""


class Cloud:
    """A database that has one inventory."""

    def read(self, *_: object) -> list[dict[str, Any]]:
        return [{"classes": [["VCPU", 1, 8, 2]], "providers": 1, "consumers": 1, "allocations": 1}]


def exposition() -> str:
    app = create_app(Cloud(), Settings(metrics_auth="open"))  # type: ignore[arg-type]  # a double
    return app.test_client().get("/metrics").text


def test_workers_count_together_and_what_ended_ones_were_doing_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = os.environ | {metrics.FOLDER_VARIABLE: str(tmp_path)}
    for _ in range(2):
        subprocess.run([sys.executable, "-c", WORKER], env=environment, check=True)  # noqa: S603  # our own code
    monkeypatch.setenv(metrics.FOLDER_VARIABLE, str(tmp_path))

    found = samples(exposition())

    assert found["graphplace_neo4j_retries_total", frozenset({("reason", "transient")})] == 4
    assert found.get(("graphplace_neo4j_transactions", frozenset()), 0) == 0
    assert found["graphplace_providers", frozenset()] == 1


def family(name: str) -> str:
    """The metric that a sample is of, as its documentation calls it."""
    return re.sub(r"_(bucket|count|sum)$", "", name)


@pytest.fixture
def told() -> set[str]:
    """The metrics of graphplace; one without samples is told of all the same."""
    kinds = dict(re.findall(r"^# TYPE (\S+) (\S+)$", exposition(), re.MULTILINE))
    return {name for name in kinds if name.startswith("graphplace_") and not name.endswith("_created")}


def test_the_board_shows_every_metric_and_no_other(told: set[str]) -> None:
    board = json.loads(BOARD.read_text())
    expressions = [target["expr"] for panel in board["panels"] for target in panel.get("targets", ())]
    shown = {family(name) for expression in expressions for name in NAME.findall(expression)}

    assert shown == told
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])


def test_every_metric_is_documented_and_no_other(told: set[str]) -> None:
    documented = re.findall(r"^\| (`graphplace_.*?) \|", GUIDE.read_text(), re.MULTILINE)

    assert {name for cell in documented for name in NAME.findall(cell)} == told
