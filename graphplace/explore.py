"""The graph in notebooks, by py2neo: a connected graph, tables of what Cypher finds, and trees as subgraphs.

py2neo gets no new versions, and what it knows of schemas fails on Neo4j 5: so it is used nowhere else, and is in the
extra ``graphplace[explore]``. What is read here can be torn by a write at the same moment.
"""

from typing import Any

from graphplace.cypher import statement
from graphplace.errors import NotFoundError, SettingsError, StoreUnavailableError
from graphplace.graph import local
from graphplace.settings import Settings

try:
    from py2neo import Graph, Subgraph
    from py2neo.errors import ConnectionUnavailable, ServiceUnavailable
    from py2neo.integration import Table
except ModuleNotFoundError as error:
    raise SettingsError(f"Notebooks need the extra 'explore': pip install 'graphplace[explore]' ({error}).") from error


def connect(settings: Settings | None = None) -> Graph:
    """Return a py2neo Graph of the Neo4j that *settings* name, by default those of the process.

    Without a URI it is the managed local Neo4j, which has to run already. Raises SettingsError when it does not, and
    StoreUnavailableError when nobody answers.
    """
    settings = settings or Settings.load()
    if settings.neo4j_uri is None:
        found = local.running(settings)
        if found is None:
            raise SettingsError("No Neo4j runs here: graphplace neo4j start, or set GRAPHPLACE_NEO4J_URI.")
        settings = found.connect_to(settings)
    login = (settings.neo4j_user, settings.neo4j_password)
    try:
        return Graph(settings.neo4j_uri, auth=login, name=settings.neo4j_database)
    except (ConnectionUnavailable, ServiceUnavailable) as error:
        raise StoreUnavailableError(f"Neo4j cannot be reached: {error}") from error


def table(graph: Graph, text: str, /, **parameters: Any) -> Table:
    """Return all rows that the Cypher *text* gives, which reads: a write fails. Notebooks draw it by themselves."""
    return graph.query(text, parameters).to_table()


def tree(graph: Graph, provider: str) -> Subgraph:
    """Return the tree of a *provider*, given by uuid or name, with inventories, traits and aggregates.

    Raises NotFoundError.
    """
    rows = list(graph.query(statement("explore.tree").text, {"provider": provider}))
    if not rows:
        raise NotFoundError(f"No resource provider {provider!r}.")
    nodes = [node for row in rows for node in (row["provider"], row["other"])]
    return Subgraph(nodes, [row["link"] for row in rows])
