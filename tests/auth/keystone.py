"""A Keystone for tests, over HTTP: it knows one service user and the tokens that it is told of."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
from werkzeug import Request, Response

SERVICE_TOKEN = "s3rv1ce-t0ken"


@dataclass
class Keystone:
    """A WSGI application; ``tokens`` are the roles and the project that each valid token is good for."""

    tokens: dict[str, tuple[list[str], str]] = field(default_factory=dict)

    def __call__(self, environ: Any, start_response: Any) -> Any:
        return self._answer(Request(environ))(environ, start_response)

    def _answer(self, request: Request) -> Response:
        if request.path != "/v3/auth/tokens":
            links = [{"rel": "self", "href": request.root_url + "v3/"}]
            return _json({"version": {"id": "v3.14", "status": "stable", "links": links}})
        if request.method == "POST":
            made = _token("placement", ["service"], "services")
            endpoint = {"id": "e1", "interface": "internal", "region": None, "url": request.root_url + "v3"}
            made["token"]["catalog"] = [{"id": "s1", "type": "identity", "name": "keystone", "endpoints": [endpoint]}]
            return _json(made, 201, {"X-Subject-Token": SERVICE_TOKEN})
        subject = request.headers["X-Subject-Token"]
        if subject not in self.tokens:
            return _json({"error": {"code": 404, "title": "Not Found", "message": "No such token."}}, 404)
        return _json(_token("someone", *self.tokens[subject]))


def _token(user: str, roles: list[str], project: str) -> dict[str, Any]:
    now = datetime.now(UTC)
    domain = {"id": "default", "name": "Default"}
    return {
        "token": {
            "methods": ["password"],
            "user": {"id": user, "name": user, "domain": domain},
            "project": {"id": project, "name": project, "domain": domain},
            "roles": [{"id": name, "name": name} for name in roles],
            "issued_at": _time(now),
            "expires_at": _time(now + timedelta(hours=1)),
            "audit_ids": ["0"],
        }
    }


def _time(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000000Z")


def _json(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(orjson.dumps(body), status, headers, mimetype="application/json")
