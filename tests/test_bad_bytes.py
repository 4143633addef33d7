"""Requests as bytes, as a WSGI server passes them on: any path, method, header; bodies and queries that are too much.

Never a 5xx, and every error has the form that clients read.
"""

import json
from collections.abc import Mapping

import pytest
from cloud import load_cloud, read_cloud, uuid_of
from error_form import check_form
from flask import Flask
from graphplace.api import create_app
from graphplace.api.route import Route
from graphplace.api.routes import ROUTES
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.test import create_environ, run_wsgi_app

from graphplace.graph import schema
from graphplace.graph.database import Database
from graphplace.validation import json_schema

# The routes of the newest version.
ALL = [route for routes in ROUTES.values() for route in routes if route.until is None]
WITH_BODY = [route for route in ALL if route.body is not None]
LENGTH = 10_000
TWO_MIB = 2 * 1024 * 1024
# Deeper than Python's recursion goes when it describes a value, not so deep that it is no JSON.
DEPTH = 1000
KEYS = [
    "resources", "resources_A", "required", "member_of", "in_tree", "same_subtree", "root_required", "group_policy",
    "root_member_of", "isolate", "can_split",
    "limit", "name", "uuid", "associated", "project_id", "user_id", "consumer_type", "nonsense",
]  # fmt: skip


@pytest.fixture(scope="module")
def app(connected: Database) -> Flask:
    """The API over a small cloud, which the tests may spoil."""
    schema.wipe(connected)
    made = create_app(connected)
    load_cloud(made.test_client(), read_cloud("cn1  VCPU:8(used=3)  HW_CPU_X86_AVX  @A"))
    return made


def ask(app: Flask, method: str, path: bytes, query: bytes = b"", body: bytes | None = None, **headers: str) -> None:
    """Send one request and check the answer."""
    environ = create_environ(method=method, data=body, content_type="application/json" if body is not None else None)
    environ |= {
        # As PEP 3333 has it: bytes, each as the character of the same number.
        "PATH_INFO": path.decode("latin-1"),
        "QUERY_STRING": query.decode("latin-1"),
        "HTTP_X_AUTH_TOKEN": "admin",
        "HTTP_OPENSTACK_API_VERSION": "placement 1.39, graphplace 1.0",
    } | headers
    content, status, answered = run_wsgi_app(app.wsgi_app, environ, buffered=True)
    check_form(int(status[:3]), 39, answered.get("content-type"), b"" if method == "HEAD" else b"".join(content))


def key_of(route: Route) -> str:
    return f"{route.method} {route.path}"


def filled(path: str) -> bytes:
    return path.replace("<uuid>", uuid_of("cn1")).replace("<name>", "VCPU").encode()


@pytest.mark.parametrize("route", WITH_BODY, ids=key_of)
def test_big_and_deep_bodies(app: Flask, route: Route) -> None:
    assert route.body is not None
    shape = list(route.body.values())[-1] if isinstance(route.body, Mapping) else route.body
    keys = [key.encode() for key in json_schema(shape).get("properties", [uuid_of("cn1")])]
    bodies = [
        b"[" * TWO_MIB,
        b'"' + b"a" * TWO_MIB + b'"',
        json.dumps(dict.fromkeys(map(str, range(100_000)), 1)).encode(),
        *(b'{"%s": %s1%s}' % (key, b"[" * DEPTH, b"]" * DEPTH) for key in keys),
        *(b'{"%s": %s1%s}' % (key, b'{"a":' * DEPTH, b"}" * DEPTH) for key in keys),
        *(b'{"%s": "%s"}' % (key, b"a" * TWO_MIB) for key in keys),
        *(b'{"%s": 1, "%s": 2}' % (key, key) for key in keys),
    ]
    for body in bodies:
        ask(app, route.method, filled(route.path), body=body)


@pytest.mark.parametrize("route", ALL, ids=key_of)
def test_long_query_strings(app: Flask, route: Route) -> None:
    body = b"{}" if route.body is not None else None
    queries = [part * (LENGTH // len(part)) for part in (b"a", b"a=", b"&", b"%", b"\xff", b"=")]
    for key in map(str.encode, KEYS):
        values = (b"VCPU:1,", b"in:A,", b"!A,", b"9", b"%00", b"%F0%9F%A6%A6")
        queries += [key + b"=" + value * (LENGTH // len(value)) for value in values]
        queries.append(b"&".join([key + b"=VCPU:1"] * 600))
    for query in queries:
        ask(app, route.method, filled(route.path), query, body)


@given(
    path=st.binary(max_size=60),
    method=st.sampled_from(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FROB"]),
)
def test_any_path_with_any_method(app: Flask, path: bytes, method: str) -> None:
    ask(app, method, b"/" + path)
    ask(app, method, b"/resource_providers/" + path)


@pytest.mark.parametrize("route", [route for route in ALL if "<" in route.path], ids=key_of)
@settings(max_examples=40)
@given(part=st.binary(min_size=1, max_size=40))
def test_any_bytes_for_a_part_of_a_path(app: Flask, route: Route, part: bytes) -> None:
    body = b"{}" if route.body is not None else None
    for name in ("<uuid>", "<name>"):
        before, found, after = route.path.partition(name)
        if found:
            ask(app, route.method, filled(before) + part + filled(after), body=body)


@given(
    name=st.sampled_from(
        ["HTTP_X_ROLES", "HTTP_ACCEPT", "HTTP_X_OPENSTACK_REQUEST_ID", "HTTP_HOST", "CONTENT_TYPE", "CONTENT_LENGTH"]
    ),
    value=st.text(st.characters(max_codepoint=255), max_size=30),
)
def test_any_header(app: Flask, name: str, value: str) -> None:
    ask(app, "GET", b"/traits", **{name: value})
    ask(app, "POST", b"/resource_classes", body=b'{"name": "CUSTOM_A"}', **{name: value})
