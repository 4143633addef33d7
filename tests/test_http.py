"""What every request goes through: token, version, media types, and the form of errors."""

import re

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse


def error_of(answer: TestResponse) -> dict[str, object]:
    (error,) = answer.json["errors"]
    assert error["status"] == answer.status_code
    assert answer.content_type == "application/json"
    assert re.fullmatch(r"req-[0-9a-f-]{36}", error["request_id"])
    assert answer.headers["x-openstack-request-id"] == error["request_id"]
    assert answer.headers["vary"] == "openstack-api-version"
    return error


def test_the_version_document_needs_neither_token_nor_version(client: FlaskClient) -> None:
    client.environ_base.clear()
    (version,) = client.get("/").json["versions"]

    assert version == {
        "id": "v1.0",
        "min_version": "1.0",
        "max_version": "1.39",
        "status": "CURRENT",
        "links": [{"rel": "self", "href": ""}],
    }


@pytest.mark.difference("What only graphplace has")
def test_the_version_document_lists_what_goes_beyond_placement(client: FlaskClient) -> None:
    assert client.get("/").json["extensions"] == [{"name": "graphplace", "min_version": "1.0", "max_version": "1.0"}]


def test_without_a_token_nothing_else_is_told(client: FlaskClient) -> None:
    del client.environ_base["HTTP_X_AUTH_TOKEN"]

    assert error_of(client.get("/traits"))["status"] == 401
    assert error_of(client.get("/nowhere"))["status"] == 401


def test_without_the_role_nothing_is_done(client: FlaskClient) -> None:
    assert error_of(client.get("/traits", headers={"X-Auth-Token": "somebody"}))["status"] == 403
    assert client.get("/traits", headers={"X-Auth-Token": "somebody", "X-Roles": "admin"}).status_code == 200
    assert client.get("/traits", headers={"X-Auth-Token": "admin", "X-Roles": "reader"}).status_code == 403


def test_versions_outside_the_range_are_not_acceptable(client: FlaskClient) -> None:
    for version in ("0.5", "1.40", "2.0"):
        error = error_of(client.get("/traits", headers={"OpenStack-API-Version": f"placement {version}"}))
        assert error["status"] == 406
        assert error["max_version"] == "1.39"
        assert error["min_version"] == "1.0"
        assert f"Unacceptable version header: {version}" in str(error["detail"])


def test_a_version_that_is_none_is_a_bad_request(client: FlaskClient) -> None:
    error = error_of(client.get("/traits", headers={"OpenStack-API-Version": "placement abc"}))

    assert error["status"] == 400
    assert "invalid version string" in str(error["detail"])


def test_no_version_is_the_first(client: FlaskClient) -> None:
    del client.environ_base["HTTP_OPENSTACK_API_VERSION"]

    assert client.get("/").headers["openstack-api-version"] == "placement 1.0"
    error = error_of(client.get("/traits"))
    assert error["status"] == 404
    assert "/traits exists from version 1.6 of placement on." in str(error["detail"])


def test_the_version_header_may_name_several_services(client: FlaskClient) -> None:
    answer = client.get("/traits", headers={"OpenStack-API-Version": "compute 2.90, placement 1.39"})

    assert answer.headers["openstack-api-version"] == "placement 1.39"


def test_the_version_header_may_ask_for_extensions(client: FlaskClient) -> None:
    for version in (
        "placement 1.36, graphplace 1.0",
        "graphplace latest,placement 1.36",
        "Graphplace 1.0, placement 1.36",
    ):
        answer = client.get("/traits", headers={"OpenStack-API-Version": version})
        assert answer.status_code == 200
        assert answer.headers["openstack-api-version"] == "placement 1.36"


def test_versions_of_the_extensions_that_are_not_served_are_not_acceptable(client: FlaskClient) -> None:
    for version in ("0.9", "1.1", "2.0"):
        headers = {"OpenStack-API-Version": f"placement 1.39, graphplace {version}"}
        answer = client.get("/traits", headers=headers)
        error = error_of(answer)
        assert error["status"] == 406
        assert (error["min_version"], error["max_version"]) == ("1.0", "1.0")
        assert f"Unacceptable version header: {version}. Of graphplace," in str(error["detail"])
        assert answer.headers["openstack-api-version"] == "placement 1.39"
    error = error_of(client.get("/traits", headers={"OpenStack-API-Version": "placement 1.39, graphplace one"}))
    assert error["status"] == 400
    assert "invalid version string: one" in str(error["detail"])


