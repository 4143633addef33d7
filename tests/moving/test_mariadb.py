"""graphplace import from a MariaDB of one's own, where that is installed."""

import getpass
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa
from commands import Command
from moving.conftest import FEW_TREES, pushed
from moving.dumps import UNTOLD, dumped
from moving.peer import Peer
from placement.db.sqlalchemy.models import BASE

from graphplace.check import check
from graphplace.graph import schema
from graphplace.graph.database import Database

pytestmark = pytest.mark.skipif(shutil.which("mariadbd") is None, reason="MariaDB is not installed")


@pytest.fixture(scope="module")
def placement(connected: Database, graphplace: Command) -> Iterator[Peer]:
    """A small Placement that nobody changes."""
    with pushed(connected, graphplace, FEW_TREES) as running:
        yield running


@contextmanager
def mariadb(folder: Path) -> Iterator[str]:
    """Run one with its data in *folder* as long as the block; yields the URL of its database, which is empty."""
    user, socket = getpass.getuser(), folder / "socket"
    settings = [f"--datadir={folder / 'data'}", f"--user={user}"]
    run("mariadb-install-db", "--no-defaults", *settings, "--auth-root-authentication-method=normal", "--skip-test-db")
    listening = ["--skip-networking", f"--socket={socket}", f"--pid-file={folder / 'pid'}"]
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(["mariadbd", "--no-defaults", *settings, *listening], stderr=log)  # noqa: S603, S607  # MariaDB's
    client = ("--no-defaults", f"--socket={socket}", "--user=root")
    try:
        run("mariadb-admin", *client, "--wait=60", "ping")
        run("mariadb", *client, "--execute=CREATE DATABASE placement CHARACTER SET utf8mb3")
        yield f"mysql+pymysql://root@localhost/placement?unix_socket={socket}"
    finally:
        server.terminate()
        server.wait()


def run(*command: str, **variables: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ | variables)  # noqa: S603  # MariaDB's


def copy(source: str, target: str) -> None:
    """Make Placement's tables at *target*, and copy to them all rows that there are at *source*."""
    run(
        str(Path(sys.executable).with_name("placement-manage")),
        "db",
        "sync",
        OS_PLACEMENT_DATABASE__CONNECTION=target,
    )
    with sa.create_engine(source).connect() as there, sa.create_engine(target).begin() as here:
        # The first resource class has the number 0.
        here.exec_driver_sql("SET foreign_key_checks = 0, sql_mode = 'NO_AUTO_VALUE_ON_ZERO'")
        for table in BASE.metadata.tables.values():
            if rows := [dict(row) for row in there.execute(sa.select(table)).mappings()]:
                here.execute(table.insert(), rows)


def test_it_is_the_same_cloud_as_in_sqlite(
    placement: Peer, file: str, graphplace: Command, database: Database, tmp_path: Path
) -> None:
    assert graphplace("import", "--from", file).exit_code == 0
    expected = dumped(database, *UNTOLD)
    schema.wipe(database)
    with mariadb(tmp_path) as url:
        copy(file, url)
        told = graphplace("import", "--from", url, "--verify", "1000")
    assert told.exit_code == 0, told.output
    assert "Verified: the counts are the same, and so are 6 trees." in told.output
    assert dumped(database, *UNTOLD) == expected
    assert list(check(database)) == []
