"""The real Placement, as an operator would run it: on PostgreSQL, behind uwsgi with two workers.

It is installed from its package into a virtual environment of its own; PostgreSQL is the system's. Both run with their
default settings, PostgreSQL with fsync. Clouds are written straight into its tables.
"""

import os
import shutil
import signal
import subprocess
import sys
import venv
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil
from client import free_port
from clouds import Document
from processes import Processes
from server import wait_for
from tables import TIMES, Cloud

ENVIRONMENT = Path(__file__).parent.parent / ".venv-peer"
PACKAGES = ["openstack-placement==16.0.0", "psycopg2-binary", "uwsgi"]
WORKERS = 2
# PostgreSQL refuses to run as root.
UNPRIVILEGED = "postgres"
NAME = "placement"


class Placement:
    """Placement with its data in *folder*."""

    name = "Placement"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sockets = f"host={folder}&port=5432"
        self._postgres = self._start_postgres()
        self._run("createdb", NAME)
        self._environment = os.environ | {
            "OS_PLACEMENT_DATABASE__CONNECTION": f"postgresql+psycopg2://{NAME}@/{NAME}?{self._sockets}",
            "OS_API__AUTH_STRATEGY": "noauth2",
        }
        command = [ENVIRONMENT / "bin/placement-manage", "db", "sync"]
        subprocess.run(command, env=self._environment, check=True)  # noqa: S603  # made here
        self.port = free_port()
        self._uwsgi = self._start_uwsgi()

    def processes(self) -> Processes:
        """Return the workers with their parent, and all processes of PostgreSQL."""
        return Processes(api=_family(self._uwsgi), database=_family(self._postgres))

    def load(self, documents: Iterable[Document]) -> None:
        """Write what *documents* say into the tables."""
        cloud = Cloud(self._ids("resource_classes"), self._ids("traits"))
        for document in documents:
            cloud.add(document)
        for table in cloud.tables():
            columns = ", ".join((*table.columns, *TIMES))
            self._sql(f"COPY {table.name} ({columns}) FROM STDIN", table.text())
            if "id" in table.columns:
                self._sql(f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), max(id)) FROM {table.name}")  # noqa: S608  # named in tables.py
        self._sql("VACUUM ANALYZE")

    def restart(self) -> None:
        """End the workers with what they are doing, and start them again."""
        for process in reversed(_family(self._uwsgi)):
            process.send_signal(signal.SIGKILL)
        self._uwsgi.wait()
        others = f"datname = '{NAME}' AND pid <> pg_backend_pid()"
        self._sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")  # noqa: S608  # named above
        self._uwsgi = self._start_uwsgi()

    def stop(self) -> None:
        """End the workers and PostgreSQL."""
        self._uwsgi.send_signal(signal.SIGINT)
        self._uwsgi.wait()
        self._postgres.send_signal(signal.SIGINT)
        self._postgres.wait()

    def _ids(self, table: str) -> dict[str, int]:
        lines = self._sql(f"SELECT name, id FROM {table}").splitlines()  # noqa: S608  # named above
        return {name: int(number) for name, number in (line.split("|") for line in lines)}

    def _sql(self, statement: str, given: str = "") -> str:
        return self._run(
            "psql",
            "--quiet",
            "--no-align",
            "--tuples-only",
            "--set=ON_ERROR_STOP=1",
            f"--command={statement}",
            NAME,
            given=given,
        )

    def _run(self, program: str, *words: str, given: str = "") -> str:
        command = [_binary(program), f"--host={self._folder}", f"--username={NAME}", *words]
        return subprocess.run(command, input=given, check=True, stdout=subprocess.PIPE, text=True).stdout  # noqa: S603  # made here

    def _start_postgres(self) -> subprocess.Popen[bytes]:
        data = self._folder / "data"
        user = UNPRIVILEGED if os.geteuid() == 0 else None
        if user:
            shutil.chown(self._folder, user)
        command = [
            _binary("initdb"),
            f"--pgdata={data}",
            "--auth=trust",
            f"--username={NAME}",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
        ]
        subprocess.run(command, user=user, cwd=self._folder, check=True, stdout=subprocess.DEVNULL)  # noqa: S603  # made here
        command = [_binary("postgres"), "-D", str(data), "-k", str(self._folder), "-c", "listen_addresses="]
        with (self._folder / "postgres.log").open("w") as log:
            process = subprocess.Popen(command, user=user, cwd=self._folder, stderr=log)  # noqa: S603  # made here
        ready = [_binary("pg_isready"), "--quiet", f"--host={self._folder}", "--timeout=1"]
        while subprocess.run(ready, check=False).returncode:  # noqa: S603  # made here
            if process.poll() is not None:
                raise SystemExit(f"PostgreSQL did not start: {(self._folder / 'postgres.log').read_text()}")
        return process

    def _start_uwsgi(self) -> subprocess.Popen[bytes]:
        command = [
            ENVIRONMENT / "bin/uwsgi", f"--http-socket=127.0.0.1:{self.port}", "--module=placement.wsgi.api",
            f"--virtualenv={ENVIRONMENT}", "--master", f"--processes={WORKERS}", "--lazy-apps", "--need-app",
            "--buffer-size=65535", "--disable-logging", "--add-header=Connection: close",
        ]  # fmt: skip
        log = self._folder / "uwsgi.log"
        with log.open("a") as out:
            process = subprocess.Popen(command, env=self._environment, stdout=out, stderr=out)  # noqa: S603  # made here
        wait_for(self.port, process, log)
        return process


@contextmanager
def placement(folder: Path) -> Iterator[Placement]:
    """Run Placement with its data in *folder* as long as the block; install it first if need be."""
    install()
    folder.mkdir(parents=True)
    server = Placement(folder)
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


def _binary(program: str) -> str:
    folders = [os.environ["PATH"], *map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True))]
    found = shutil.which(program, path=os.pathsep.join(folders))
    if found is None:
        raise SystemExit(f"{program} is neither on PATH nor below /usr/lib/postgresql: install PostgreSQL.")
    return found


def _family(process: subprocess.Popen[bytes]) -> Sequence[psutil.Process]:
    parent = psutil.Process(process.pid)
    return (parent, *parent.children(recursive=True))
