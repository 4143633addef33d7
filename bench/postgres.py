"""A PostgreSQL of one's own, with its default settings: the programs of the system, a data folder, no network."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NAME = "placement"
PORT = 5432
# PostgreSQL refuses to run as root.
UNPRIVILEGED = "postgres"


class Postgres:
    """A PostgreSQL that runs, with one empty database; its socket is in *folder*."""

    def __init__(self, folder: Path, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.url = f"postgresql+psycopg2://{NAME}@/{NAME}?host={folder}&port={PORT}"
        self._folder = folder

    def sql(self, statement: str, given: str = "") -> str:
        """Run one statement, with *given* to copy from, and return its rows as lines of columns between bars."""
        plain = ("--quiet", "--no-align", "--tuples-only", "--set=ON_ERROR_STOP=1")
        return self.run("psql", *plain, f"--command={statement}", NAME, given=given)

    def run(self, program: str, *words: str, given: str = "") -> str:
        """Run one of PostgreSQL's client programs and return what it prints. Raises CalledProcessError."""
        command = [binary(program), f"--host={self._folder}", f"--port={PORT}", f"--username={NAME}", *words]
        return subprocess.run(command, input=given, check=True, stdout=subprocess.PIPE, text=True).stdout  # noqa: S603  # made here


@contextmanager
def postgres(folder: Path) -> Iterator[Postgres]:
    """Run PostgreSQL with its data in *folder*, which is there, as long as the block."""
    user = UNPRIVILEGED if os.geteuid() == 0 else None
    if user:
        shutil.chown(folder, user)
    data, log = folder / "data", folder / "postgres.log"
    options = ("--auth=trust", f"--username={NAME}", "--encoding=UTF8", "--locale=C.UTF-8")
    command = [binary("initdb"), f"--pgdata={data}", *options]
    subprocess.run(command, user=user, cwd=folder, check=True, stdout=subprocess.DEVNULL)  # noqa: S603  # made here
    command = [binary("postgres"), "-D", str(data), "-p", str(PORT), "-k", str(folder), "-c", "listen_addresses="]
    with log.open("w") as out:
        process = subprocess.Popen(command, user=user, cwd=folder, stderr=out)  # noqa: S603  # made here
    try:
        _wait(folder, process, log)
        server = Postgres(folder, process)
        server.run("createdb", NAME)
        yield server
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


def binary(program: str) -> str:
    """Return the path of one of PostgreSQL's programs. Raises SystemExit when it is not there."""
    folders = [os.environ["PATH"], *map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True))]
    found = shutil.which(program, path=os.pathsep.join(folders))
    if found is None:
        raise SystemExit(f"{program} is neither on PATH nor below /usr/lib/postgresql: install PostgreSQL.")
    return found


def _wait(folder: Path, process: subprocess.Popen[bytes], log: Path) -> None:
    ready = [binary("pg_isready"), "--quiet", f"--host={folder}", f"--port={PORT}", "--timeout=1"]
    while subprocess.run(ready, check=False).returncode:  # noqa: S603  # made here
        if process.poll() is not None:
            raise SystemExit(f"PostgreSQL did not start:\n{log.read_text()}")
