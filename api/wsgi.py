"""The application for a WSGI server, which calls :func:`create` in each of its workers."""

import gc
import logging
import multiprocessing
import os
import signal
import threading

from flask import Flask
from graphplace.api.app import create_app

from graphplace.errors import SettingsError
from graphplace.graph.database import Database
from graphplace.graph.plans import plan_ahead
from graphplace.settings import Settings, ignored_options

LOG = logging.getLogger(__name__)
# Big answers make many objects that live until they are sent; collecting more often finds nothing to free.
GC_THRESHOLD = 50_000
# How long a worker waits for plans before it serves.
PLANNING_SECONDS = 2.0


def create() -> Flask:
    """Return the application on the database that the settings of the process name.

    Call it after the fork: a Bolt driver's connections are good for the process that made it alone. Raises
    SettingsError without ``GRAPHPLACE_NEO4J_URI``, and without ``GRAPHPLACE_AUTH_STRATEGY``: who can reach the server
    is not known here, so nobody's token is believed unless somebody said so.
    """
    threading.Thread(target=_end_with_parent, daemon=True).start()
    settings = Settings.load()
    if settings.auth_strategy is None:
        raise SettingsError("Set GRAPHPLACE_AUTH_STRATEGY to keystone, or to noauth2 if any token may be believed.")
    if ignored := ignored_options(settings):
        LOG.warning("Options of %s without effect here: %s.", settings.config, ", ".join(ignored))
    database = Database.connect(settings)
    app = create_app(database, settings)
    # Most often that is long enough; what is left is planned while the first requests are served.
    planning = threading.Thread(target=plan_ahead, args=(database,), daemon=True)
    planning.start()
    planning.join(PLANNING_SECONDS)
    gc.collect()
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)
    return app


def _end_with_parent() -> None:
    """End this process when the one that started it was killed, so that it keeps neither port nor work.

    Only ``graphplace serve`` starts workers in a way that this can see; other servers look after theirs.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
