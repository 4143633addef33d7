"""What the current request carries: its identifier, its version, and the database and settings behind it."""

import re
import uuid

from flask import current_app, g, request
from microversion_parse import Version

from graphplace.candidates.remembered import Memory
from graphplace.graph.database import Database
from graphplace.settings import Settings

_REQUEST_ID = re.compile(r"req-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def database() -> Database:
    """Return the database of the application that serves the current request."""
    found: Database = current_app.extensions["graphplace.database"]
    return found


def memory() -> Memory:
    """Return what this process remembers of the trees of :func:`database`."""
    found: Memory = current_app.extensions["graphplace.memory"]
    return found


def settings() -> Settings:
    """Return the settings of the application that serves the current request."""
    found: Settings = current_app.extensions["graphplace.settings"]
    return found


def request_id() -> str:
    """Return the current request's identifier, ``req-`` and a uuid, made when first asked for."""
    if "request_id" not in g:
        g.request_id = f"req-{uuid.uuid4()}"
    identifier: str = g.request_id
    return identifier


def global_request_id() -> str | None:
    """Return the identifier that the client's own request has, if it names one of OpenStack's form."""
    given = request.headers.get("X-Openstack-Request-Id", "")
    return given if _REQUEST_ID.fullmatch(given) else None


def microversion() -> Version | None:
    """Return the version that the current request is served at; None before it is known."""
    found: Version | None = g.get("microversion")
    return found


def extension_version() -> Version | None:
    """Return the version of graphplace's extensions that the current request asks for, if it does."""
    found: Version | None = g.get("extension_version")
    return found
