"""The version document, which clients read before anything else and without a token."""

from flask import Response
from graphplace.api import version
from graphplace.api.responses import json_response, now


def show() -> Response:
    """Answer with the range of versions served, of Placement's API and of what graphplace adds to it."""
    document = {
        "id": "v1.0",
        "max_version": str(version.MAX_VERSION),
        "min_version": str(version.MIN_VERSION),
        "status": "CURRENT",
        # Relative, so that it holds wherever the API is mounted.
        "links": [{"rel": "self", "href": ""}],
    }
    extension = {
        "name": version.EXTENSION,
        "max_version": str(version.MAX_EXTENSION),
        "min_version": str(version.MIN_EXTENSION),
    }
    # Not among the versions: clients take whatever is there for a version of Placement.
    return json_response({"versions": [document], "extensions": [extension]}, last_modified=now())
