"""Whether this process lives, and whether it can serve: for those who start it again or send it requests.

No token is asked for, so nothing is told of what is behind.
"""

import logging
from typing import Any

from flask import Flask, Response
from graphplace.api.outside import ALIVE, READY
from graphplace.api.question import Question
from graphplace.api.responses import json_response

from graphplace.errors import GraphplaceError
from graphplace.graph import schema
from graphplace.graph.database import Database

LOG = logging.getLogger(__name__)
# Below the time-outs of those who ask, to whom silence is no answer.
ANSWER_SECONDS = 2.0


def register(app: Flask, database: Database) -> None:
    """Let *app* say whether it lives, and whether *database* lets it serve."""
    missing = Question(lambda: schema.missing_migrations(database))

    def alive() -> Response:
        return _answer({"alive": True}, 200)

    def ready() -> Response:
        obstacle = _obstacle(missing)
        return _answer({"ready": True}, 200) if obstacle is None else _answer({"ready": False, "reason": obstacle}, 503)

    for path, view in ((ALIVE, alive), (READY, ready)):
        app.add_url_rule(path, view.__name__, view, methods=["GET"], provide_automatic_options=False)


def _obstacle(missing: Question[list[str]]) -> str | None:
    """Return what keeps this process from serving, None if nothing does."""
    try:
        migrations = missing.answer(ANSWER_SECONDS)
    except TimeoutError:
        LOG.warning("Not ready: Neo4j has not answered within %g s.", ANSWER_SECONDS)
        return "Neo4j does not answer in time."
    except GraphplaceError as error:
        LOG.warning("Not ready: %s", error)
        return "Neo4j cannot be asked."
    return "The schema is not that of this version: run graphplace db sync." if migrations else None


def _answer(body: dict[str, Any], status: int) -> Response:
    response = json_response(body, status)
    response.headers["cache-control"] = "no-store"
    return response
