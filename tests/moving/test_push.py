"""graphplace push to the real Placement, and graphplace import from one that is written to."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from cloud import uuid_of
from commands import Command
from flask.testing import FlaskClient
from moving.conftest import FEW_TREES, TOKEN, pushed
from moving.peer import Peer

from graphplace.check import check
from graphplace.graph import schema
from graphplace.graph.database import Database


@pytest.fixture
def placement(database: Database, graphplace: Command) -> Iterator[Peer]:
    """A small Placement, and a graph with the same in it."""
    with pushed(database, graphplace, FEW_TREES) as running:
        yield running


def test_what_moves_meanwhile_is_told(placement: Peer, graphplace: Command, database: Database) -> None:
    """When trees are read and consumers are not, one releases what it holds, a provider comes, one gets a name."""
    schema.wipe(database)
    asked: list[Any] = []

    def write(path: str) -> None:
        if path.startswith("/allocations/") and not asked:
            asked.append(placement.send("DELETE", f"/allocations/{uuid_of('consumer3')}"))
            asked.append(placement.send("POST", "/resource_providers", {"name": "new", "uuid": uuid_of("new")}))
            asked.append(placement.send("PUT", f"/resource_providers/{uuid_of('host2')}", {"name": "other"}))

    placement.served.before = write
    told = graphplace("import", "--from", placement.url, "--connections", "1", env=TOKEN)
    assert [answer.status_code for answer in asked] == [204, 200, 200]
    assert told.exit_code == 1
    for phrase in ("provider new was created", "provider host2 was renamed or moved", "is held by others than before"):
        assert phrase in told.output
    assert list(check(database)) == []


def test_a_push_writes_only_what_differs(placement: Peer, graphplace: Command) -> None:
    """As after one that was broken off: what is there and right is left alone, what is not is written."""
    before = placement.send("GET", "/resource_providers").json
    again = graphplace("push", "--to", placement.url, env=TOKEN)
    assert again.exit_code == 0, again.output
    assert "6 trees: 0 written. 6 consumers: 0 written." in again.output
    assert placement.send("GET", "/resource_providers").json == before

    assert placement.send("DELETE", f"/resource_providers/{uuid_of('pool1')}/traits").status_code == 204
    assert placement.send("DELETE", f"/allocations/{uuid_of('consumer2')}").status_code == 204
    mended = graphplace("push", "--to", placement.url, env=TOKEN)
    assert mended.exit_code == 0, mended.output
    assert "6 trees: 1 written. 6 consumers: 1 written." in mended.output


def test_what_a_push_cannot_write_is_told(placement: Peer, graphplace: Command, client: FlaskClient) -> None:
    """Nothing can be claimed of an inventory that is overfull; all else is written."""
    path = f"/resource_providers/{uuid_of('pool0')}/inventories"
    here = client.get(path).json
    small = {"DISK_GB": here["inventories"]["DISK_GB"] | {"total": 8}}
    assert client.put(path, json=here | {"inventories": small}).status_code == 200
    for number in range(6):
        assert placement.send("DELETE", f"/allocations/{uuid_of(f'consumer{number}')}").status_code == 204

    told = graphplace("push", "--to", placement.url, env=TOKEN)
    assert told.exit_code == 1
    refused = re.findall(r"  Consumer \S+: PUT \S+ was refused with 409: ", told.output)
    assert refused
    assert f"6 trees: 1 written. 6 consumers: {6 - len(refused)} written." in told.output
    assert f"Refused: {len(refused)}\n" in told.output
    assert placement.send("GET", path).json["inventories"]["DISK_GB"]["total"] == 8
