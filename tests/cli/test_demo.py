"""``graphplace demo`` from its first line to its last, and stopping it."""

import re
from pathlib import Path

import pytest
from commands import Command
from processes import free_port

from graphplace.cli.serve import answers

HOST = "127.0.0.1"


@pytest.mark.usefixtures("database")
def test_the_demo_twice_and_its_end(graphplace: Command, tmp_path: Path) -> None:
    port = free_port()
    env = {"GRAPHPLACE_DATA_DIR": str(tmp_path)}
    try:
        first = graphplace("demo", "--port", str(port), env=env)
        assert first.exit_code == 0, first.output
        again = graphplace("demo", "--port", str(port), env=env)

        for shown in (first.stdout, again.stdout):
            assert f"GET http://{HOST}:{port}/allocation_candidates?resources=DISK_GB:50&" in shown
            assert len(re.findall(r"^[1-8]  .*demo-host\d_numa\d VCPU:4,MEMORY_MB:8192", shown, re.MULTILINE)) == 8
            assert "VCPU      [###############.....] 24 of 32 used, 8 free" in shown
            assert "MATCH (root:Root)" in shown
    finally:
        stopped = graphplace("demo", "--stop", env=env)
    assert stopped.exit_code == 0, stopped.output
    assert not answers(HOST, port)
    assert graphplace("demo", "--stop", env=env).stdout == "No server of a demo runs.\n"


def test_a_graph_that_holds_other_hosts_is_left_alone(graphplace: Command, tmp_path: Path) -> None:
    document = tmp_path / "cloud.json"
    document.write_text(
        '{"version": 1, "providers": [{"uuid": "10000000-0000-4000-8000-000000000000", "name": "precious"}]}'
    )
    assert graphplace("load", str(document)).exit_code == 0
    env = {"GRAPHPLACE_DATA_DIR": str(tmp_path)}
    try:
        refused = graphplace("demo", "--port", str(free_port()), env=env)
    finally:
        graphplace("demo", "--stop", env=env)

    assert refused.exit_code == 1
    assert "not the demo's, precious for one" in refused.stderr
