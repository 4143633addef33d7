"""``graphplace demo``: a small cloud, this machine in it, and one request answered before your eyes."""

import json
import os
import signal
import sys
import time
import urllib.request
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click
import orjson
from rich.console import Console
from rich.text import Text

from graphplace import providers
from graphplace.cli.command import Command
from graphplace.cli.database import open_database
from graphplace.cli.serve import DEFAULT_PORT, answers
from graphplace.compiler.pattern import compile_pattern
from graphplace.demo.machine import read_machine
from graphplace.errors import ConflictError, GraphplaceError, NotFoundError
from graphplace.graph import local
from graphplace.graph.database import Database
from graphplace.graph.local import jars
from graphplace.loading import load, read_cloud
from graphplace.request.parse import parse_candidate_request
from graphplace.request.query import decode_query
from graphplace.settings import Settings
from graphplace.views import text, trees

HOST = "127.0.0.1"
QUERY = (
    "resources=DISK_GB:50"
    "&resources_CELL=VCPU:4,MEMORY_MB:8192&required_CELL=HW_NUMA_ROOT"
    "&resources_NET=SRIOV_NET_VF:1&required_NET=CUSTOM_PHYSNET_PUBLIC"
    "&same_subtree=_CELL,_NET&group_policy=none&limit=8"
)
MEANING = (
    "4 VCPU and 8 GiB of one NUMA cell, a virtual function on the public network below the same cell, 50 GB of disk"
)
SHOWN_HOST = "demo-host1"
START_SECONDS = 120
STOP_SECONDS = 30
POLL_SECONDS = 0.2
HEADERS = {"X-Auth-Token": "admin", "OpenStack-API-Version": "placement latest"}


@click.command(cls=Command, examples=["graphplace demo", "graphplace demo --stop"])
@click.option("--port", default=DEFAULT_PORT, show_default=True, type=click.IntRange(1, 65535), help="The API's port.")
@click.option("--stop", is_flag=True, help="Stop the server that an earlier demo left running.")
def demo(*, port: int, stop: bool) -> None:
    """Load a small cloud, serve it, and ask it for candidates.

    The cloud has hosts with NUMA cells, network cards, GPUs and claims, a shared storage pool, and this machine as one
    more host. It is loaded into the managed local Neo4j, if that holds nothing else. The server stays: look around.
    """
    settings = Settings.load()
    record = settings.data_dir / "demo.json"
    if stop:
        _stop(record)
        return
    _serve(settings, record, port)
    with open_database(settings) as database:
        _load(database)
        _show(database, f"http://{HOST}:{port}")


def _serve(settings: Settings, record: Path, port: int) -> None:
    """Leave a server running on *port*, unless the one of an earlier demo does."""
    known = _running(record)
    if known is not None and known["port"] == port and answers(HOST, port):
        return
    if known is not None:
        _stop(record)
    if answers(HOST, port):
        raise ConflictError(f"Port {port} is taken by another server: stop it, or give another with --port.")
    log = settings.data_dir / "demo.log"
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    if settings.neo4j_uri is None:
        # Here rather than in the server, because it takes a while and shows its progress.
        jars.ensure(settings.cache_dir, local.Progress())
    # A process of its own, which nobody waits for: it outlives this one.
    server = os.posix_spawn(
        sys.executable,
        [sys.executable, "-m", "graphplace.cli", "serve", "--host", HOST, "--port", str(port)],
        os.environ,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, str(log), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ],
        setsid=True,
    )
    record.write_text(json.dumps({"pid": server, "port": port}))
    deadline = time.monotonic() + START_SECONDS
    while not answers(HOST, port):
        ended, _ = os.waitpid(server, os.WNOHANG)
        if ended or time.monotonic() > deadline:
            raise GraphplaceError(f"The server did not start. Its log, {log}, ends with:\n{log.read_text()[-2000:]}")
        time.sleep(POLL_SECONDS)


