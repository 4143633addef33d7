"""Placement in the process, without a server."""

import json
import os
import subprocess
import sys

import pytest
from claims import held_by, load, put
from cloud import uuid_of
from compute.gpus import Gpus, gpu_of
from flask.testing import FlaskClient

from graphplace.cli.serve import environment
from graphplace.compute.direct import PlacementDirect
from graphplace.compute.migration import Migrated, migrate
from graphplace.compute.placement import Placement
from graphplace.compute.provider_tree import ProviderTree
from graphplace.compute.reading import Allocations
from graphplace.compute.report_client import ReportClient
from graphplace.compute.resource_tracker import Update
from graphplace.errors import SettingsError
from graphplace.settings import KEYSTONE, OSLO, Settings

CN = uuid_of("cn")

WATCHED = """
import json, sys
from compute.gpus import Gpus
from graphplace.compute.direct import PlacementDirect
from graphplace.compute.migration import migrate
from graphplace.settings import Settings
seen = set()
def watch(event, arguments):
    if event in ("socket.connect", "socket.bind", "socket.sendto"):
        seen.add((event, *arguments[1][:2]))
sys.addaudithook(watch)
with PlacementDirect(Settings.load()) as session:
    updates = [one.update.name for one in migrate(session, Gpus(), ["cn"])]
print(json.dumps([updates, sorted(seen)]))
"""


@pytest.fixture
def flat(client: FlaskClient) -> FlaskClient:
    """A node whose VGPU a consumer holds."""
    load(client, "cn  VCPU:8  VGPU:4\nother  VCPU:8\n  child")
    put(client, "c1", {"cn": {"VCPU": 1, "VGPU": 1}})
    return client


def test_it_answers_as_a_server_does(flat: FlaskClient, neo4j_settings: Settings) -> None:
    with PlacementDirect(neo4j_settings) as session:
        for path in (
            "/",
            "/resource_providers?name=cn",
            f"/resource_providers/{CN}/usages",
            "/nowhere",
            "/traits/A%2FB",
        ):
            headers = {"OpenStack-API-Version": "placement 1.39"}
            direct, served = session.get(path, headers=headers), flat.get(path, headers=headers)
            assert direct.status_code == served.status_code
            assert (
                direct.text.replace("http://placement.direct", "http://localhost").partition("req-")[0]
                == (served.text.partition("req-")[0])
            )
            assert direct.headers["OpenStack-API-Version"] == served.headers["OpenStack-API-Version"]
        refused = session.post("/reshaper", json={"inventories": {}}, headers=headers)
        assert (refused.status_code, refused.reason) == (400, "BAD REQUEST")


def test_whoever_has_the_database_may_do_all(flat: FlaskClient, neo4j_settings: Settings) -> None:
    settings = {**vars(neo4j_settings), "auth_strategy": KEYSTONE, "policy": OSLO}
    with PlacementDirect(Settings(**settings)) as session:
        assert session.delete(f"/allocations/{uuid_of('c1')}").status_code == 204
    assert held_by(flat, "c1") == {}


def test_the_clients_work_with_it(flat: FlaskClient, neo4j_settings: Settings) -> None:
    with PlacementDirect(neo4j_settings) as session:
        client = ReportClient(session)
        tree = client.get_provider_tree_and_ensure_root(None, CN)
        tree.update_traits(CN, ["CUSTOM_GOLD"])
        assert client.update_from_provider_tree(None, tree)
        assert Placement(session).get(f"/resource_providers/{CN}/traits")["traits"] == ["CUSTOM_GOLD"]


def test_nothing_but_bolt_leaves_the_process(flat: FlaskClient, neo4j_settings: Settings) -> None:
    paths = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    ran = subprocess.run(  # noqa: S603  # this very Python, and a constant
        [sys.executable, "-c", WATCHED],
        env={**os.environ, **environment(neo4j_settings), **paths},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )

    updates, seen = json.loads(ran.stdout)
    assert updates == ["RESHAPED"]
    assert held_by(flat, "c1") == {CN: {"VCPU": 1}, gpu_of("cn"): {"VGPU": 1}}
    host, _, port = str(neo4j_settings.neo4j_uri).rpartition("/")[2].partition(":")
    assert seen == [["socket.connect", host, int(port)]]


def test_a_migration_is_done_once(flat: FlaskClient, neo4j_settings: Settings) -> None:
    with PlacementDirect(neo4j_settings) as session:
        assert list(migrate(session, Gpus(), ["cn"])) == [Migrated("cn", Update.RESHAPED)]
        assert list(migrate(session, Gpus(), ["cn"])) == [Migrated("cn", Update.NOTHING)]


def test_a_driver_that_fails_keeps_no_other_node_from_it(flat: FlaskClient, neo4j_settings: Settings) -> None:
    class Picky(Gpus):
        def update_provider_tree(
            self, provider_tree: ProviderTree, nodename: str, allocations: Allocations | None = None
        ) -> None:
            if nodename == "other":
                raise OSError("no sysfs")
            super().update_provider_tree(provider_tree, nodename, allocations)

    with PlacementDirect(neo4j_settings) as session:
        other, cn = migrate(session, Picky(), ["other", "cn"])
    assert "OSError('no sysfs')" in other.failure
    assert cn == Migrated("cn", Update.RESHAPED)


def test_without_a_database_it_says_so() -> None:
    with pytest.raises(SettingsError, match="GRAPHPLACE_NEO4J_URI"), PlacementDirect(Settings()):
        pass
