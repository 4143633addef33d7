"""``graphplace serve``: the API behind a production WSGI server, and the managed Neo4j kept running behind it."""

import http.client
import ipaddress
import logging.config
import multiprocessing
import os
import socket
import tempfile
import threading
import time
from dataclasses import fields
from http import HTTPStatus
from typing import Any

import click

from graphplace.cli.command import Command
from graphplace.cli.neo4j_keeper import kept_neo4j
from graphplace.errors import SettingsError
from graphplace.graph import schema
from graphplace.graph.database import Database
from graphplace.settings import KEYSTONE, NOAUTH2, PREFIX, Settings

DEFAULT_PORT = 8778
# Requests that one worker has in hand at a time; most of that time they wait for Neo4j.
THREADS = 8
BACKLOG = 1024
ANSWER_SECONDS = 5
POLL_SECONDS = 0.1
# Where the workers of one server add up what they count; named so by prometheus-client.
METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"


@click.command(
    cls=Command,
    examples=[
        "graphplace serve",
        "graphplace serve --workers 4 --access-log",
        "GRAPHPLACE_NEO4J_URI=neo4j://graph.example.org graphplace serve",
    ],
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=DEFAULT_PORT, show_default=True, type=click.IntRange(1, 65535))
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1, 256), help="Processes that answer.")
@click.option("--access-log", is_flag=True, help="Log every request on standard error.")
@click.option("--allow-remote-noauth", is_flag=True, help="Listen on other addresses although tokens are not checked.")
def serve(*, host: str, port: int, workers: int, access_log: bool, allow_remote_noauth: bool) -> None:
    """Serve Placement's REST API until SIGTERM or Ctrl-C.

    Without GRAPHPLACE_NEO4J_URI it starts the managed local Neo4j, keeps it running, and stops it at the end.
    """
    wanted = Settings.load()
    if wanted.auth_strategy != KEYSTONE and not (allow_remote_noauth or is_loopback(host)):
        raise SettingsError(
            f"Whoever reaches {host} could do everything, because tokens are believed as they come (noauth2). Set "
            "GRAPHPLACE_AUTH_STRATEGY=keystone, listen on a loopback address such as 127.0.0.1, or give "
            "--allow-remote-noauth if only those you trust reach it."
        )
    _require_port(host, port)
    logging.config.dictConfig(logging_config(wanted.log_format))
    with kept_neo4j(wanted) as settings, _folder() as folder:
        _initialise(settings)
        os.environ.update(environment(settings) | {METRICS_FOLDER: folder})
        if access_log:
            os.environ[f"{PREFIX}ACCESS_LOG"] = "true"
        text = f"Serving the Placement API on http://{host}:{port}; Neo4j is {settings.neo4j_uri}."
        threading.Thread(target=_announce, args=(host, port, text), daemon=True).start()
        _run(host, port, workers, settings.log_format)


def is_loopback(host: str) -> bool:
    """Tell whether only this machine reaches *host*, an address or a name. Raises SettingsError for an unknown name."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError as error:
        raise SettingsError(f"Cannot listen on {host}: {error.strerror}.") from error
    return all(ipaddress.ip_address(address[0]).is_loopback for *_, address in found)


def answers(host: str, port: int) -> bool:
    """Tell whether a server answers there with a version document."""
    connection = http.client.HTTPConnection(host, port, timeout=ANSWER_SECONDS)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status == HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def environment(settings: Settings) -> dict[str, str]:
    """Return the variables by which a worker process finds the Neo4j of *settings* and knows whom to believe."""
    names = [field.name for field in fields(settings) if field.name.startswith("neo4j_")]
    found = {PREFIX + name.upper(): str(getattr(settings, name)) for name in names}
    return found | {f"{PREFIX}AUTH_STRATEGY": settings.auth_strategy or NOAUTH2}


def logging_config(log_format: str) -> dict[str, Any]:
    """Return what :func:`logging.config.dictConfig` takes for lines of *log_format* on standard error."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": "graphplace.api.log_format.formatter", "log_format": log_format}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": "INFO"},
        "loggers": {
            # The driver warns at every try to reach a Neo4j that is gone; the API says it once for each request.
            "neo4j": {"level": "ERROR"},
        },
    }


def _folder() -> tempfile.TemporaryDirectory[str]:
    try:
        # A worker that is being killed may be at its file still.
        return tempfile.TemporaryDirectory(prefix="graphplace-metrics-", ignore_cleanup_errors=True)
    except OSError as error:
        raise SettingsError(f"The workers need a folder for metrics, which TMPDIR may name: {error}.") from error


def _require_port(host: str, port: int) -> None:
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except OSError as error:
            raise SettingsError(
                f"Cannot listen on port {port} of {host}: {error.strerror}. Give another with --port."
            ) from error


def _initialise(settings: Settings) -> None:
    """Do what the workers rely on, and fail once where each of them would."""
    from graphplace.api import create_app  # noqa: PLC0415  # the other commands start faster without Flask

    database = Database.connect(settings)
    try:
        create_app(database, settings)
        schema.initialise(database)
    finally:
        database.close()


def _announce(host: str, port: int, text: str) -> None:
    """Print *text* once a worker answers."""
    while not answers(host, port):
        time.sleep(POLL_SECONDS)
    click.echo(text, err=True)


def _run(host: str, port: int, workers: int, log_format: str) -> None:
    try:  # the command line works without the server extra
        from granian import Granian  # noqa: PLC0415
        from granian.constants import Interfaces  # noqa: PLC0415
        from granian.log import LogLevels  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise SettingsError(f"Serving needs the extra 'server': pip install 'graphplace[server]' ({error}).") from error
    # A forked worker would inherit whatever locks the threads of this process hold at that moment.
    multiprocessing.set_start_method("spawn", force=True)
    Granian(
        "graphplace.api.wsgi:create",
        factory=True,
        interface=Interfaces.WSGI,
        address=host,
        port=port,
        workers=workers,
        blocking_threads=THREADS,
        backlog=BACKLOG,
        respawn_failed_workers=True,
        log_level=LogLevels.error,
        log_dictconfig=logging_config(log_format),
    ).serve()
