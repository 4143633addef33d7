"""Nova's own client and ours, which make the same changes, leave the same graph behind."""

import json
import re

from claims import load
from clients.environments import CLIENTS, run
from clients.inside.same_change import CHANGES, CLOUD, make_all
from cloud import uuid_of
from flask.testing import FlaskClient
from graph import stored
from wire import Wire

from graphplace.compute.errors import ResourceProviderUpdateFailed
from graphplace.compute.report_client import ReportClient
from graphplace.graph import schema
from graphplace.graph.database import Database

(NOVA,) = (client for client in CLIENTS if client.name == "nova")


def comparable(nodes: list[str]) -> list[str]:
    """What a graph holds, but for the generation of the pool that hosts share.

    Nova names sharing providers in each reshape, as they are. That raises their generations, so that other hosts lose
    races. We name them where they change.
    """
    return sorted(re.sub(r"generation: \d+", "", node) if "'name: pool'" in node else node for node in nodes)


def test_nova_and_we_leave_the_same_graph(client: FlaskClient, wire: Wire, endpoint: str, database: Database) -> None:
    load(client, CLOUD)
    before = stored(database)
    finished = run(NOVA, "nova_makes_changes.py", PLACEMENT_ENDPOINT=endpoint)
    assert finished.returncode == 0, finished.stdout
    assert json.loads(finished.stdout.splitlines()[-1]).keys() == {"refused", "forgotten"}
    theirs = stored(database)
    changed = {host for host in CHANGES if any(uuid_of(host) in node for node in set(theirs) - set(before))}
    assert changed == CHANGES.keys() - {"refused", "same"}

    schema.wipe(database)
    load(client, CLOUD)
    assert stored(database) == before
    refused = make_all(
        lambda: ReportClient(wire),
        None,
        lambda compute, host: compute.get_allocations_for_provider_tree(None, uuid_of(host)),
        ResourceProviderUpdateFailed,
    )
    assert refused.keys() == {"refused", "forgotten"}
    ours = stored(database)
    assert comparable(ours) == comparable(theirs)
    assert ours != theirs, "the pool's generation differs: comparable() says why"
