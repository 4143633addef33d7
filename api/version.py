"""Microversions: which ones are served, which one a request is served at, and the headers that say so."""

from flask import Response, g, request
from graphplace.api.context import microversion
from graphplace.api.identity import OPEN_PATH
from microversion_parse import STANDARD_HEADER, Version, get_version, parse_version_string
from werkzeug.exceptions import BadRequest, NotAcceptable

SERVICE = "placement"
MIN_VERSION = Version(1, 39)
MAX_VERSION = Version(1, 39)
# What a request that names no version asks for.
DEFAULT_VERSION = Version(1, 0)
LATEST = "latest"


class UnacceptableVersion(NotAcceptable):
    """The version asked for is outside the range that is served (406)."""


def negotiate() -> None:
    """Settle the version of the current request from its ``OpenStack-API-Version`` header.

    Raises BadRequest for what is no version at all, UnacceptableVersion for one that is not served. The version
    document is served whatever the header, so that a client learns the range, unless the header asks for too much.
    """
    text = get_version(list(request.headers.items()), SERVICE)
    if text is None and request.path == OPEN_PATH:
        g.microversion = MIN_VERSION
        return
    g.microversion = _parse(text)
    if not MIN_VERSION <= g.microversion <= MAX_VERSION:
        asked = g.pop("microversion")
        raise UnacceptableVersion(
            f"Unacceptable version header: {asked}. Versions {MIN_VERSION} to {MAX_VERSION} are served."
        )


def add_headers(response: Response) -> Response:
    """Say which version the response is, and that caches must tell versions apart."""
    response.headers[STANDARD_HEADER] = f"{SERVICE} {microversion() or MIN_VERSION}"
    response.headers.add("vary", STANDARD_HEADER)
    return response


def _parse(text: str | None) -> Version:
    if text is None:
        return DEFAULT_VERSION
    if text == LATEST:
        return MAX_VERSION
    try:
        return parse_version_string(text)
    except (TypeError, ValueError) as error:
        raise BadRequest(f"invalid version string: {text}. Give 1.N, or {LATEST}.") from error
