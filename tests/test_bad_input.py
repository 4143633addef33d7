"""Bad input on every route of the table: never a failure of the server, always Placement's form of errors."""

import copy
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest
from cloud import load_cloud, read_cloud, uuid_of
from error_form import check_form
from flask.testing import FlaskClient
from graphplace.api.route import Route
from graphplace.api.routes import ROUTES
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

CLOUD = """
cn1  VCPU:8(used=1)  MEMORY_MB:512  HW_CPU_X86_AVX  @A
  numa0  SRIOV_NET_VF:4
"""
HOST = uuid_of("cn1")
NOBODY = "00000000-0000-4000-8000-00000000dead"
NEW_CLASS = "CUSTOM_NEW"
OWNER = {"project_id": "p", "user_id": "u", "consumer_type": "INSTANCE"}
CLAIM = {"allocations": {HOST: {"resources": {"VCPU": 1}}}, "consumer_generation": None, **OWNER}
INVENTORY = {
    "total": 8,
    "reserved": 0,
    "min_unit": 1,
    "max_unit": 8,
    "step_size": 1,
    "allocation_ratio": 1.5,
}
RESHAPE = {
    "inventories": {HOST: {"resource_provider_generation": 0, "inventories": {"VCPU": INVENTORY}}},
    "allocations": {NOBODY: CLAIM},
}

NEWEST = "1.39"

# A body for each route that takes one, good but for what a test changes in it; older ones with their last version.
BODIES: dict[str, Any] = {
    "POST /resource_providers": {"name": NOBODY, "uuid": NOBODY, "parent_provider_uuid": HOST},
    "PUT /resource_providers/<uuid>": {"name": "cn1", "parent_provider_uuid": None},
    "PUT /resource_providers/<uuid>/aggregates": {"resource_provider_generation": 0, "aggregates": [NOBODY]},
    "PUT /resource_providers/<uuid>/aggregates 1.18": [NOBODY],
    "PUT /resource_providers/<uuid>/traits": {"resource_provider_generation": 0, "traits": ["HW_CPU_X86_AVX"]},
    "POST /resource_classes": {"name": NEW_CLASS},
    "PUT /resource_classes/<name> 1.6": {"name": NEW_CLASS},
    "POST /resource_providers/<uuid>/inventories": INVENTORY | {"resource_class": "DISK_GB"},
    "PUT /resource_providers/<uuid>/inventories": {
        "resource_provider_generation": 0,
        "inventories": {"VCPU": INVENTORY, "DISK_GB": INVENTORY},
    },
    "PUT /resource_providers/<uuid>/inventories/<name>": INVENTORY | {"resource_provider_generation": 0},
    "POST /allocations": {NOBODY: CLAIM},
    "PUT /allocations/<uuid>": CLAIM,
    "PUT /allocations/<uuid> 1.11": {
        "allocations": [{"resource_provider": {"uuid": HOST}, "resources": {"VCPU": 1}}],
        "project_id": "p",
        "user_id": "u",
    },
    "POST /reshaper": RESHAPE,
    "POST /reshaper/preview": RESHAPE,
    "POST /allocation_candidates/explain": {"drained": [HOST], "inventories": {HOST: {"VCPU": {"total": 9}}}},
    "POST /allocation_candidates/what-if": {
        "reshape": RESHAPE,
        "inventories": {HOST: {"VCPU": {"total": 9}, "DISK_GB": INVENTORY}},
        "drained": [HOST],
        "traits": {HOST: {"add": ["HW_CPU_X86_AVX"], "remove": ["HW_CPU_X86_AVX2"]}},
        "aggregates": {HOST: {"add": [NOBODY]}},
    },
}
# What needs the extensions, with a query that is good.
BEYOND = {
    "/reshaper/preview": b"",
    "/allocation_candidates/explain": b"resources=VCPU:1",
    "/allocation_candidates/what-if": b"resources=VCPU:1",
}
ALL = [route for routes in ROUTES.values() for route in routes]
WITH_BODY = [route for route in ALL if route.body is not None]
# The routes of the newest version.
CURRENT = [route for route in ALL if route.until is None]