def _stop(record: Path) -> None:
    known = _running(record)
    if known is None:
        click.echo("No server of a demo runs.")
        return
    os.kill(known["pid"], signal.SIGTERM)
    deadline = time.monotonic() + STOP_SECONDS
    while _running(record) is not None:
        if time.monotonic() > deadline:
            raise GraphplaceError(f"The server, process {known['pid']}, does not end.")
        time.sleep(POLL_SECONDS)
    record.unlink(missing_ok=True)
    click.echo("The demo's server is stopped. Its cloud stays in the graph; 'graphplace db wipe' empties it.")


def _running(record: Path) -> dict[str, int] | None:
    """Return process and port of the server that *record* tells of, None when it does not run."""
    try:
        known: dict[str, int] = json.loads(record.read_text())
        command = Path(f"/proc/{known['pid']}/cmdline").read_bytes()
    except (OSError, ValueError, KeyError):
        return None
    # Numbers of processes are used again: it must be one of ours.
    return known if b"graphplace.cli\0serve" in command else None


def _load(database: Database) -> None:
    document = orjson.loads((files("graphplace.demo") / "cloud.json").read_bytes())
    document["providers"] += read_machine()
    cloud = read_cloud(orjson.dumps(document))
    roots = {provider.uuid for provider in cloud.providers if provider.parent is None}
    if others := [root for root in trees.roots(database) if root.uuid not in roots]:
        raise ConflictError(
            f"The graph holds {len(others)} trees that are not the demo's, {others[0].name} for one. Set "
            "GRAPHPLACE_DATA_DIR to a folder of its own for the demo."
        )
    load(database, cloud)


def _show(database: Database, url: str) -> None:
    console = text.console()
    address = f"{url}/allocation_candidates?{quote(QUERY, safe='=&,:_!')}"
    _print_title(console, "The request")
    click.echo(f"{MEANING}:\n\nGET {address}\n")
    answer = _get(address)
    _print_title(console, "Its candidates")
    names = providers.names(database, list(answer["provider_summaries"]))
    text.print_candidates(console, answer["allocation_requests"], names)
    _print_title(console, f"One host: {SHOWN_HOST}")
    text.print_tree(console, trees.tree(database, providers.called(database, SHOWN_HOST)))
    _print_title(console, "The Cypher that draws the same candidates in Neo4j Browser")
    click.echo(compile_pattern(parse_candidate_request(decode_query(QUERY.encode()))))
    _print_title(console, "What to try next")
    click.echo(_next_steps(database, url))


def _print_title(console: Console, title: str) -> None:
    console.print(Text(f"\n{title}\n{'─' * len(title)}", "bold"))


def _get(address: str) -> dict[str, Any]:
    request = urllib.request.Request(address, headers=HEADERS)  # noqa: S310 (http, to this machine)
    with urllib.request.urlopen(request, timeout=START_SECONDS) as response:  # noqa: S310 (the same)
        answer: dict[str, Any] = json.load(response)
    return answer


def _next_steps(database: Database, url: str) -> str:
    command = Path(sys.argv[0]).with_name("graphplace")
    machine = next((root.name for root in trees.roots(database) if not root.name.startswith("demo-")), None)
    if machine is None:
        raise NotFoundError("This machine is not in the graph.")
    headers = " ".join(f"-H '{name}: {value}'" for name, value in HEADERS.items())
    return "\n".join(
        [
            f"{url}/ui/tree/{SHOWN_HOST}   # the same host in your browser; take the token that it proposes",
            f"{command} tree {machine}                # this machine",
            f"{command} candidates 'resources=VCPU:1,MEMORY_MB:512&limit=5'",
            f"{command} compile --engine 'resources=VGPU:1'   # what the API itself runs",
            f"curl -s {headers} {url}/resource_providers",
            f"{command} neo4j status           # where Bolt listens, for Neo4j Browser or cypher-shell",
            f"{command} demo --stop            # the server runs until then",
        ]
    )
