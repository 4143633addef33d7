"""For maintainers: ``python -m graphplace.graph.local.relock VERSION`` writes ``jars.lock`` anew.

Resolves what Neo4j Community of that version needs, fetches all of it into a temporary folder and writes what
it found: a few minutes, and some 150 MB. Look at the difference before committing it: from then on everybody
trusts these checksums.
"""

import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from jgo.maven import Artifact, MavenContext

from graphplace.graph.local import jars, maven

ROOTS = ("org.neo4j:neo4j", "org.neo4j:neo4j-bolt")
OPTIONAL_SCOPES = {"test", "provided", "system"}


def lock(version: str) -> str:
    """Return the text of a lock file for Neo4j *version*, sorted by coordinate."""
    with tempfile.TemporaryDirectory() as work:
        context = MavenContext(repo_cache=Path(work), timeout=maven.TIMEOUT_SECONDS)
        # The ! keeps jgo from applying the roots' own dependency management to the rest: Maven would not either.
        roots = [context.create_dependency(f"{root}:{version}!") for root in ROOTS]
        _, needed = context.resolver.resolve(roots)
        artifacts = [each.artifact for each in (*roots, *needed) if each.scope not in OPTIONAL_SCOPES]
        with ThreadPoolExecutor(jars.THREADS) as pool:
            return "".join(sorted(pool.map(_line, artifacts)))


def _line(artifact: Artifact) -> str:
    path = artifact.resolve()
    parts = (artifact.groupId, artifact.artifactId, artifact.version, artifact.classifier)
    return f"{':'.join(filter(None, parts))} {path.stat().st_size} {jars.sha256_of(path)}\n"


if __name__ == "__main__":
    Path(__file__).with_name(jars.LOCK_NAME).write_text(lock(sys.argv[1]))
