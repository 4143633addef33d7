"""What the child process is told: one Launch, handed over as JSON."""

import json
from dataclasses import asdict, dataclass
from importlib import resources
from typing import Self

from graphplace.graph.local import jars
from graphplace.settings import Settings

CONF_NAME = "neo4j.conf"

# What Neo4j's own start script passes, and silence about what Java 25 will one day forbid.
OPTIONS = (
    "-Xrs",  # signals are the child's, not the JVM's
    "-XX:-OmitStackTraceInFastThrow",
    "-XX:+ExitOnOutOfMemoryError",
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "-Dio.netty.tryReflectionSetAccessible=true",
)
FAST_START_OPTIONS = ("-XX:TieredStopAtLevel=1",)


@dataclass(frozen=True)
class Launch:
    """One start. Paths are text, ``port`` 0 lets Neo4j choose, ``report`` is a file descriptor.

    One JSON object goes to ``report``: ``{"pid": ...}`` once Neo4j is up, or ``{"causes": [...]}``: the messages of
    the exception and of what caused it.
    """

    data_dir: str
    class_path: list[str]
    jvm_options: list[str]
    conf_file: str
    port: int
    detached: bool
    report: int

    @classmethod
    def of(cls, settings: Settings, *, port: int, detached: bool, fast_start: bool, report: int) -> Self:
        """Return the launch that *settings* ask for, on *port*."""
        return cls(
            data_dir=str(settings.data_dir),
            class_path=jars.class_path(settings.cache_dir),
            jvm_options=[*OPTIONS, f"-Xmx{settings.neo4j_heap}", *(FAST_START_OPTIONS if fast_start else ())],
            conf_file=str(resources.files(__package__) / CONF_NAME),
            port=port,
            detached=detached,
            report=report,
        )

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what :meth:`to_json` wrote."""
        return cls(**json.loads(text))

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps(asdict(self))
