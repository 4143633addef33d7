"""What Placement's clients do with graphplace: the cases in inside/, and the tests that the clients ship themselves.

A case is a test function that runs in the environment of its client. All cases of one client run in one process; each
is reported here by its name. GRAPHPLACE_TEST_PLACEMENT=http://... runs the same against another service, such as a real
Placement.
"""

import ast
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache

import pytest
from clients.environments import CLIENTS, INSIDE, Client, run
from clients.identity import REGION, identity

Outcomes = Callable[[Client], dict[str, list[str]]]

CASES = [
    pytest.param(client, f"{file.stem}::{function.name}", id=f"{client}-{file.stem}::{function.name}")
    for client in CLIENTS
    for file in sorted((INSIDE / client.cases).glob("test_*.py"))
    for function in ast.parse(file.read_text()).body
    if isinstance(function, ast.FunctionDef) and function.name.startswith("test_")
]


@pytest.fixture(scope="module")
def cloud(placement: str) -> Iterator[dict[str, str]]:
    """The environment variables by which a client finds the service, and someone to log in as, in a cloud."""
    with identity(placement) as url:
        yield {
            "PLACEMENT_ENDPOINT": placement,
            "OS_AUTH_TYPE": "v3password",
            "OS_AUTH_URL": url,
            "OS_USERNAME": "admin",
            "OS_PASSWORD": "admin",
            "OS_PROJECT_NAME": "admin",
            "OS_USER_DOMAIN_NAME": "Default",
            "OS_PROJECT_DOMAIN_NAME": "Default",
            "OS_REGION_NAME": REGION,
        }


@pytest.fixture(scope="module")
def outcomes(cloud: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Outcomes:
    """Run the cases of a client, once: for each case by its name, "" or how it failed, for each of its parameters."""

    @cache
    def run_cases(client: Client) -> dict[str, list[str]]:
        report = tmp_path_factory.mktemp(client.name) / "report.jsonl"
        pytest_options = ["-c", "pytest.ini", "--confcutdir=."]
        finished = run(client, "-m", "pytest", *pytest_options, client.cases, CASES_REPORT=str(report), **cloud)
        assert finished.returncode in (0, 1), finished.stdout  # all cases ran; 1: some failed
        found = defaultdict(list)
        for line in report.read_text().splitlines():
            outcome = json.loads(line)
            found[outcome["case"]].append(outcome["failure"])
        return found

    return run_cases


@pytest.mark.parametrize(("client", "case"), CASES)
def test_case(client: Client, case: str, outcomes: Outcomes) -> None:
    found = outcomes(client)[case]

    assert found, "it did not run"
    assert not any(found), "\n".join(found)


@pytest.mark.parametrize("client", [pytest.param(client, id=client.name) for client in CLIENTS if client.suite])
def test_the_suite_that_the_client_ships(client: Client, placement: str, cloud: dict[str, str]) -> None:
    variables = cloud if client.suite_logs_in else {"PLACEMENT_ENDPOINT": placement}
    prepared = run(client, "-c", "import service; service.furnish()", **variables)
    assert prepared.returncode == 0, prepared.stdout

    finished = run(client, "-W", "ignore", "-m", "unittest", *client.suite, **variables)

    assert re.search(rf"^Ran {client.suite_size} tests in .*\n\nOK$", finished.stdout, re.MULTILINE), finished.stdout
