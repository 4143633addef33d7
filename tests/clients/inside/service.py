"""A pytest plugin for the environments of the clients: the service that PLACEMENT_ENDPOINT names, empty for each test.

It speaks to the service as any client would, so it works with Placement as well as with graphplace.
"""

import json
import os
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from keystoneauth1.session import Session

TOKEN = "admin"
# The newest that Nova and Neutron know.
VERSION = "1.37"


def call(method: str, path: str, body: Any = None, version: str = VERSION) -> Any:
    """Send one request to the service; returns the JSON of the answer, None without a body.

    Raises urllib.error.HTTPError when the service refuses.
    """
    headers = {"X-Auth-Token": TOKEN, "OpenStack-API-Version": f"placement {version}"}
    if body is not None:
        headers["Content-Type"] = "application/json"
    data = None if body is None else json.dumps(body).encode()
    url = os.environ["PLACEMENT_ENDPOINT"] + path
    with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)) as answer:  # noqa: S310  # http
        text = answer.read()
    return json.loads(text) if text else None


def claim(resources: dict[str, dict[str, int]], generation: int | None = None) -> dict[str, Any]:
    """Return the body of PUT /allocations/{consumer}: amounts by provider and class, the consumer's generation."""
    return {
        "allocations": {provider: {"resources": amounts} for provider, amounts in resources.items()},
        "project_id": "project",
        "user_id": "user",
        "consumer_generation": generation,
    }


def bump(provider: str) -> None:
    """Write to *provider*, so that its generation is another one."""
    path = f"/resource_providers/{provider}"
    generation = call("GET", path)["generation"]
    aggregates = call("GET", f"{path}/aggregates")["aggregates"]
    call("PUT", f"{path}/aggregates", {"aggregates": aggregates, "resource_provider_generation": generation})


def touch(consumer: str) -> None:
    """Write the allocations of *consumer* as they are, so that its generation is another one."""
    call("PUT", f"/allocations/{consumer}", call("GET", f"/allocations/{consumer}"))


def empty() -> None:
    """Delete all allocations, providers, custom resource classes and custom traits."""
    providers = call("GET", "/resource_providers")["resource_providers"]
    held = [call("GET", f"/resource_providers/{provider['uuid']}/allocations")["allocations"] for provider in providers]
    for consumer in {consumer for allocations in held for consumer in allocations}:
        call("DELETE", f"/allocations/{consumer}")
    parents = {provider["uuid"]: provider["parent_provider_uuid"] for provider in providers}
    while parents:
        for leaf in parents.keys() - set(parents.values()):
            call("DELETE", f"/resource_providers/{leaf}")
            del parents[leaf]
    for entry in call("GET", "/resource_classes")["resource_classes"]:
        if entry["name"].startswith("CUSTOM_"):
            call("DELETE", f"/resource_classes/{entry['name']}")
    for name in call("GET", "/traits?name=startswith:CUSTOM_")["traits"]:
        call("DELETE", f"/traits/{name}")


def furnish() -> None:
    """Leave one host that an instance of the project admin is on, as suites expect that are meant for a test cloud."""
    empty()
    host = call("POST", "/resource_providers", {"name": "host"})["uuid"]
    inventories = {"VCPU": {"total": 8}, "MEMORY_MB": {"total": 8192}, "DISK_GB": {"total": 100}}
    path = f"/resource_providers/{host}/inventories"
    call("PUT", path, {"inventories": inventories, "resource_provider_generation": 0})
    owner = {"project_id": "admin", "user_id": "admin"}
    call("PUT", f"/allocations/{uuid.uuid4()}", claim({host: {"VCPU": 1}}) | owner)


class Wire:
    """What the client sends through keystoneauth1, which all clients use, and a chance to be quicker than it.

    ``sent`` has each request to Placement as "METHOD /path?query".
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sent: list[str] = []
        self._actions: dict[str, Iterator[Callable[[], None]]] = {}
        request = Session.request

        def watched(session: Session, url: str, method: str, **options: Any) -> Any:
            line = f"{method} {url.removeprefix(os.environ['PLACEMENT_ENDPOINT'])}"
            if url.startswith(os.environ["OS_AUTH_URL"]):
                return request(session, url, method, **options)
            self.sent.append(line)
            try:
                return request(session, url, method, **options)
            finally:
                action = next(self._actions.get(line, iter(())), None)
                if action is not None:
                    action()

        monkeypatch.setattr(Session, "request", watched)

    def after(self, line: str, action: Callable[[], None], *, times: int = 1) -> None:
        """Do *action* after the client's next *times* requests *line*, before it goes on."""
        self._actions[line] = iter([action] * times)


@pytest.fixture(autouse=True)
def _empty_service() -> None:
    empty()


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    """The requests of the client."""
    return Wire(monkeypatch)


@pytest.fixture
def configuration(tmp_path: Path) -> Path:
    """A configuration file with a [placement] section, as Nova and Neutron have one."""
    options = {
        "auth_type": os.environ["OS_AUTH_TYPE"],
        "auth_url": os.environ["OS_AUTH_URL"],
        "username": os.environ["OS_USERNAME"],
        "password": os.environ["OS_PASSWORD"],
        "project_name": os.environ["OS_PROJECT_NAME"],
        "user_domain_name": os.environ["OS_USER_DOMAIN_NAME"],
        "project_domain_name": os.environ["OS_PROJECT_DOMAIN_NAME"],
        "region_name": os.environ["OS_REGION_NAME"],
    }
    file = tmp_path / "service.conf"
    file.write_text("\n".join(["[placement]", *(f"{name} = {value}" for name, value in options.items())]))
    return file


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Append a line of JSON to the file CASES_REPORT: the name of the case, and how it failed, empty if it did not."""
    if report.when != "call" and report.passed:
        return
    name = report.nodeid.rpartition("/")[2].replace(".py", "").partition("[")[0]
    failure = "" if report.passed else f"{report.nodeid}: {report.outcome}\n{report.longreprtext}"
    with Path(os.environ["CASES_REPORT"]).open("a") as file:
        file.write(json.dumps({"case": name, "failure": failure}) + "\n")
