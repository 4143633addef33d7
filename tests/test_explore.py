"""Notebooks: the session of docs/explore.md is what happens, and what cannot be is said."""

import doctest
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from claims import load
from cloud import uuid_of
from flask.testing import FlaskClient

from graphplace import explore, loading
from graphplace.cli.serve import environment
from graphplace.errors import NotFoundError, SettingsError
from graphplace.graph.database import Database
from graphplace.settings import Settings

GUIDE = Path(__file__).parents[1] / "docs" / "explore.md"
CLOUD = """
cn1  VCPU:8(used=1)  HW_CPU_X86_AVX  @A
  numa1  MEMORY_MB:1024
cn2  VCPU:8  HW_CPU_X86_AVX  @A
"""


@pytest.fixture(autouse=True)
def _closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close the connections of all graphs at the end, which py2neo leaves to the garbage collector."""
    made = []
    connect = explore.connect

    def recorded(settings: Settings | None = None) -> explore.Graph:
        made.append(connect(settings))
        return made[-1]

    monkeypatch.setattr(explore, "connect", recorded)
    yield
    for graph in made:
        graph.service.connector.close()


def test_the_session_of_the_guide(
    database: Database, neo4j_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    loading.load(database, loading.read_cloud((files("graphplace.demo") / "cloud.json").read_bytes()))
    for name, value in environment(neo4j_settings).items():
        monkeypatch.setenv(name, value)

    result = doctest.testfile(str(GUIDE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)

    assert result.attempted > 5
    assert result.failed == 0


def test_a_tree_is_a_subgraph(client: FlaskClient, neo4j_settings: Settings) -> None:
    load(client, CLOUD)
    graph = explore.connect(neo4j_settings)

    for provider in ("numa1", uuid_of("cn1")):
        found = explore.tree(graph, provider)
        named = {
            (label, node.get("name") or node.get("resource_class")) for node in found.nodes for label in node.labels
        }
        assert named == {
            ("ResourceProvider", "cn1"),
            ("Root", "cn1"),
            ("ResourceProvider", "numa1"),
            ("Inventory", "VCPU"),
            ("Inventory", "MEMORY_MB"),
            ("Trait", "HW_CPU_X86_AVX"),
            ("Aggregate", None),
        }
        links = sorted(type(link).__name__ for link in found.relationships)
        assert links == ["CHILD_OF", "HAS_INVENTORY", "HAS_INVENTORY", "HAS_TRAIT", "IN_TREE", "IN_TREE", "MEMBER_OF"]
    with pytest.raises(NotFoundError, match="'cn9'"):
        explore.tree(graph, "cn9")


def test_a_table_is_of_what_is_there_and_writes_nothing(client: FlaskClient, neo4j_settings: Settings) -> None:
    load(client, CLOUD)
    graph = explore.connect(neo4j_settings)
    text = "MATCH (p:ResourceProvider) WHERE p.name STARTS WITH $start RETURN p.name AS name ORDER BY name"

    assert [list(row) for row in explore.table(graph, text, start="cn")] == [["cn1"], ["cn2"]]
    with pytest.raises(Exception, match="access mode"):
        explore.table(graph, "CREATE (x:Nothing) RETURN x")
    assert explore.table(graph, "MATCH (x:Nothing) RETURN count(x) AS n")[0] == (0,)


def test_without_a_neo4j_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="graphplace neo4j start"):
        explore.connect(Settings(data_dir=tmp_path))
    # In a process of its own: py2neo leaves the socket of a failed try to the garbage collector.
    failed = subprocess.run(
        [sys.executable, "-c", "from graphplace import explore; explore.connect()"],
        env={"GRAPHPLACE_NEO4J_URI": "bolt://127.0.0.1:1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "StoreUnavailableError: Neo4j cannot be reached" in failed.stderr
