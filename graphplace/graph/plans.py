"""Plans of the statements that clients wait for most, made before the first of them asks."""

import logging

from graphplace.cypher import statement, statements
from graphplace.errors import GraphplaceError
from graphplace.graph.database import Database

LOG = logging.getLogger(__name__)
# Planning them takes Neo4j some hundred milliseconds each; the others take a tenth of that.
SEARCH = ("candidates.",)
CLAIMS = ("allocations.", "locks.")
# Who waits for an explanation is a person: these come last.
EXPLANATIONS = ("explain.",)


def plan_ahead(database: Database) -> None:
    """Let Neo4j plan every statement that searches, writes claims or explains, unless it has a plan already.

    A failure is logged only: whoever comes first will wait for the plan instead.
    """
    try:
        for one in statements():
            if one.name.startswith(SEARCH + CLAIMS):
                database.plan(one)
            if one.name.startswith(CLAIMS):
                database.plan(one, after=statement("schema.create_anything"))
        for one in statements():
            if one.name.startswith(EXPLANATIONS):
                database.plan(one)
    except GraphplaceError as error:
        LOG.warning("Statements are not planned ahead: %s", error)
