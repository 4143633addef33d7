"""What shall be supposed, before any database is asked."""

from graphplace.candidates.overlay import AS_IT_IS
from graphplace.graph.database import Database
from graphplace.settings import Settings
from graphplace.what_if.changes import Changes
from graphplace.what_if.suppose import suppose

NOWHERE = Database.connect(Settings(neo4j_uri="bolt://127.0.0.1:1", neo4j_password="x"))


def test_who_supposes_nothing_waits_for_nobody() -> None:
    assert suppose(NOWHERE, Changes()) is AS_IT_IS
