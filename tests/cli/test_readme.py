"""The commands that the README shows, on the demo's cloud."""

import re
import shlex
from importlib.resources import files
from pathlib import Path

import pytest
from commands import Command
from flask.testing import FlaskClient

from graphplace.graph.database import Database
from graphplace.loading import load, read_cloud

README = (Path(__file__).parents[2] / "README.md").read_text()
SESSIONS = re.findall(r"```console\n\$ (.*?)```", README, re.DOTALL)


@pytest.fixture
def demo_cloud(database: Database) -> None:
    load(database, read_cloud((files("graphplace.demo") / "cloud.json").read_bytes()))


@pytest.mark.usefixtures("demo_cloud")
@pytest.mark.parametrize("session", SESSIONS)
def test_what_the_readme_shows(graphplace: Command, client: FlaskClient, session: str) -> None:
    command, _, shown = session.replace("\\\n", " ").partition("\n")
    program, *arguments = shlex.split(command)

    if program == "curl":
        path = arguments[-1].removeprefix("http://127.0.0.1:8778")
        headers = dict(one.split(": ") for one in arguments if ": " in one)
        assert client.get(path, headers=headers).get_json()["allocation_requests"]
        return
    assert program == "graphplace"
    answer = graphplace(*arguments)
    assert answer.exit_code == 0, answer.output
    if shown:
        assert [line.rstrip() for line in answer.stdout.splitlines()] == [line.rstrip() for line in shown.splitlines()]