JUNK = [
    None, True, 0, -1, 1.5, 2**31, 2**63, 2**64, 10**400, -(10**400), 1e308, "", " ", "0", "VCPU", "CUSTOM_NOPE",
    "in:", "!", "a\x00b", "a\nb", "\u202e", "😀", "é" * 300, "x" * 300, NOBODY, NOBODY.upper(), NOBODY.replace("-", ""),
    [], [[]], {}, {"": ""}, {"a": {"b": [1]}}, [None], ["VCPU", "VCPU"],
]  # fmt: skip
NAMES = [value for value in JUNK if isinstance(value, str) and value]
# In JSON, half of a character can be written; no path or query can have it.
IN_BODIES = [*JUNK, "\ud800", "a\udfff", ["\udc00"]]
RAW = [
    b"", b"{", b"[1,", b'{"a":', b"null", b"NaN", b"[Infinity]", b"\xff\xfe", b'"\\ud800"', b'{"name": "\\ud800"}',
    b'{"name": "\xed\xa0\x80"}', b"[" * 100_000, b'{"a":' * 5_000 + b"1" + b"}" * 5_000, b"1" * 5_000,
    b"[" * 1_000 + b"]" * 1_000,
    b'{"name": "' + b"x" * 2 * 1024 * 1024 + b'"}', b'{"name": "a", "name": 1}', b"\x00",
]  # fmt: skip
QUERIES = [
    b"x", b"=", b"&&&", b"%", b"%88", b"name=%ff", b"a=1&a=2", b"\xff=1", b"limit=0", b"limit=-1",
    b"limit=" + b"9" * 400, b"resources=VCPU:1&limit=9223372036854775808", b"resources=VCPU:" + b"9" * 400,
    b"resources=VCPU:99999999999999999999",
    b"uuid=nope", b"in_tree=nope", b"member_of=in:", b"member_of=!", b"required=", b"required=in:", b"required=!!!",
    b"name=", b"name=in:", b"name=startswith:", b"associated=perhaps", b"project_id=", b"project_id=p&user_id=",
    b"consumer_type=all&project_id=%00", b"group_policy=none&group_policy=x", b"same_subtree=", b"root_required=!",
    b"isolate=", b"can_split=", b"root_member_of=!",
    b"resources" + b"A" * 65 + b"=VCPU:1", b"resources=" + b"A" * 10_000, b"&".join(b"k%d=v" % n for n in range(6_000)),
    b"required=" + b",".join(b"CUSTOM_%d" % n for n in range(1_000)), "name=é😀".encode(),
]  # fmt: skip


@pytest.fixture
def crowded(client: FlaskClient) -> FlaskClient:
    """A client of the API over a small cloud."""
    load_cloud(client, read_cloud(CLOUD))
    return client


def key_of(route: Route) -> str:
    return f"{route.method} {route.path}"


def check(answer: TestResponse) -> None:
    minor = int(answer.headers["openstack-api-version"].rpartition(".")[2])
    check_form(answer.status_code, minor, answer.content_type, answer.data)


def send(
    client: FlaskClient, method: str, path: str, query: bytes = b"", version: str = NEWEST, **body: Any
) -> TestResponse:
    beyond = ", graphplace 1.0" if path in BEYOND else ""
    query = query or BEYOND.get(path, b"")
    environ = {"QUERY_STRING": query.decode("latin-1"), "HTTP_OPENSTACK_API_VERSION": f"placement {version}{beyond}"}
    return client.open(filled(path), method=method, environ_overrides=environ, **body)


def filled(path: str, consumer: str = HOST, resource_class: str = "VCPU") -> str:
    uuid = consumer if path.startswith("/allocations") else HOST
    return path.replace("<uuid>", uuid).replace("<name>", resource_class)


@contextmanager
def good_request(client: FlaskClient, key: str) -> Iterator[tuple[str, str, str, Any]]:
    """Yield method, path, version and body of a request that succeeds, whatever was asked for before.

    It is about a consumer, a provider or a class that there is not yet.
    """
    method, path, version, *_ = [*key.split(), NEWEST]
    new = uuid4()
    old_class = "CUSTOM_OLD" if path.startswith("/resource_classes") else "VCPU"
    client.put("/resource_classes/CUSTOM_OLD")
    client.delete(f"/resource_providers/{HOST}/inventories/DISK_GB")
    generation = client.get(f"/resource_providers/{HOST}").get_json()["generation"]
    text = json.dumps(BODIES[key]).replace(NOBODY, str(new)).replace(NEW_CLASS, f"CUSTOM_{new.hex.upper()}")
    yield method, filled(path, str(new), old_class), version, with_generation(json.loads(text), generation)
    client.delete(f"/allocations/{new}")


