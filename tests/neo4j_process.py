"""Managed Neo4j processes that tests start from elsewhere and kill."""

import fcntl
import os
import signal
import subprocess
import sys

from graphplace.graph.local.folder import DataFolder
from graphplace.settings import Settings

RUN_UNTIL_INPUT_ENDS = """
import sys
from graphplace.graph import local
from graphplace.settings import Settings
local.start(Settings.load(), detached="detached" in sys.argv, fast_start=True)
print("up", flush=True)
sys.stdin.read()
"""


def start_elsewhere(settings: Settings, *arguments: str) -> subprocess.Popen[str]:
    """Start Neo4j from another Python process, and return that process once Neo4j is up."""
    process = subprocess.Popen(  # noqa: S603  # this very Python, and a constant
        [sys.executable, "-c", RUN_UNTIL_INPUT_ENDS, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={
            **os.environ,
            "GRAPHPLACE_DATA_DIR": str(settings.data_dir),
            "GRAPHPLACE_CACHE_DIR": str(settings.cache_dir),
        },
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "up\n"
    return process


def kill(process_id: int) -> None:
    os.kill(process_id, signal.SIGKILL)


def wait_until_free(settings: Settings) -> None:
    """Return when no process owns the data folder."""
    with DataFolder(settings.data_dir).lock_file.open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
