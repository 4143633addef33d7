"""The managed local Neo4j: a real Neo4j Community on the loopback interface, for when no URI is set.

``start`` fetches it on first use and runs it as a child process; ``running`` finds the one that runs on a data
folder, ``stop`` ends it, ``status`` tells. Needs the extra ``graphplace[local]``.
"""

from graphplace.graph.local.process import LocalNeo4j, Status, running, start, status, stop
from graphplace.graph.local.progress import Progress

__all__ = ["LocalNeo4j", "Progress", "Status", "running", "start", "status", "stop"]
