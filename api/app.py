"""The application itself: one blueprint per resource, and what every request goes through."""

from flask import Flask
from graphplace.api import failures, identity, routes, version

from graphplace.graph.database import Database

# Far above any real body (a reshape of a whole host is some hundred kilobytes), and below what hurts.
MAX_BODY_BYTES = 32 * 1024 * 1024


def create_app(database: Database) -> Flask:
    """Return the WSGI application that serves Placement's API from *database*."""
    app = Flask("graphplace.api", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES
    app.config["PROPAGATE_EXCEPTIONS"] = False
    app.url_map.merge_slashes = False
    app.extensions["graphplace.database"] = database
    routes.register(app)
    failures.register(app)
    # Who asks, and for which version, is settled before what for: an unknown path is a 404 of that version.
    app.before_request(identity.authenticate)
    app.before_request(version.negotiate)
    app.after_request(version.add_headers)
    app.after_request(failures.add_request_id)
    return app