def test_unknown_paths_and_methods(client: FlaskClient) -> None:
    assert error_of(client.get("/nowhere"))["status"] == 404
    assert error_of(client.get("/traits/"))["status"] == 404
    answer = client.post("/traits")
    assert error_of(answer)["status"] == 405
    assert answer.headers["allow"] == "GET"
    for method in ("OPTIONS", "HEAD"):
        assert client.open("/traits", method=method).status_code == 405


@pytest.mark.parametrize("path", ["", "traits", "resource_providers", "reshaper", "healthz", "ui", "openapi.json"])
def test_a_second_slash_at_the_start_is_another_path(client: FlaskClient, path: str) -> None:
    for method in ("GET", "POST"):
        answer = client.open("/", method=method, environ_overrides={"PATH_INFO": f"//{path}"})
        assert (answer.status_code, answer.content_type) == (404, "application/json")


def test_media_types(client: FlaskClient) -> None:
    assert error_of(client.get("/traits", headers={"Accept": "text/plain"}))["status"] == 406
    assert client.get("/traits", headers={"Accept": "*/*"}).status_code == 200
    assert error_of(client.post("/resource_classes"))["status"] == 415
    error = error_of(client.post("/resource_classes", data="{}", content_type="text/plain"))
    assert "The media type text/plain is not supported" in str(error["detail"])
    error = error_of(client.put("/traits/CUSTOM_A", data="null"))
    assert "content-type header required when content-length > 0" in str(error["detail"])


@pytest.mark.parametrize(
    "accepted",
    ["*", "/", "garbage", "application/", "text/plain, garbage", "text/plain;q=x", "text/plain;q=2", ";", "",
     "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", "Application/JSON ; q=0.5", "text/plain, */*;q=0.1"],
)  # fmt: skip
def test_who_does_not_say_what_it_accepts_gets_json(client: FlaskClient, accepted: str) -> None:
    answer = client.get("/traits", headers={"Accept": accepted})

    assert (answer.status_code, answer.content_type) == (200, "application/json")


@pytest.mark.parametrize(
    "accepted", ["text/*", 'text/plain;a="b;c" ; q=0.5, image/gif', "application/json;q=0", "*/*;q=0"]
)
def test_who_accepts_no_json_gets_none(client: FlaskClient, accepted: str) -> None:
    assert client.get("/traits", headers={"Accept": accepted}).status_code == 406
    assert client.get("/resource_classes/VCPU", headers={"Accept": accepted}).status_code == 406
    assert client.get("/", headers={"Accept": accepted}).status_code == 200


def test_an_answer_without_a_body_is_for_everybody(client: FlaskClient) -> None:
    client.put("/traits/CUSTOM_A")

    assert client.get("/traits/CUSTOM_A", headers={"Accept": "text/plain"}).status_code == 204
    assert client.get("/traits/CUSTOM_B", headers={"Accept": "text/plain"}).status_code == 404


def test_html_for_those_who_ask(client: FlaskClient) -> None:
    answer = client.get("/traits/<script>", headers={"Accept": "text/html"})

    assert answer.mimetype == "text/html"
    assert b"<script>" not in answer.data


def test_the_reason_is_the_last_line_of_the_detail(client: FlaskClient) -> None:
    detail = client.get("/resource_classes/CUSTOM_X").json["errors"][0]["detail"]

    assert detail.split("\n")[-1].strip() == "No such resource class CUSTOM_X."


def test_what_jsonschema_says_in_many_lines_is_one_line(client: FlaskClient) -> None:
    detail = error_of(client.post("/resource_classes", json={"name": "ONE"}))["detail"]

    last = str(detail).splitlines()[-1]
    assert last.startswith(" JSON does not validate: 'ONE' does not match")
    assert "Failed validating 'pattern'" in last
