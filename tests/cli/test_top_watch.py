"""``graphplace top``, ``graphplace watch`` and ``graphplace completion``."""

import json

import pytest
from between import write_between
from claims import load, put
from click.shell_completion import BashComplete
from commands import Command
from flask.testing import FlaskClient

from graphplace.cli import main

CLOUD = """
cn1  VCPU:8(used=2)
cn2  VCPU:4(used=3)  DISK_GB:10
"""
TOP = [
    "class                          used  capacity  free  providers",
    "VCPU     [########............]     5        12     7          2",
    "DISK_GB  [....................]     0        10    10          1",
    "host  class                          used  capacity  free",
    "cn2   VCPU   [###############.....]     3         4     1",
    "cn1   VCPU   [#####...............]     2         8     6",
]


def words(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_what_is_full_comes_first(graphplace: Command, client: FlaskClient) -> None:
    load(client, CLOUD)
    assert words(graphplace("top").stdout) == words("\n".join(TOP))
    found = json.loads(graphplace("top", "--class", "VCPU", "--most", "1", "--json").stdout)
    assert [one["host"] for one in found["hosts"]] == ["cn2"]
    assert [one["resource_class"] for one in found["classes"]] == ["VCPU"]


def test_where_nobody_looks_only_changes_are_printed(
    graphplace: Command, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(client, CLOUD)
    reads = write_between(
        monkeypatch, "views.tree_revision", lambda: reads() == 2 and put(client, "c", {"cn1": {"VCPU": 6}}), times=3
    )
    lines = graphplace("watch", "cn1", "--times", "4", "--every", "0.1").stdout.splitlines()
    assert [line for line in lines if "VCPU" in line] == [
        "  VCPU [#####...............] 2 of 8 used, 6 free",
        "  VCPU [####################] 8 of 8 used, 0 free",
    ]


def test_what_is_full_is_watched_as_data(graphplace: Command, client: FlaskClient) -> None:
    load(client, CLOUD)
    (line,) = graphplace("watch", "--times", "2", "--every", "0.1", "--json").stdout.splitlines()
    assert json.loads(line) == json.loads(graphplace("top", "--json").stdout)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_completion(graphplace: Command, shell: str) -> None:
    script = graphplace("completion", shell).stdout
    assert f"_GRAPHPLACE_COMPLETE={shell}_complete" in script


def test_questions_and_their_options_are_completed() -> None:
    completion = BashComplete(main, {}, "graphplace", "_GRAPHPLACE_COMPLETE")
    assert [found.value for found in completion.get_completions(["ask"], "over")] == ["over-capacity"]
    assert [found.value for found in completion.get_completions(["ask", "host-tree"], "--h")] == ["--host", "--help"]
