"""Trees, aggregates and candidates as graphs of networkx, for programs that draw them or look for paths.

A node is a provider or an aggregate, by its uuid, and has a ``kind``, ``provider`` or ``aggregate``. A provider has its
``name``, ``generation``, ``depth`` (the number of providers above it), ``traits`` (a list) and ``inventories`` (by
class, as in the API, with ``capacity``, ``used`` and ``free``). In a candidate it has what it ``gives`` (by class), and
the ``groups`` it does so for, the suffixes of the request.

An edge has a ``kind``: ``CHILD_OF`` leads to the parent, ``MEMBER_OF`` to an aggregate, and ``SHARES`` as well,
from a provider that shares with the members.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import networkx as nx

from graphplace import providers
from graphplace.candidates.find import find_candidates
from graphplace.errors import ConcurrentUpdateError, NotFoundError
from graphplace.graph.database import Database
from graphplace.request.model import CandidateRequest
from graphplace.settings import Settings
from graphplace.views import trees
from graphplace.views.trees import Node, TreeView

if TYPE_CHECKING:
    Graph = nx.DiGraph[str]
else:
    # networkx is generic for type checkers only.
    Graph = nx.DiGraph


def tree_graph(database: Database, provider: str) -> Graph:
    """Return the tree that *provider*, a uuid or a name, is in, with the pools that share with it.

    Raises NotFoundError.
    """
    return _of_tree(trees.tree(database, providers.called(database, provider)))


def aggregate_graph(database: Database, uuid: str) -> Graph:
    """Return the aggregate *uuid* with its members; of their trees, only what is in it too. Raises NotFoundError."""
    members = trees.members(database, uuid)
    graph: Graph = nx.DiGraph()
    _add(graph, members, aggregates={uuid})
    return graph


def candidate_graph(
    database: Database, request: CandidateRequest, number: int = 1, settings: Settings | None = None
) -> Graph:
    """Return the tree that the *number*-th candidate of *request* is in, with what it takes from whom.

    Raises NotFoundError when there are fewer candidates, and what :func:`find_candidates` raises.
    """
    found = find_candidates(database, replace(request, limit=number), settings)
    if not 0 < number <= len(found.allocation_requests):
        raise NotFoundError(f"There is no candidate {number}: {len(found.allocation_requests)} were found.")
    candidate = found.allocation_requests[number - 1]
    uuids = candidate["allocations"].keys()
    for root in {found.provider_summaries[uuid]["root_provider_uuid"] for uuid in uuids}:
        view = trees.tree(database, root)
        # A pool's own tree does not reach the tree that it shares with.
        if uuids <= {node.uuid for node in view.providers + view.sharing}:
            graph = _of_tree(view)
            for uuid, given in candidate["allocations"].items():
                suffixes = [suffix for suffix, members in candidate["mappings"].items() if uuid in members]
                graph.add_node(uuid, gives=dict(given["resources"]), groups=suffixes)
            return graph
    raise ConcurrentUpdateError("The tree of the candidate has just changed; try again.")


def _of_tree(view: TreeView) -> Graph:
    graph: Graph = nx.DiGraph()
    of_tree = {aggregate for node in view.providers for aggregate in node.aggregates}
    _add(graph, view.providers + view.sharing, of_tree)
    return graph


def _add(graph: Graph, nodes: Iterable[Node], aggregates: set[str]) -> None:
    """Add *nodes*, those *aggregates* that they are in, and how they hang together."""
    nodes = list(nodes)
    for node in nodes:
        graph.add_node(node.uuid, kind="provider", **_attributes(node))
    for aggregate in sorted(aggregates):
        graph.add_node(aggregate, kind="aggregate", name=aggregate)
    for node in nodes:
        if node.parent_uuid is not None and node.parent_uuid in graph:
            graph.add_edge(node.uuid, node.parent_uuid, kind="CHILD_OF")
        for aggregate in aggregates.intersection(node.aggregates):
            kind = "SHARES" if aggregate in node.shares_via else "MEMBER_OF"
            graph.add_edge(node.uuid, aggregate, kind=kind)


def _attributes(node: Node) -> dict[str, Any]:
    found = trees.provider_document(node)
    return {
        "name": node.name,
        "generation": node.generation,
        "depth": node.depth,
        "traits": found["traits"],
        "inventories": found["inventories"],
    }
