"""The version document, which clients read before anything else and without a token."""

from flask import Response
from graphplace.api import version
from graphplace.api.responses import json_response, now


def show() -> Response:
    """Answer with the range of versions served."""
    document = {
        "id": "v1.0",
        "max_version": str(version.MAX_VERSION),
        "min_version": str(version.MIN_VERSION),
        "status": "CURRENT",
        # Relative, so that it holds wherever the API is mounted.
        "links": [{"rel": "self", "href": ""}],
    }
    return json_response({"versions": [document]}, last_modified=now())
