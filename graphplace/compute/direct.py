"""Placement without a server: its REST API in this process, on a database of the caller's choice (specs: reshaper)."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Any

from keystoneauth1.adapter import Adapter
from keystoneauth1.session import Session
from keystoneauth1.token_endpoint import Token
from requests import PreparedRequest, Response
from requests import Session as Requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPResponse
from werkzeug.test import Client

from graphplace.api import create_app
from graphplace.graph import schema
from graphplace.graph.database import Database
from graphplace.settings import ADMIN, NOAUTH2, Settings

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

# Nobody is asked what it means: all that is sent below it stays in this process.
ENDPOINT = "http://placement.direct"


@contextmanager
def PlacementDirect(settings: Settings) -> Iterator[Adapter]:  # noqa: N802  # specs: reshaper
    """Yield a keystoneauth1 adapter for the API over the database of *settings*, with its schema, for the block.

    Requests go to the API as if it were served, with all checks and versions, by a user who may do everything: who has
    the database's password has. Nothing but the traffic with Neo4j leaves the process. A status of 400 or more is an
    answer and not an exception.

    Raises SettingsError when *settings* name no Neo4j, and StoreUnavailableError when it cannot be reached.
    """
    with closing(Database.connect(settings)) as database:
        schema.initialise(database)
        yield adapter_for(create_app(database, replace(settings, auth_strategy=NOAUTH2, policy=ADMIN)))


def adapter_for(application: "WSGIApplication") -> Adapter:
    """Return a keystoneauth1 adapter for *application*, a Placement that believes tokens as they come."""
    requests = Requests()
    requests.mount(ENDPOINT, _InProcess(Client(application, use_cookies=False)))
    return Adapter(Session(Token(ENDPOINT, ADMIN), session=requests), service_type="placement", raise_exc=False)


class _InProcess(HTTPAdapter):
    """Sends requests to a WSGI application instead of a socket."""

    def __init__(self, client: Client) -> None:
        super().__init__()
        self._client = client

    def send(self, request: PreparedRequest, *_args: Any, **_options: Any) -> Response:  # the others are about sockets
        answer = self._client.open(
            request.path_url, ENDPOINT, method=request.method, headers=dict(request.headers), data=request.body
        )
        return self.build_response(
            request,
            HTTPResponse(
                BytesIO(answer.data),
                headers=dict(answer.headers),
                status=answer.status_code,
                reason=answer.status.partition(" ")[2],
                preload_content=False,
            ),
        )
