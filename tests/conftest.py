"""Fixtures of all tests: one real Neo4j a session, an empty graph and a client of the API for each test."""

from collections.abc import Iterator

import neo4j
import pytest
from flask.testing import FlaskClient
from graphplace.api import create_app
from http_server import serving
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from keystoneauth1.adapter import Adapter
from keystoneauth1.session import Session
from keystoneauth1.token_endpoint import Token
from neo4j_server import neo4j_server
from wire import Wire

from graphplace.candidates import summaries
from graphplace.graph import schema
from graphplace.graph.database import Database
from graphplace.settings import Settings

# How long an example takes says something of the machine, not of the code.
hypothesis_settings.register_profile("graphplace", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis_settings.load_profile("graphplace")


@pytest.fixture(scope="session")
def neo4j_settings() -> Iterator[Settings]:
    """The settings of a real Neo4j, which GRAPHPLACE_TEST_NEO4J chooses."""
    with neo4j_server() as settings:
        yield settings


@pytest.fixture(scope="session")
def neo4j_driver(neo4j_settings: Settings) -> Iterator[neo4j.Driver]:
    """A client of Neo4j that knows nothing of graphplace, as operators have."""
    auth = (neo4j_settings.neo4j_user, neo4j_settings.neo4j_password)
    with neo4j.GraphDatabase.driver(str(neo4j_settings.neo4j_uri), auth=auth) as driver:
        yield driver


@pytest.fixture(scope="session")
def connected(neo4j_settings: Settings) -> Iterator[Database]:
    """The database of the session, with its schema."""
    database = Database.connect(neo4j_settings)
    schema.initialise(database)
    yield database
    database.close()


@pytest.fixture
def database(connected: Database) -> Database:
    """A graph that holds the standard traits and resource classes and nothing else."""
    schema.wipe(connected)
    return connected


@pytest.fixture
def driver(neo4j_settings: Settings, database: Database) -> Iterator[neo4j.Driver]:
    """The bare driver, for what the engine does not do by itself: open transactions, plans, loading in bulk."""
    auth = (neo4j_settings.neo4j_user, neo4j_settings.neo4j_password)
    assert neo4j_settings.neo4j_uri is not None
    with neo4j.GraphDatabase.driver(neo4j_settings.neo4j_uri, auth=auth) as driver:
        yield driver


@pytest.fixture
def client(database: Database) -> FlaskClient:
    """An HTTP client of the API over an empty graph: user admin, newest version."""
    # However busy the machine is.
    client = create_app(database, Settings(allocation_candidates_timeout=0, explain_changes_timeout=0)).test_client()
    client.environ_base |= {"HTTP_X_AUTH_TOKEN": "admin", "HTTP_OPENSTACK_API_VERSION": "placement latest"}
    return client


@pytest.fixture(scope="module")
def _long_ago() -> Iterator[None]:
    """Trees as if nobody had written to them just now: summaries are read once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(summaries, "RECENT_MILLISECONDS", -1_000_000)
        yield


@pytest.fixture(scope="module")
def endpoint(connected: Database) -> Iterator[str]:
    """The URL of the API."""
    with serving(create_app(connected, Settings())) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def wire(endpoint: str, database: Database) -> Wire:  # an empty one
    """What OpenStack's services send their requests through, over an empty graph."""
    return Wire(Adapter(Session(Token(endpoint, "admin")), service_type="placement", raise_exc=False))
