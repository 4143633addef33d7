"""How every command finds its database."""

from collections.abc import Iterator
from contextlib import contextmanager

from graphplace.graph import local, schema
from graphplace.graph.database import Database
from graphplace.settings import Settings


@contextmanager
def open_database(settings: Settings) -> Iterator[Database]:
    """Yield the database that *settings* name, with its schema up to date, and close it at the end.

    Without a URI it is the managed local Neo4j: the one that runs on the data folder, or, if none does, one that
    runs for as long as the block. Raises StoreUnavailableError, SettingsError and LocalNeo4jError.
    """
    with running_neo4j(settings) as found:
        database = Database.connect(found)
        try:
            schema.initialise(database)
            yield database
        finally:
            database.close()


@contextmanager
def running_neo4j(settings: Settings) -> Iterator[Settings]:
    """Yield *settings* with the URI and the login of a Neo4j that runs for as long as the block at least."""
    if settings.neo4j_uri is not None:
        yield settings
    elif (found := local.running(settings)) is not None:
        yield found.connect_to(settings)
    else:
        with local.start(settings, detached=False, progress=local.Progress()) as started:
            yield started.connect_to(settings)
