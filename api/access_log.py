"""One line of the log for each request, for those who want it: what was asked, how it ended, how long it took.

Nobody is named: with the strategy noauth2 the user's name is the token.
"""

import logging
import re
from ipaddress import ip_address
from urllib.parse import quote

from flask import Flask, Response, request
from graphplace.api import metrics
from graphplace.api.context import microversion

from graphplace.settings import Settings

LOG = logging.getLogger(__name__)
# No parameter of the API holds one; who sends a secret in the query all the same does not find it in the log.
_SECRET = re.compile(r"((?:^|&)[^&=]*(?:token|secret|password|key)[^&=]*=)[^&]*", re.IGNORECASE)


def register(app: Flask, settings: Settings) -> None:
    """Let *app* log every request if *settings* say so."""
    if settings.access_log:
        app.after_request(_log)


def _log(response: Response) -> Response:
    found = {
        "remote": _address(request.remote_addr),
        "method": request.method,
        "path": quote(request.path),
        # As it came, so percent signs in it and no control characters.
        "query": _SECRET.sub(r"\1***", request.query_string.decode("latin-1")),
        "route": metrics.route(),
        "status": response.status_code,
        "bytes": response.content_length,
        "seconds": round(metrics.seconds(), 6),
        "version": str(microversion() or ""),
    }
    LOG.info("%(method)s %(path)s %(status)s", found, extra=found)
    return response


def _address(given: str | None) -> str | None:
    """Return *given* if it is an address: from a proxy, it is what a header says."""
    try:
        return str(ip_address(given or ""))
    except ValueError:
        return None
