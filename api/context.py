"""What the current request carries: its identifier, its version, and the database and settings behind it."""

import uuid

from flask import current_app, g
from microversion_parse import Version

from graphplace.graph.database import Database
from graphplace.settings import Settings


def database() -> Database:
    """Return the database of the application that serves the current request."""
    found: Database = current_app.extensions["graphplace.database"]
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


def microversion() -> Version | None:
    """Return the version that the current request is served at; None before it is known."""
    found: Version | None = g.get("microversion")
    return found


def extension_version() -> Version | None:
    """Return the version of graphplace's extensions that the current request asks for, if it does."""
    found: Version | None = g.get("extension_version")
    return found
