"""Graphs of :mod:`graphplace.views.graphs` as files: for other programs, and to look at."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from typing import Any

import graphviz
import networkx as nx
from jinja2 import Environment

from graphplace.errors import GraphplaceError
from graphplace.views.graphs import Graph

# What XML 1.0 cannot say; names of providers may.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SHAPES = {"provider": "box", "aggregate": "ellipse"}
_STYLES = {"CHILD_OF": "solid", "MEMBER_OF": "dotted", "SHARES": "dashed"}


class NoGraphvizError(GraphplaceError):
    """Graphviz, which draws the picture, is not installed."""


def export(graph: Graph, form: str) -> str:
    """Return *graph* as a text in one of :data:`FORMATS`. Raises NoGraphvizError for ``svg`` without Graphviz."""
    return FORMATS[form](graph)


def _graphml(graph: Graph) -> str:
    """GraphML has numbers and texts only: lists become texts, inventories numbers such as ``VCPU.used``."""
    flat: Graph = nx.DiGraph()
    for node, attributes in graph.nodes(data=True):
        flat.add_node(node, **dict(_flat(attributes)))
    flat.add_edges_from(graph.edges(data=True))
    return "\n".join(nx.generate_graphml(flat)) + "\n"


def _json_graph(graph: Graph) -> str:
    return json.dumps(nx.node_link_data(graph, edges="edges"), indent=2, ensure_ascii=False) + "\n"


def _dot(graph: Graph) -> str:
    return str(_drawing(graph).source)


def _svg(graph: Graph) -> str:
    try:
        return str(_drawing(graph).pipe(format="svg", encoding="utf-8"))
    except graphviz.ExecutableNotFound as error:
        raise NoGraphvizError(
            "Graphviz draws SVG, and its program dot is not installed: install the package graphviz of your system, or "
            "take the format html, which needs nothing, or dot, which any Graphviz draws later."
        ) from error


def _html(graph: Graph) -> str:
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
        (files("graphplace.views") / "page.html").read_text()
    )
    aggregates: dict[str, list[tuple[str, bool]]] = {}
    for provider, aggregate, attributes in graph.edges(data=True):
        if attributes["kind"] != "CHILD_OF":
            aggregates.setdefault(provider, []).append((aggregate, attributes["kind"] == "SHARES"))
    providers = [(uuid, one) for uuid, one in graph.nodes(data=True) if one["kind"] == "provider"]
    return template.render(providers=providers, aggregates=aggregates) + "\n"


FORMATS: Mapping[str, Callable[[Graph], str]] = {
    "graphml": _graphml,
    "dot": _dot,
    "svg": _svg,
    "json-graph": _json_graph,
    "html": _html,
}


def _drawing(graph: Graph) -> graphviz.Digraph:
    drawing = graphviz.Digraph(graph_attr={"rankdir": "BT"}, node_attr={"fontname": "sans-serif"})
    for node, attributes in graph.nodes(data=True):
        filled = {"style": "filled", "fillcolor": "lightyellow"} if "gives" in attributes else {}
        label = "".join(f"{_escape(line)}\\l" for line in _lines(attributes))
        drawing.node(graphviz.escape(node), label=label, shape=_SHAPES[attributes["kind"]], **filled)
    for start, end, attributes in graph.edges(data=True):
        drawing.edge(graphviz.escape(start), graphviz.escape(end), style=_STYLES[attributes["kind"]])
    return drawing


def _escape(line: str) -> str:
    """Return *line* as one line of a label, in which Graphviz reads entities of HTML too."""
    return str(graphviz.escape(" ".join(line.splitlines()))).replace("&", "&amp;")


def _lines(attributes: Mapping[str, Any]) -> Iterator[str]:
    yield _NOT_XML.sub("\ufffd", attributes["name"])
    for name, numbers in attributes.get("inventories", {}).items():
        yield f"{name}: {numbers['used']} of {numbers['capacity']} used"
    yield from attributes.get("traits", [])
    for name, amount in attributes.get("gives", {}).items():
        yield f"gives {name}: {amount}"


def _flat(attributes: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str | float]]:
    for key, value in attributes.items():
        match value:
            case dict():
                yield from _flat(value, f"{prefix}{key}.".removeprefix("inventories."))
            case list():
                yield prefix + key, " ".join(value)
            case str():
                yield prefix + key, _NOT_XML.sub("\ufffd", value)
            case _:
                yield prefix + key, value
