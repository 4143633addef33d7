"""Requests to Placement's REST API."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Protocol
from urllib.parse import urlencode

from graphplace.compute.errors import PlacementError
from graphplace.errors import Code

# The newest that writes allocations without a consumer type: what consumers have for one stays (1.38 asks for it, and
# does not take the "unknown" that it gives consumers without).
MICROVERSION = "1.37"


class Session(Protocol):
    """Sends requests: a keystoneauth1 Adapter for the service, made with ``raise_exc=False``, or what looks like one.

    The address is a path below Placement's endpoint. Options are ``headers`` and ``json``. An answer has
    ``status_code``, ``text`` and ``json()``, whatever its status.
    """

    def get(self, url: str, **options: Any) -> Any:
        """GET."""

    def put(self, url: str, **options: Any) -> Any:
        """PUT."""

    def post(self, url: str, **options: Any) -> Any:
        """POST."""

    def delete(self, url: str, **options: Any) -> Any:
        """DELETE."""


class Context(Protocol):
    """On whose behalf requests are sent: Nova's RequestContext is one."""

    @property
    def global_id(self) -> str | None:
        """The identifier, ``req-`` and a uuid, by which the logs of all services name the operation."""


@dataclass(frozen=True)
class Placement:
    """Placement over *session*, at *microversion*, on behalf of *context* if there is one.

    Methods return the JSON of an answer, or None where it has no body, and raise
    :class:`graphplace.compute.errors.PlacementError` for a status of 400 or more, and for what is no JSON. What a
    session raises when it gets no answer passes through.
    """

    session: Session
    context: Context | None = None
    microversion: str = MICROVERSION

    def get(self, path: str, **query: str) -> Any:
        """GET *path* with *query*."""
        return self._send("get", f"{path}?{urlencode(query)}" if query else path)

    def put(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """PUT *body*, if there is one, to *path*."""
        return self._send("put", path, body)

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """POST *body* to *path*."""
        return self._send("post", path, body)

    def delete(self, path: str) -> None:
        """DELETE *path*."""
        self._send("delete", path)

    def _send(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        headers = {"OpenStack-API-Version": f"placement {self.microversion}", "Accept": "application/json"}
        if self.context is not None and self.context.global_id:
            headers["X-Openstack-Request-Id"] = self.context.global_id
        options = {"headers": headers} | ({} if body is None else {"json": body})
        answer = getattr(self.session, method)(path, **options)
        if answer.status_code >= HTTPStatus.BAD_REQUEST:
            raise _refusal(f"{method.upper()} {path}", answer)
        try:
            return answer.json() if answer.text else None
        except ValueError as error:
            message = f"{method.upper()} {path} was answered with {answer.status_code}, but not in JSON."
            raise PlacementError(message, Code.UNDEFINED, answer.status_code) from error


def _refusal(request: str, answer: Any) -> PlacementError:
    try:
        error = answer.json()["errors"][0]
        detail, code = error["detail"].strip(), error.get("code")
    except (ValueError, LookupError, TypeError, AttributeError):
        # Not Placement's words: a proxy in front of it, or another service.
        detail, code = answer.text.strip(), None
    known = Code(code) if code in list(Code) else Code.UNDEFINED
    return PlacementError(f"{request} was refused with {answer.status_code}: {detail}", known, answer.status_code)
