"""The image and the compose file of docker/: linted always, built and started where that can be done.

``make docker-check`` sets GRAPHPLACE_TEST_IMAGE, as the two tests that install or build take longer than others.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml
from compose_spec import PyCompose
from dockerfile_parse import DockerfileParser
from processes import HEADERS, serving
from testcontainers.compose import DockerCompose

from graphplace.cli.serve import environment
from graphplace.graph.database import Database
from graphplace.settings import Settings

ROOT = Path(__file__).parents[2]
DOCKERFILE = ROOT / "docker" / "Dockerfile"
COMPOSE = ROOT / "docker" / "compose.yaml"
HADOLINT = Path(sys.executable).with_name("hadolint")

wanted = pytest.mark.skipif(
    "GRAPHPLACE_TEST_IMAGE" not in os.environ, reason="GRAPHPLACE_TEST_IMAGE is not set: make docker-check"
)


@dataclass
class Stage:
    """One stage of the Dockerfile: its instructions in order, and the variables that it sets."""

    steps: list[tuple[str, str]] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)

    def last(self, instruction: str) -> str:
        return [value for name, value in self.steps if name == instruction][-1]


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> list[Stage]:
    # The parser opens its file for writing as well.
    copy = shutil.copy(DOCKERFILE, tmp_path_factory.mktemp("parsed") / "Dockerfile")
    found: list[Stage] = []
    for step in DockerfileParser(str(copy)).structure:
        if step["instruction"] == "FROM":
            found.append(Stage())
        elif step["instruction"] == "ENV":
            found[-1].variables |= dict(pair.split("=", 1) for pair in shlex.split(step["value"]))
        elif step["instruction"] != "COMMENT":
            found[-1].steps.append((step["instruction"], step["value"]))
    return found


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return dict(yaml.safe_load(COMPOSE.read_text()))


def test_the_dockerfile_has_no_fault_that_hadolint_knows() -> None:
    linted = subprocess.run([HADOLINT, DOCKERFILE], capture_output=True, text=True, check=False)  # noqa: S603  # of the extra

    assert (linted.returncode, linted.stdout + linted.stderr) == (0, "")


def test_the_compose_file_is_one() -> None:
    found = PyCompose.from_yaml(COMPOSE.read_text())
    found.validate()

    assert found.service_names() == ["neo4j", "api"]


def test_the_image_has_little_to_take_and_its_container_may_do_little(
    stages: list[Stage], compose: dict[str, Any]
) -> None:
    build, final = stages
    assert [value for name, value in final.steps if name == "COPY"] == ["--from=build /opt/graphplace /opt/graphplace"]
    assert "RUN" not in dict(final.steps)
    assert "USER" not in dict(build.steps)
    user, group = final.last("USER").split(":")
    assert int(user) > 0 < int(group)
    api = compose["services"]["api"]
    assert api["read_only"] is True
    assert (api["tmpfs"], api["cap_drop"]) == (["/tmp"], ["ALL"])  # noqa: S108  # that is its name
    assert api["ports"][0].startswith("127.0.0.1:")
    assert "ports" not in compose["services"]["neo4j"]
    assert "NEO4J_db_memory_transaction_max" in compose["services"]["neo4j"]["environment"]
    assert api["depends_on"] == {"neo4j": {"condition": "service_healthy"}}
    assert "/readyz" in final.last("HEALTHCHECK")


def test_all_that_the_package_is_made_of_is_copied(stages: list[Stage]) -> None:
    copied = {word for name, value in stages[0].steps if name == "COPY" for word in value.split()[:-1]}
    kept = {line[1:] for line in Path(f"{DOCKERFILE}.dockerignore").read_text().splitlines() if line.startswith("!")}

    assert kept == copied
    assert {"graphplace", "api", "cypher"} <= copied


@wanted
def test_the_steps_of_the_image_in_a_clean_environment(
    stages: list[Stage], tmp_path: Path, neo4j_settings: Settings, connected: Database
) -> None:
    """What COPY and RUN do, and then what the container does: it serves, and its health check sees that."""
    build, final = stages
    source, venv = tmp_path / "source", tmp_path / "venv"
    source.mkdir()
    for name, value in build.steps:
        if name == "COPY":
            *files, _ = value.split()
            for file in files:
                copy = shutil.copytree if (ROOT / file).is_dir() else shutil.copy
                copy(ROOT / file, source / file)
        elif name == "RUN":
            shell = ["bash", "-euo", "pipefail", "-c", value]
            variables = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)} | build.variables | {"VENV": str(venv)}
            subprocess.run(shell, cwd=source, env=_pip(variables), check=True, stdout=subprocess.DEVNULL)  # noqa: S603
    # What is copied on is the environment alone.
    shutil.rmtree(source)
    variables = {"PATH": f"{venv / 'bin'}:/usr/bin:/bin", "HOME": "/nowhere", "PYTHONDONTWRITEBYTECODE": "1"}
    entry, command = json.loads(final.last("ENTRYPOINT")), json.loads(final.last("CMD"))
    assert [*entry, command[0]] == ["graphplace", "serve"]
    started = [str(venv / "bin" / entry[0]), *command, "--allow-remote-noauth"]
    with serving(environment(neo4j_settings) | variables, started) as server:
        check = json.loads(final.last("HEALTHCHECK").partition("CMD ")[2])
        check[-1] = check[-1].replace(":8778", f":{server.port}")
        subprocess.run([str(venv / "bin" / check[0]), *check[1:]], env=variables, check=True)  # noqa: S603
        assert server.status("GET", "/traits") == 200


def _pip(variables: dict[str, str]) -> dict[str, str]:
    """Add how this machine installs packages, which the image's own network decides there."""
    return variables | {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))}


@pytest.fixture
def engine() -> None:
    """A container engine with compose, without which there is nothing to try."""
    for command in ("info", "compose version"):
        try:
            subprocess.run(["docker", *command.split()], check=True, capture_output=True, text=True)  # noqa: S603, S607
        except (OSError, subprocess.CalledProcessError) as error:
            reason = error.stderr.strip() if isinstance(error, subprocess.CalledProcessError) else error
            pytest.skip(f"docker {command}: {reason}")


@wanted
def test_the_containers_serve(engine: None) -> None:
    with DockerCompose(ROOT, compose_file_name=str(COMPOSE), build=True, wait=True) as running:
        host, port = running.get_service_host_and_port("api", 8778)
        for path, headers in (("readyz", {}), ("traits", HEADERS), ("metrics", HEADERS)):
            asked = urllib.request.Request(f"http://{host}:{port}/{path}", headers=headers)
            with urllib.request.urlopen(asked, timeout=30) as answer:  # noqa: S310
                assert answer.status == 200
