"""Keeping a managed Neo4j running behind a server: when it ends before its time, it is started again."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from urllib.parse import urlsplit

from graphplace.errors import LocalNeo4jError
from graphplace.graph import local
from graphplace.settings import Settings

LOG = logging.getLogger(__name__)
RETRY_SECONDS = 5


@contextmanager
def kept_neo4j(settings: Settings) -> Iterator[Settings]:
    """Yield *settings* with the URI and the login of a Neo4j that is there for as long as the block.

    One that is named by URI, or that runs on the data folder already, belongs to others and is left alone. Else the
    managed one is started, started again on the same port whenever it ends, and stopped at the end of the block.
    """
    if settings.neo4j_uri is not None:
        yield settings
    elif (found := local.running(settings)) is not None:
        yield found.connect_to(settings)
    else:
        first = local.start(settings, detached=False, progress=local.Progress())
        connected = first.connect_to(settings)
        port = urlsplit(first.uri).port or 0
        keeper = _Keeper(replace(settings, neo4j_port=port), first)
        keeper.start()
        try:
            yield connected
        finally:
            keeper.stop()


class _Keeper(threading.Thread):
    """Waits for the end of the managed Neo4j and starts it again, until it is told to stop."""

    def __init__(self, settings: Settings, neo4j: local.LocalNeo4j) -> None:
        super().__init__(name="neo4j-keeper", daemon=True)
        self._settings = settings
        self._neo4j = neo4j
        self._ending = threading.Event()

    def run(self) -> None:
        while not self._ending.is_set():
            self._neo4j.wait()
            while not self._ending.is_set() and not self._restarted():
                self._ending.wait(RETRY_SECONDS)

    def stop(self) -> None:
        self._ending.set()
        self._neo4j.stop()
        self.join()
        # It may have been starting a new one when it was told.
        self._neo4j.stop()

    def _restarted(self) -> bool:
        LOG.error("The managed Neo4j ended; starting it again. Its log is %s.", self._neo4j.log_file)
        try:
            self._neo4j = local.start(self._settings, detached=False, progress=local.Progress())
        except LocalNeo4jError as error:
            LOG.error("The managed Neo4j did not start: %s", error)  # noqa: TRY400  # the message says it all
            return False
        return True
