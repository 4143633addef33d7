"""Trees, aggregates and candidates as graphs of networkx, and as files."""

import json
import shutil
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import networkx as nx
import pytest
from claims import load
from cloud import uuid_of
from commands import Command
from flask.testing import FlaskClient

from graphplace.graph.database import Database
from graphplace.request.parse import parse_candidate_request
from graphplace.views.export import FORMATS, export
from graphplace.views.graphs import aggregate_graph, candidate_graph, tree_graph

CLOUD = """
cn1  VCPU:8(used=2)  HW_CPU_X86_AVX2  @az1
  numa0  MEMORY_MB:4096
    pf0  SRIOV_NET_VF:2
cn2  VCPU:8  @az1
storage
  pool  DISK_GB:1000  MISC_SHARES_VIA_AGGREGATE  @az1  @other
"""
CN1, NUMA0, PF0, CN2, POOL, AZ1 = (uuid_of(name) for name in ("cn1", "numa0", "pf0", "cn2", "pool", "az1"))
HOSTILE = '<script>alert("1")</script>\\ &amp; {x}|\x01'


@pytest.fixture
def graph(client: FlaskClient, database: Database) -> "nx.DiGraph[str]":
    load(client, CLOUD)
    path = f"/resource_providers/{NUMA0}"
    assert client.put(path, json={"name": HOSTILE, "parent_provider_uuid": CN1}).status_code == 200
    return tree_graph(database, "cn1")


def edges(graph: "nx.DiGraph[str]") -> set[tuple[str, str, str]]:
    return {(start, end, kind) for start, end, kind in graph.edges(data="kind")}


def test_a_tree_is_a_graph(graph: "nx.DiGraph[str]") -> None:
    assert edges(graph) == {
        (NUMA0, CN1, "CHILD_OF"),
        (PF0, NUMA0, "CHILD_OF"),
        (CN1, AZ1, "MEMBER_OF"),
        (POOL, AZ1, "SHARES"),
    }
    assert set(graph) == {CN1, NUMA0, PF0, POOL, AZ1}
    assert graph.nodes[CN1]["inventories"]["VCPU"]["free"] == 6
    assert graph.nodes[CN1]["traits"] == ["HW_CPU_X86_AVX2"]
    assert [graph.nodes[uuid]["kind"] for uuid in (CN1, AZ1)] == ["provider", "aggregate"]
    assert nx.shortest_path(graph, PF0, CN1) == [PF0, NUMA0, CN1]


def test_an_aggregate_is_a_graph_of_its_members(graph: "nx.DiGraph[str]", database: Database) -> None:
    assert edges(aggregate_graph(database, AZ1)) == {
        (CN1, AZ1, "MEMBER_OF"),
        (CN2, AZ1, "MEMBER_OF"),
        (POOL, AZ1, "SHARES"),
    }


def test_a_candidate_is_its_tree_with_what_it_takes(graph: "nx.DiGraph[str]", database: Database) -> None:
    query = [("resources", "DISK_GB:5"), ("resources_N", "SRIOV_NET_VF:1")]
    drawn = candidate_graph(database, parse_candidate_request(query))
    assert set(drawn) == set(graph)
    taken = {uuid: (one["gives"], one["groups"]) for uuid, one in drawn.nodes(data=True) if "gives" in one}
    assert taken == {POOL: ({"DISK_GB": 5}, [""]), PF0: ({"SRIOV_NET_VF": 1}, ["_N"])}


class Page(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_what_is_written_is_read_again_whatever_a_provider_is_called(
    graph: "nx.DiGraph[str]", monkeypatch: pytest.MonkeyPatch
) -> None:
    for form in FORMATS.keys() - {"svg"}:
        assert export(graph, form).endswith("\n")
    read = nx.parse_graphml(export(graph, "graphml"))
    assert edges(read) == edges(graph)
    assert read.nodes[CN1]["VCPU.free"] == 6
    assert read.nodes[NUMA0]["name"] == HOSTILE.replace("\x01", "\ufffd")
    again = nx.node_link_graph(json.loads(export(graph, "json-graph")), edges="edges")
    assert again.nodes(data=True) == graph.nodes(data=True)
    assert edges(again) == edges(graph)
    page = Page(export(graph, "html"))
    assert "script" not in page.tags
    assert HOSTILE in page.text
    assert "2 of 8 used, 6 free" in page.text
    assert "http" not in export(graph, "html")
    drawing = export(graph, "dot")
    assert f'"{PF0}" -> "{NUMA0}"' in drawing


def test_a_picture_is_drawn_by_graphviz_where_it_is(
    graph: "nx.DiGraph[str]", graphplace: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    arguments = ("export", "--format", "svg", "tree", "cn1")
    missing = graphplace(*arguments)
    assert missing.exit_code == 1
    assert "install the package graphviz" in missing.stderr
    dot = tmp_path / "dot"
    dot.write_text('#!/bin/sh\necho "<svg $*>"\n/bin/cat\necho "</svg>"\n')
    dot.chmod(0o755)
    drawn = graphplace(*arguments).stdout
    assert drawn.startswith("<svg ")
    assert PF0 in drawn


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed.")
def test_graphviz_draws_whatever_a_provider_is_called(graph: "nx.DiGraph[str]") -> None:
    picture = ET.fromstring(export(graph, "svg"))  # noqa: S314  # of our own

    names = {element.tag.rpartition("}")[2] for element in picture.iter()}
    assert {"svg", "polygon", "text"} <= names
    assert names.isdisjoint({"script", "a", "image"})
    texts = [element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert HOSTILE.replace("\x01", "\ufffd") in texts


def test_what_is_exported_goes_to_a_file(graph: "nx.DiGraph[str]", graphplace: Command, tmp_path: Path) -> None:
    file = tmp_path / "graph.json"
    for subject, what, size in (("tree", "cn1", 5), ("aggregate", AZ1, 4), ("candidate", "resources=DISK_GB:1000", 4)):
        answer = graphplace("export", "--format", "json-graph", subject, what, "--output", str(file))
        assert answer.exit_code == 0, answer.stderr
        assert len(json.loads(file.read_text())["nodes"]) == size
    assert (
        "There is no candidate 3: 2 were found."
        in graphplace("export", "--format", "dot", "candidate", "resources=VCPU:1", "--number", "3").stderr
    )