def places(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to each value inside *value*."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*above, key)
        yield from places(item, (*above, key))


def changed(value: Any, place: tuple[Any, ...], junk: Any, how: str) -> Any:
    """Return a copy of *value* where at *place* the value is *junk*, or is gone, or has *junk* for its key."""
    value = copy.deepcopy(value)
    *way, last = place
    inside = value
    for key in way:
        inside = inside[key]
    if how == "value" or isinstance(inside, list):
        inside[last] = junk
    elif how == "gone":
        del inside[last]
    else:
        inside[str(junk)[:400]] = inside.pop(last)
    return value


def with_generation(value: Any, generation: int) -> Any:
    """Return *value* with *generation* for that of the provider."""
    if isinstance(value, dict):
        return {
            key: generation if key == "resource_provider_generation" else with_generation(item, generation)
            for key, item in value.items()
        }
    return value


def test_every_route_that_takes_a_body_is_tried() -> None:
    assert {" ".join(key.split()[:2]) for key in BODIES} == {key_of(route) for route in WITH_BODY}


@pytest.mark.parametrize("key", BODIES)
def test_the_good_bodies_are_good_each_time(crowded: FlaskClient, key: str) -> None:
    for _ in range(2):
        with good_request(crowded, key) as (method, path, version, body):
            answer = send(crowded, method, path, version=version, json=body)
        assert answer.status_code < 300, answer.text


@pytest.mark.parametrize("key", BODIES)
def test_bodies_that_are_no_json_or_something_else(crowded: FlaskClient, key: str) -> None:
    method, path, version, *_ = [*key.split(), NEWEST]
    for raw in [*RAW, *(json.dumps(junk) for junk in IN_BODIES)]:
        check(send(crowded, method, path, version=version, data=raw, content_type="application/json"))


@pytest.mark.parametrize("key", BODIES)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_good_bodies_with_something_wrong_in_them(crowded: FlaskClient, key: str, data: st.DataObject) -> None:
    with good_request(crowded, key) as (method, path, version, body):
        place = data.draw(st.sampled_from(list(places(body))))
        junk = data.draw(
            st.sampled_from(IN_BODIES) | st.text(st.characters(codec="utf-8")) | st.integers() | st.floats(0, 1e9)
        )
        how = data.draw(st.sampled_from(["value", "gone", "key"]))
        wrong = changed(body, place, junk, how)
        check(send(crowded, method, path, version=version, data=json.dumps(wrong), content_type="application/json"))


@pytest.mark.parametrize("route", [route for route in CURRENT if "<" in route.path], ids=key_of)
def test_names_in_paths(crowded: FlaskClient, route: Route) -> None:
    body = {"data": json.dumps(BODIES[key_of(route)]), "content_type": "application/json"} if route.body else {}
    for name in [*NAMES, "x" * 10_000, "..", "%2e"]:
        for part in ("<uuid>", "<name>"):
            check(send(crowded, route.method, route.path.replace(part, quote(name, safe="")), **body))


@pytest.mark.parametrize("route", [route for route in CURRENT if route.method == "GET"], ids=key_of)
def test_query_strings(crowded: FlaskClient, route: Route) -> None:
    for query in QUERIES:
        check(send(crowded, route.method, route.path, query))


@pytest.mark.parametrize("path", ["/resource_providers", "/allocation_candidates", "/usages", "/traits"])
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    pairs=st.lists(
        st.tuples(
            st.sampled_from(
                [
                    "name",
                    "uuid",
                    "in_tree",
                    "member_of",
                    "required",
                    "resources",
                    "limit",
                    "group_policy",
                    "same_subtree",
                    "root_required",
                    "root_member_of",
                    "isolate",
                    "can_split",
                    "project_id",
                    "user_id",
                    "consumer_type",
                    "associated",
                    "resources1",
                    "required1",
                    "member_of1",
                    "in_tree_A",
                    "resources_A",
                ]
            ),
            st.sampled_from(
                ["VCPU:1", "HW_CPU_X86_AVX", "!HW_CPU_X86_AVX", HOST, f"in:{HOST}", "none", "1", "_A,1", "all"]
            )
            | st.sampled_from(NAMES)
            | st.text(st.characters(codec="utf-8")),
        ),
        max_size=6,
    )
)
@example(pairs=[("resources", "VCPU:\u0661")])
def test_parameters_with_values_of_each_other(crowded: FlaskClient, path: str, pairs: list[tuple[str, str]]) -> None:
    query = "&".join(f"{key}={quote(value, safe='')}" for key, value in pairs)

    check(crowded.get(f"{path}?{query}", headers={"OpenStack-API-Version": "placement 1.39, graphplace 1.0"}))
