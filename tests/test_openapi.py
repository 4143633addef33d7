"""The description of the API: that it describes every route, and that the running server does what it says."""

import copy
from collections.abc import Iterator

import pytest
import schemathesis
from cloud import load_cloud, read_cloud, uuid_of
from flask.testing import FlaskClient
from graphplace.api import create_app
from graphplace.api.openapi import document
from graphplace.api.routes import ROUTES
from http_server import serving
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from graphplace.graph.database import Database

CLOUD = """
host  VCPU:8(used=1)  MEMORY_MB:512  HW_CPU_X86_AVX  @A
  card  SRIOV_NET_VF:4
"""
# The document is about one version: another one has other answers.
HEADERS = {"X-Auth-Token": "admin", "OpenStack-API-Version": "placement 1.39, graphplace 1.0"}
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
EXAMPLES = 12


def operations() -> list[APIOperation]:
    """What the document describes, without the header that names the version: it is right in every request."""
    described = copy.deepcopy(document())
    for item in described["paths"].values():
        for operation in item.values():
            operation["parameters"] = [one for one in operation["parameters"] if one["in"] != "header"]
    return [found.ok() for found in schemathesis.openapi.from_dict(described).get_all_operations()]


@pytest.fixture
def running(client: FlaskClient, database: Database) -> Iterator[str]:
    """The address of a server with a small cloud."""
    load_cloud(client, read_cloud(CLOUD))
    with serving(create_app(database)) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.label)
def test_the_server_does_what_the_document_says(running: str, operation: APIOperation) -> None:
    good, bad = (operation.as_strategy(generation_mode=mode) for mode in GenerationMode)

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=good | bad, known=st.booleans())
    def check(case: Case, *, known: bool) -> None:
        if known and "uuid" in case.path_parameters:
            case.path_parameters["uuid"] = uuid_of("host")
        case.call_and_validate(base_url=running, headers=HEADERS, checks=CHECKS)

    check()


def test_every_route_of_the_newest_version_is_described() -> None:
    described = {(method.upper(), path) for path, item in document()["paths"].items() for method in item}
    routes = [route for routes in ROUTES.values() for route in routes if route.until is None]
    assert described == {(route.method, route.path.replace("<", "{").replace(">", "}")) for route in routes}
    assert all(route.answers for route in routes)


def test_the_document_is_no_part_of_the_api(client: FlaskClient) -> None:
    answer = client.get("/openapi.json", headers={"OpenStack-API-Version": "placement 0.9"})
    assert answer.status_code == 200
    assert answer.json["openapi"] == "3.1.0"
    assert "openstack-api-version" not in answer.headers
    assert client.get("/openapi.json", headers={"X-Auth-Token": ""}).status_code == 401
