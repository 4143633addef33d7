"""Fetching one jar from Maven Central, through jgo, which knows where that is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import requests
from jgo.maven import MavenContext, PythonResolver

from graphplace.graph.local import failures, jars

TRIES = 3
TIMEOUT_SECONDS = 30


def fetch(jar: jars.Jar, work: Path, advance: Callable[[int], None]) -> Path:
    """Fetch *jar* into the folder *work* and return the file, unchecked; *advance* takes the bytes as they come.

    Raises LocalNeo4jError when there is no network, or no such jar.
    """

    @contextmanager
    def counted(_name: str, _size: int) -> Iterator[Callable[[int], None]]:
        yield advance

    context = MavenContext(PythonResolver(progress_callback=counted), repo_cache=work, timeout=TIMEOUT_SECONDS)
    artifact = context.project(jar.group, jar.artifact).at_version(jar.version).artifact(jar.classifier)
    failure: Exception | None = None
    for _ in range(TRIES):
        try:
            return Path(artifact.resolve())
        except (requests.RequestException, RuntimeError) as error:  # RuntimeError: the answer was not 200
            failure = error
            (work / artifact.component.path_prefix / artifact.filename).unlink(missing_ok=True)
    raise failures.cannot_fetch(jar.coordinate, jars.total_size(), work.parent, failure) from failure
