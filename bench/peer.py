"""The real Placement, as an operator would run it: on PostgreSQL, behind uwsgi with two workers.

It is installed from its package into a virtual environment of its own; PostgreSQL is the system's. Clouds are written
straight into its tables.
"""

import os
import signal
import subprocess
import sys
import venv
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psutil
from client import free_port
from clouds import Document
from postgres import NAME, Postgres, postgres
from processes import Processes
from server import wait_for
from tables import TIMES, Cloud

ENVIRONMENT = Path(__file__).parent.parent / ".venv-peer"
PACKAGES = ["openstack-placement==16.0.0", "psycopg2-binary", "uwsgi"]
WORKERS = 2
# What Placement's documentation advises for wide trees.
TUNED = {
    "OS_PLACEMENT__MAX_ALLOCATION_CANDIDATES": "1000",
    "OS_PLACEMENT__ALLOCATION_CANDIDATES_GENERATION_STRATEGY": "breadth-first",
    "OS_WORKAROUNDS__OPTIMIZE_FOR_WIDE_PROVIDER_TREES": "true",
}


class Placement:
    """Placement on an empty *database*, with *settings* in oslo.config's form of environment variables."""

    name = "Placement"

    def __init__(self, folder: Path, database: Postgres, settings: Mapping[str, str]) -> None:
        self._log = folder / "uwsgi.log"
        self._database = database
        self._environment = {
            **os.environ,
            **settings,
            "OS_PLACEMENT_DATABASE__CONNECTION": database.url,
            "OS_API__AUTH_STRATEGY": "noauth2",
        }
        command = [ENVIRONMENT / "bin/placement-manage", "db", "sync"]
        subprocess.run(command, env=self._environment, check=True)  # noqa: S603  # made here
        self.port = free_port()
        self._uwsgi = self._start()

    def processes(self) -> Processes:
        """Return the workers with their parent, and all processes of PostgreSQL."""
        return Processes(api=_family(self._uwsgi), database=_family(self._database.process))

    def load(self, documents: Iterable[Document]) -> None:
        """Write what *documents* say into the tables."""
        cloud = Cloud(self._ids("resource_classes"), self._ids("traits"))
        for document in documents:
            cloud.add(document)
        for table in cloud.tables():
            columns = ", ".join((*table.columns, *TIMES))
            self._database.sql(f"COPY {table.name} ({columns}) FROM STDIN", table.text())
            if "id" in table.columns:
                last = f"(SELECT max(id) FROM {table.name})"  # noqa: S608  # named in tables.py
                self._database.sql(f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), {last})")
        self._database.sql("VACUUM ANALYZE")

    def restart(self) -> None:
        """End the workers with what they are doing, and start them again."""
        processes = _family(self._uwsgi)
        for process in processes:  # the parent first, which would start other workers
            process.kill()
        psutil.wait_procs(processes)
        self._uwsgi.wait()
        others = f"datname = '{NAME}' AND pid <> pg_backend_pid()"
        self._database.sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")  # noqa: S608  # named above
        self._uwsgi = self._start()

    def stop(self) -> None:
        """End the workers."""
        self._uwsgi.send_signal(signal.SIGINT)
        self._uwsgi.wait()

    def _ids(self, table: str) -> dict[str, int]:
        lines = self._database.sql(f"SELECT name, id FROM {table}").splitlines()  # noqa: S608  # named above
        return {name: int(number) for name, number in (line.split("|") for line in lines)}

    def _start(self) -> subprocess.Popen[bytes]:
        # A worker has one thread, which an idle connection would keep: each answer closes its connection, and says so.
        command = [
            ENVIRONMENT / "bin/uwsgi", f"--http-socket=127.0.0.1:{self.port}", "--module=placement.wsgi.api",
            f"--virtualenv={ENVIRONMENT}", "--master", f"--processes={WORKERS}", "--lazy-apps", "--need-app",
            "--buffer-size=65535", "--disable-logging", "--add-header=Connection: close",
        ]  # fmt: skip
        with self._log.open("a") as out:
            process = subprocess.Popen(command, env=self._environment, stdout=out, stderr=out)  # noqa: S603  # made here
        wait_for(self.port, process, self._log)
        return process


@contextmanager
def placement(folder: Path, settings: Mapping[str, str]) -> Iterator[Placement]:
    """Run Placement with its data in *folder* as long as the block; install it first if need be."""
    install()
    folder.mkdir(parents=True)
    with postgres(folder) as database:
        server = Placement(folder, database, settings)
        try:
            yield server
        finally:
            server.stop()


def install() -> None:
    """Install Placement, if it is not there, which takes a minute. Raises CalledProcessError when that fails."""
    stamp = ENVIRONMENT / ".installed"
    wanted = "\n".join(PACKAGES)
    if stamp.exists() and stamp.read_text() == wanted:
        return
    print(f"Installing {', '.join(PACKAGES)} into {ENVIRONMENT.name} ...", file=sys.stderr)
    venv.create(ENVIRONMENT, clear=True, with_pip=True)
    subprocess.run([ENVIRONMENT / "bin/pip", "install", "--quiet", *PACKAGES], check=True)  # noqa: S603  # named above
    stamp.write_text(wanted)


def _family(process: subprocess.Popen[bytes]) -> tuple[psutil.Process, ...]:
    parent = psutil.Process(process.pid)
    return (parent, *parent.children(recursive=True))
