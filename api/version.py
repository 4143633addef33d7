"""Microversions: which ones are served, which one a request is served at, and the headers that say so.

One header names the version of Placement and, for what goes beyond it, that of graphplace:
``OpenStack-API-Version: placement 1.39, graphplace 1.0``.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

from flask import Response, g, request
from graphplace.api.context import extension_version, microversion
from graphplace.api.features import Change, Extension, Feature
from graphplace.api.outside import is_outside, is_page
from microversion_parse import STANDARD_HEADER, Version, get_version, parse_version_string
from werkzeug.exceptions import BadRequest, NotAcceptable

SERVICE = "placement"
MIN_VERSION = Version(1, min(feature.since for feature in Feature))
MAX_VERSION = Version(1, max(feature.since for feature in Feature))
EXTENSION = "graphplace"
MIN_EXTENSION = Version(1, min(extension.since for extension in Extension))
MAX_EXTENSION = Version(1, max(extension.since for extension in Extension))
# What a request that names no version asks for.
DEFAULT_VERSION = MIN_VERSION
LATEST = "latest"

Choice = TypeVar("Choice")


class UnacceptableVersion(NotAcceptable):
    """The version asked for is outside the range that is served (406)."""

    def __init__(self, service: str, asked: Version, lowest: Version, highest: Version) -> None:
        super().__init__(
            f"Unacceptable version header: {asked}. Of {service}, versions {lowest} to {highest} are served."
        )
        self.lowest = lowest
        self.highest = highest


def negotiate() -> None:
    """Settle the versions of the current request from its ``OpenStack-API-Version`` header.

    Raises BadRequest for what is no version at all, UnacceptableVersion for one that is not served.
    """
    if is_page(request.path):
        g.microversion, g.extension_version = MAX_VERSION, MAX_EXTENSION
    elif not is_outside(request.path):
        g.microversion = _asked(SERVICE, MIN_VERSION, MAX_VERSION) or DEFAULT_VERSION
        g.extension_version = _asked(EXTENSION, MIN_EXTENSION, MAX_EXTENSION)


def serves(feature: Change) -> bool:
    """Tell whether the current request is served with *feature*; before its version is known, with none."""
    version = extension_version() if isinstance(feature, Extension) else microversion()
    return version is not None and version >= Version(1, feature.since)


def newest(choices: Mapping[Feature, Choice]) -> Choice:
    """Return that one of *choices* which came last among those that the current request is served with."""
    return choices[max(filter(serves, choices), key=lambda feature: feature.since)]


def only_served(document: Mapping[str, Any], since: Mapping[str, Feature]) -> dict[str, Any]:
    """Return *document* without what the current request is not served with; *since* names the later members."""
    return {name: value for name, value in document.items() if name not in since or serves(since[name])}


def add_headers(response: Response) -> Response:
    """Say which version the response is, and that caches must tell versions apart."""
    if is_outside(request.path):
        return response
    response.headers[STANDARD_HEADER] = f"{SERVICE} {microversion() or DEFAULT_VERSION}"
    response.headers.add("vary", STANDARD_HEADER)
    return response


def _asked(service: str, lowest: Version, highest: Version) -> Version | None:
    """Return the version of *service* that the header names, if it does."""
    text = get_version(list(request.headers.items()), service)
    if text is None:
        return None
    asked = highest if text == LATEST else _parse(text)
    if not lowest <= asked <= highest:
        raise UnacceptableVersion(service, asked, lowest, highest)
    return asked


def _parse(text: str) -> Version:
    try:
        return parse_version_string(text)
    except (TypeError, ValueError) as error:
        raise BadRequest(f"invalid version string: {text}. Give 1.N, or {LATEST}.") from error
