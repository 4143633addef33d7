"""The application itself: one blueprint per resource, and what every request goes through."""

from flask import Flask
from graphplace.api import (
    access_log,
    authentication,
    authorization,
    failures,
    health,
    metrics,
    openapi,
    routes,
    version,
)
from graphplace.api.mounting import mount
from graphplace.api.ui import page, views

from graphplace.candidates.remembered import Memory
from graphplace.graph.database import Database
from graphplace.settings import Settings

# Far above any real body (a reshape of a whole host is some hundred kilobytes), and below what hurts.
MAX_BODY_BYTES = 32 * 1024 * 1024


def create_app(database: Database, settings: Settings | None = None) -> Flask:
    """Return the WSGI application that serves Placement's API from *database*, as *settings* say (the defaults).

    Raises SettingsError for settings that need what is not installed.
    """
    settings = settings or Settings()
    app = Flask("graphplace.api", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES
    app.config["PROPAGATE_EXCEPTIONS"] = False
    app.url_map.merge_slashes = False
    app.extensions["graphplace.database"] = database
    app.extensions["graphplace.settings"] = settings
    app.extensions["graphplace.memory"] = Memory(settings.remembered_providers)
    routes.register(app)
    openapi.register(app)
    health.register(app, database)
    # It counts from before anything is checked until after everything is done.
    metrics.register(app, database, settings)
    access_log.register(app, settings)
    page.register(app)
    views.register(app)
    failures.register(app)
    # Who asks, and for which version, is settled before what for: an unknown path is a 404 of that version.
    authentication.register(app, settings)
    authorization.register(app, settings)
    app.before_request(version.negotiate)
    app.before_request(routes.refuse_second_slash)
    app.after_request(version.add_headers)
    app.after_request(failures.add_request_id)
    app.wsgi_app = mount(app.wsgi_app, settings)  # type: ignore[assignment,method-assign]  # as Flask has it
    return app
