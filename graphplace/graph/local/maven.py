"""Fetching one jar from Maven Central, through jgo, which knows where that is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import requests
from jgo.maven import MavenContext, PythonResolver

from graphplace.errors import LocalNeo4jError
from graphplace.graph.local import jars

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
    size = sum(each.size for each in jars.locked_jars()) // 1_000_000
    target = work.parent
    raise LocalNeo4jError(
        f"Cannot fetch {jar.coordinate} from Maven Central ({type(failure).__name__}). The managed local Neo4j needs "
        f"the network once, for {size} MB of jars. There are two ways out: {jars.OTHER_NEO4J}, or copy the folder "
        f"{target} from a machine that has it filled to the same place here."
    ) from failure
