"""The form in which the API answers: what clients read of an error."""

import json
import re
from http import HTTPStatus

# The first version whose errors have a code.
CODES_SINCE = 23


def check_form(status: int, minor: int, content_type: str | None, content: bytes) -> None:
    """Check that an answer at version 1.*minor* is no failure of the server, and that clients can read an error.

    The answer to HEAD has no content.
    """
    assert 200 <= status < 500, content
    if not content:
        return
    assert content_type == "application/json"
    document = json.loads(content)
    if status < 400:
        return
    (error,) = document["errors"]
    assert error.keys() >= {"status", "title", "detail", "request_id"}
    assert error["status"] == status
    assert error["title"] == HTTPStatus(status).phrase
    assert error["detail"].splitlines()[-1].strip()
    assert re.fullmatch(r"req-[0-9a-f-]{36}", error["request_id"])
    assert ("code" in error) is (minor >= CODES_SINCE)
    assert error.get("code", "placement.").startswith("placement.")
